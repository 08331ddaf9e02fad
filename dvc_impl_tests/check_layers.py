#!/usr/bin/env python3
"""The inside of dvc.h is built in layers: this holds it to that.

    check_layers.py [dvc.h]

- A function calls functions of its own section and of sections above it in the file. The step page alone calls what it likes; who
  is below may call it, as long as it does not call them: no section reaches itself by calls.
- Numbers below 0.1 have names, and those stand in the section >>limits.
- What a program that includes dvc.h could meet begins with dvc_ or DVC_, what it must not meet with dvci_ or DVCI_.
- No function has more than LONGEST lines.

Ends with the line "layers: N passed, N failed"."""
import os
import re
import sys
from collections import defaultdict

LONGEST = 60
PAGE = 'step'  # calls every stage


def without_comments(text):
    """The code, each comment and text replaced by as many spaces, so that lines and columns stay."""
    blank = lambda m: ''.join(c if c == '\n' else ' ' for c in m.group())
    return re.sub(r'/\*[\s\S]*?\*/|//.*|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)+\'', blank, text)


class Header:
    def __init__(self, path):
        text = open(path, encoding='utf-8').read()
        self.text = text.split('\n')
        self.code = without_comments(text).split('\n')
        self.begin = next(i for i, line in enumerate(self.text) if line.startswith('#if defined(DVC_IMPLEMENTATION)'))
        self.section_of_line = []
        self.sections = ['config']
        now = 'config'
        for i, line in enumerate(self.text):
            tag = re.match(r' \* >>(\w+)', line)
            if tag and i > self.begin:
                now = tag.group(1)
                self.sections.append(now)
            self.section_of_line.append(now)
        self.functions = {}  # name: (first line, last line), counted from 0
        self.find_functions()

    def find_functions(self):
        """A function begins in the first column and has its brace on that line or at the start of a later one."""
        i = self.begin
        while i < len(self.code):
            head = self.head_at(i)
            if not head:
                i += 1
                continue
            name, brace = head
            depth, end = 0, brace
            while True:
                depth += self.code[end].count('{') - self.code[end].count('}')
                if depth == 0:
                    break
                end += 1
            self.functions[name] = (i, end)
            i = end + 1

    def head_at(self, i):
        """Name and line of the brace of the function that begins at line i, if one does."""
        if not re.match(r'[A-Za-z_]', self.code[i]) or re.match(r'(typedef|struct|enum|union|extern)\b', self.code[i]):
            return None
        head = ''
        for j in range(i, min(i + 12, len(self.code))):
            head += self.code[j] + ' '
            if ';' in self.code[j].split('{')[0] or self.code[j].startswith('#') or '=' in head.split('{')[0]:
                return None
            if '{' in self.code[j]:
                name = re.search(r'(?:DVCI_NAME\(\s*)?\b(\w+)\s*\)?\s*\(', re.sub(r'__attribute__\(\(\w+\)\)', '', head))
                return (name.group(1), j) if name and ')' in head.split('{')[0] else None
        return None

    def calls(self):
        """Pairs (caller, callee) of functions whose sections differ; a name is a call, for it may be handed on."""
        names = set(self.functions)
        found = set()
        for name, (first, last) in self.functions.items():
            for word in set(re.findall(r'\w+', ' '.join(self.code[first:last + 1]))) & names:
                if self.section(word) != self.section(name):
                    found.add((name, word))
        return found

    def section(self, name):
        return self.section_of_line[self.functions[name][0]]


def in_cycles(edges):
    """Sections that reach themselves by calls."""
    reach = {a: set(b) for a, b in edges.items()}
    grown = True
    while grown:
        grown = False
        for a in reach:
            more = set().union(*(reach.get(b, set()) for b in reach[a])) if reach[a] else set()
            if not more <= reach[a]:
                reach[a] |= more
                grown = True
    return sorted(a for a in reach if a in reach[a])


def small_numbers(header):
    number = re.compile(r'(?<![\w.])(?:\d+\.\d*|\.\d+|\d+(?=[eE]))(?:[eE][+-]?\d+)?')
    for i in range(header.begin, len(header.code)):
        for found in number.finditer(header.code[i]):
            if 0 < float(found.group()) < 0.1 and not (header.section_of_line[i] == 'limits' and header.code[i].startswith('#define')):
                yield i + 1, found.group()


def foreign_names(header):
    """Functions, macros, types and tables of the header that do not begin as its own do."""
    pattern = re.compile(r'^(?:#\s*define\s+(\w+)|(?:static|typedef|struct|enum)\b[^;={(]*?\b(\w+)\s*(?:[;={\[]|$)|\}\s*(\w+)\s*;)')
    for i, line in enumerate(header.code):
        found = pattern.match(line)
        name = next((g for g in found.groups() if g), None) if found else None
        if name and not re.match(r'dvci?_|DVCI?_', name):
            yield i + 1, name
    for name, (first, _) in header.functions.items():
        if not re.match(r'dvci?_', name):
            yield first + 1, name


def main(arguments):
    here = os.path.dirname(os.path.abspath(__file__))
    paths = [a for a in arguments if not a.startswith('-')]
    header = Header(paths[0] if paths else os.path.join(here, '..', 'dvc.h'))
    order = {s: k for k, s in enumerate(header.sections)}
    edges, below = defaultdict(set), []
    for caller, callee in sorted(header.calls()):
        a, b = header.section(caller), header.section(callee)
        edges[a].add(b)
        if order[a] < order[b] and a != PAGE:
            below.append(f'{caller} (>>{a}) calls {callee}, which is below it (>>{b})')
    cycles = in_cycles(edges)
    rules = [[f'sections that reach themselves by calls: {" ".join(cycles)}'] if cycles else [], below,
             [f'dvc.h:{line}: {number} has no name in >>limits' for line, number in small_numbers(header)],
             [f'dvc.h:{line}: {name} begins neither with dvc_ nor with dvci_' for line, name in foreign_names(header)],
             [f'dvc.h:{first + 1}: {name} has {last - first + 1} lines, at most {LONGEST}'
              for name, (first, last) in header.functions.items() if last - first + 1 > LONGEST]]
    for line in [line for rule in rules for line in rule]:
        print('FAIL layers /', line)
    failed = sum(bool(rule) for rule in rules)
    print(f'layers: {len(rules) - failed} passed, {failed} failed')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
