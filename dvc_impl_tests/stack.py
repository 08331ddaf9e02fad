#!/usr/bin/env python3
"""How deep the calls of dvc.h go, from what gcc -fcallgraph-info=su tells of it.

    stack.py UNIT.ci [FUNCTION BYTES]...

Prints what each function of the interface needs at most, the longest path of dvc_step, and what recurses. Fails if a FUNCTION
needs more than BYTES, if a frame has no fixed size, if anything recurses that is not known here with a bound, or if there is a
call through a pointer that is not known. Functions of the user are not counted; of the C library, 32 bytes each."""
import re
import sys
from collections import defaultdict

# What recurses: how many of each may be active at a time. An island may bounce once (DVCI_HALVINGS + 2 steps of it at most) and
# is halved DVCI_HALVINGS times; parentheses of expressions nest DVCI_DEPTH_MOST deep.
ACTIVE = {'dvci_advance_island': 6, 'dvci_halve_island': 4, 'dvci_advance_half': 4, 'dvci_read_sum': 33, 'dvci_read_product': 33,
          'dvci_read_power': 33, 'dvci_read_operand': 33}
# Calls through pointers, by the text of the line: the user's functions, and those of our own.
USERS = ['clock(', 'write(', 'motion(', 'collide(', 'before_step(', '->solve(']
OURS = {'visit(': ['dvci_visit_next_pair', 'dvci_list_pair'], 'run(data': ['dvci_visit_stretch', 'dvci_work_stretch']}
LIBRARY = 32

frame, calls, wrong = {}, defaultdict(set), []


def name_of(title):
    return re.sub(r'\.(part|constprop|isra|cold|lto_priv)\.?\d*', '', title.split(':')[-1])


def read(path):
    pointers = []
    for line in open(path, errors='replace'):
        node = re.match(r'node: \{ title: "([^"]+)" label: "([^"]*)"', line)
        edge = re.match(r'edge: \{ sourcename: "([^"]+)" targetname: "([^"]+)"(?: label: "([^"]*)")?', line)
        if node:
            size = re.search(r'(\d+) bytes \((\w[\w,]*)\)', node.group(2))
            frame[node.group(1)] = int(size.group(1)) if size else LIBRARY
            if size and size.group(2) not in ('static', 'dynamic,bounded'):  # bounded: where it is aligned anew
                wrong.append(f'{node.group(1)}: its frame has no fixed size')
        elif edge and edge.group(2) == '__indirect_call':
            pointers.append((edge.group(1), edge.group(3)))
        elif edge:
            calls[edge.group(1)].add(edge.group(2))
    frame['__indirect_call'] = 0
    for names in list(calls.values()):
        for name in names:
            frame.setdefault(name, LIBRARY)  # another name of a function that is the same
    for source, place in pointers:
        file, line = place.split(':')[:2]
        text = open(file).read().split('\n')[int(line) - 1]
        ours = [f for key, names in OURS.items() if key in text for f in names]
        if not ours and not any(key in text for key in USERS):
            wrong.append(f'{source}: calls through a pointer that is not known: {text.strip()}')
        calls[source].update(t for t in frame if name_of(t) in ours)


def components():
    """Sets of functions that call each other, those that are called first (Tarjan)."""
    index, low, stack, found = {}, {}, [], []

    def visit(v):
        index[v] = low[v] = len(index)
        stack.append(v)
        for w in sorted(calls[v]):
            if w not in index:
                visit(w)
            if w in stack:
                low[v] = min(low[v], low[w])
        if low[v] == index[v]:
            at = stack.index(v)
            found.append(stack[at:])
            del stack[at:]

    for v in sorted(frame):
        if v not in index:
            visit(v)
    return found


def deepest(found):
    """Bytes and path below each function, its own frame included; what recurses is there as often as it may be."""
    deep, loops = {}, []
    for part in found:
        own = [(v, frame[v]) for v in part]
        if len(part) > 1 or part[0] in calls[part[0]]:
            own = [(v, ACTIVE.get(name_of(v), 1) * frame[v]) for v in part]
            loops.append(' '.join(sorted(f'{name_of(v)} ({ACTIVE.get(name_of(v), "?")} x {frame[v]})' for v in part)))
            if not all(name_of(v) in ACTIVE for v in part):
                wrong.append('recurses without a known bound: ' + loops[-1])
        below = max((deep[w] for v in part for w in calls[v] if w not in part), default=(0, []))
        for v in part:
            deep[v] = (sum(size for _, size in own) + below[0], own + below[1])
    return deep, loops


def main():
    sys.setrecursionlimit(10000)
    read(sys.argv[1])
    deep, loops = deepest(components())
    public = sorted(((deep[v][0], v) for v in frame if re.match(r'dvc_\w+$', v)), reverse=True)
    for bytes_, name in public[:8]:
        print(f'{bytes_:7} {name}')
    print('the longest path of dvc_step:')
    for v, own in deep.get('dvc_step', (0, []))[1]:
        print(f'{own:11} {name_of(v)}')
    for text in loops:
        print('recurses: ' + text)
    limits = sys.argv[2:]
    for name, most in zip(limits[::2], limits[1::2]):
        need = deep[name][0] if name in deep else None
        if need is None or need > int(most):
            wrong.append(f'{name} needs {need} bytes of stack, more than {most}')
    for text in wrong:
        print('FAIL stack / ' + text)
    return len(wrong) > 0


sys.exit(main())
