#!/usr/bin/env python3
"""Does the random driver notice a report that lies?

    mutate.py [SEED [COUNT [WORLDS]]]     from the root of the tree; by default 1, 20 and 1500

Draws COUNT faults by SEED, each in one line of dvc.h that sets a field of dvc_report: a statement left out, another sign, another
bound, a constant, a condition turned round. Each is compiled and driven through WORLDS sane worlds and some of every other kind. It is
caught if some breach (no known gap, no matter of time) is counted more often than without the fault: a lie in the report changes no
motion, so that without it all counts are the same. Exits 1 if fewer than nine in ten are caught."""
import os, random, re, subprocess, sys, tempfile

FIELDS = ("residual iterations worst_gap energy_excess energy_gain inexact fallbacks islands contacts enforced disjunctions problems largest_problem "
          "flips cuts corrections halvings repeats contacts_needed scratch_used scratch_needed").split()
SETS = re.compile(r'(\+\+|--)?\b(?:s|world|recorder->world|attempt)(?:->|\.)report(?:->|\.)(%s)\b\s*(\+\+|--|[+\-|*]?=(?!=))?' % '|'.join(FIELDS))
LATER = ('over 1 s', 'endless')


def statements(text):
    """Lines of the implementation that set a field, with the whole statement on one line."""
    start = next(i for i, line in enumerate(text) if re.match(r'#\s*if.*DVC_IMPLEMENTATION', line))
    found = []
    for i in range(start, len(text)):
        m = SETS.search(text[i])
        if m and (m.group(1) or m.group(3)) and text[i].rstrip().endswith(';'):
            found.append(i)
    return found


def faults(line):
    """All small faults of one line."""
    m = SETS.search(line)
    target = line[m.start():m.end()]
    indent = re.match(r'\s*', line).group(0)
    out = []
    head = line[:m.start()]
    if head.strip() in ('', 'else') or head.rstrip().endswith(')'):
        out.append(head + ';')                                                    # left out
    for old, new in (('dvci_max(', 'dvci_min('), ('dvci_min(', 'dvci_max('), ('dvci_imax(', 'dvci_imin('), ('dvci_imin(', 'dvci_imax('), ('+=', '-='),
                     ('++', '--'), (' > ', ' <= '), (' < ', ' >= '), (' == ', ' != '), (' + ', ' - '), (' ? 0 : 1', ' ? 1 : 0')):
        if old in line[m.start():]:
            out.append(head + line[m.start():].replace(old, new, 1))
    if re.search(r'(?<![+\-|*=<>!])=(?!=)', line[m.end() - 1:]) and target.rstrip().endswith('='):
        out.append(head + target + ' 0;')                                         # a constant
    if target.rstrip().endswith('+='):
        out.append(head + target[:-2] + '=' + line[m.end():])                     # the last one only
    return [f for f in dict.fromkeys(out) if f != line]


def drive(tree, build, worlds):
    """Counts of breaches by class and kind; None: it does not compile."""
    gain = ['-DFUZZ_ENERGY_GAIN'] if 'dvc_real energy_gain;' in open(tree + '/dvc.h').read() else []
    flags = ['-std=c99', '-O1', '-w'] + gain
    source = tree + '/dvc_impl_tests/fuzz/'
    cc = os.environ.get('CC', 'cc')
    if subprocess.run([cc] + flags + ['-c', source + 'engine.c', '-o', build + '/engine.o']).returncode:
        return None
    if not os.path.exists(build + '/main.o'):
        subprocess.run([cc] + flags + ['-c', source + 'main.c', '-o', build + '/main.o'], check=True)
    subprocess.run([cc, build + '/engine.o', build + '/main.o', '-o', build + '/fuzz', '-lm'], check=True)
    counts = {}
    for words in (('step', '0', worlds), ('step', '1', worlds // 30), ('read', '0', 200), ('read', '2', 200), ('ask', '0', 100), ('lcp', '0', 200)):
        try:
            text = subprocess.run([build + '/fuzz', words[0], words[1], '1', str(words[2])], capture_output=True, timeout=1200).stdout.decode(errors='replace')
        except subprocess.TimeoutExpired:
            counts[('FAULT', 'does not end', words[0])] = 1
            continue
        for line in text.split('\n'):
            m = re.match(r'(FAULT|LIE|LAW) +(.{46,60}?) (step|lcp |hull|read|ask ) (.{28,40}?) (\d) +(\d+) +[\d.]+  ', line)
            if m and not m.group(2).startswith(LATER):
                key = (m.group(1), m.group(2).strip(), m.group(4).strip(), words)
                counts[key] = counts.get(key, 0) + int(m.group(6))
        if 'known gaps' not in text:
            counts[('FAULT', 'the driver ended early', '', words)] = 1
    return counts


def main():
    seed, count, worlds = [int(x) for x in sys.argv[1:4] + ['1', '20', '1500'][len(sys.argv) - 1:]]
    text = open('dvc.h').read().split('\n')
    lines = statements(text)
    draw = random.Random(seed)
    caught = done = 0
    with tempfile.TemporaryDirectory() as place:
        tree, build = place + '/tree', place + '/build'
        os.makedirs(tree + '/dvc_impl_tests')
        os.makedirs(build)
        subprocess.run(['cp', '-r', 'dvc_impl_tests/fuzz', tree + '/dvc_impl_tests/'], check=True)
        subprocess.run(['cp', 'dvc.h', tree], check=True)
        plain = drive(tree, build, worlds)
        all_faults = [(i, f) for i in lines for f in faults(text[i])]
        print('%d lines set a field, %d faults; %d are drawn' % (len(lines), len(all_faults), count), flush=True)
        draw.shuffle(all_faults)
        for i, line in all_faults:
            if done == count:
                break
            changed = list(text)
            changed[i] = line
            open(tree + '/dvc.h', 'w').write('\n'.join(changed))
            counts = drive(tree, build, worlds)
            if counts is None:
                continue
            done += 1
            more = sorted((k for k in counts if counts[k] > plain.get(k, 0)), key=lambda k: plain.get(k, 0) - counts[k])
            caught += bool(more)
            print('%-8s %d: %s   ->   %s' % ('caught' if more else 'SURVIVES', i + 1, text[i].strip(), line.strip()), flush=True)
            if more:
                print('         by "%s" [%s] %s: %d, else %d' % (more[0][1], more[0][2], ' '.join(map(str, more[0][3][:2])), counts[more[0]], plain.get(more[0], 0)), flush=True)
    print('seed %d: %d of %d caught' % (seed, caught, done))
    return caught * 10 < done * 9


if __name__ == '__main__':
    sys.exit(main())
