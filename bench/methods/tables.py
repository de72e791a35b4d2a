# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The gpuhisto authors
"""The tables of docs/methods.md and docs/studies.md, by the names in their markers. Each takes Results and returns lines of
Markdown."""
import os
import re

from raw import Missing

PLANTED = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), 'tests', 'kernels',
                       'planted_test.cpp')

METHODS_OF_GRAY = ['per-block', 'per-block-partial', 'per-thread check', 'per-thread periodic-merge', 'per-thread avoid',
                   'vendor']
COLOR = ['RGB', 'RGB + luma', 'RGB + luma, base + 1', 'RGB + luma, base + 50', 'RGBA + luma', 'gray + alpha']
SLOW = ['per-grid', 'per-grid-vec4', 'wave-aggregated']
# Which sections of report.txt a table needs, or summary.txt: what run.txt says was left out makes no table.
SECTIONS = {'checked': 'summary', 'policies-replicas': 'policies', 'policies-layouts': 'policies'}


def significant(value):
    """Four digits at least."""
    return f'{value:.{max(0, 4 - len(str(int(value))))}f}' if value >= 1 else f'{value:.4g}'


def table(head, rows, words=1):
    """words: how many columns at the left hold words, not numbers."""
    if not rows:
        raise Missing('a table has no rows: ' + ', '.join(head))
    rule = ['---' if i < words else '---:' for i in range(len(head))]
    return ['| ' + ' | '.join(cells) + ' |' for cells in [head, rule, *rows]]


def share(line):
    return '–' if line.note else f'{line.share:.1f}'


def rate_and_share(line):
    if line.note:
        return '–'
    return f'{line.gpix:.0f} ({line.share:.1f})' if line.share is not None else f'{line.gb:.0f}'


def of_patterns(results, section, labels, cell, first='%'):
    """A row a label, a column a pattern."""
    report = results.report
    patterns = report.patterns(section)
    return table([first, *patterns], [[label, *(cell(report.at(section, p, label)) for p in patterns)] for label in labels])


def short(results):
    report, patterns = results.report, results.report.patterns('gray')
    rows = [['read kernel, GB/s', *(f'{report.at("gray", p, "read").gb:.0f}' for p in patterns)]]
    rows += [[f'`per-block`, {label}', *(share(report.at(section, p, key)) for p in patterns)] for section, key, label in (
        ('gray', 'per-block', 'gray'), ('color', 'RGB', 'RGB'), ('color', 'RGB + luma', 'RGB + luma'),
        ('color', 'RGBA + luma', 'RGBA + luma'))]
    rows += [[text, *(share(report.at('gray', p, key)) for p in patterns)] for key, text in (
        ('per-block-partial', '`per-block-partial`, gray'), ('per-thread check', '`per-thread`, check'),
        ('per-thread periodic-merge', '`per-thread`, periodic-merge'), ('per-thread avoid', '`per-thread`, avoid'),
        ('vendor', "`vendor` (CUB), gray"))]
    return table(['% of the read kernel', *patterns], rows)


def gray(results):
    return of_patterns(results, 'gray', results.report.labels('gray', ['read', *METHODS_OF_GRAY]), rate_and_share, 'Gpix/s (%)')


def color(results):
    return of_patterns(results, 'color', [l for l in results.report.labels('color', COLOR) if l != 'read'], share)


def policies(results, prefix):
    labels = [label for label in results.report.labels('policies') if label.startswith(prefix)]
    if not labels:
        raise Missing(f'report.txt: section "policies" has no line that begins with "{prefix}"')
    return of_patterns(results, 'policies', labels, rate_and_share, 'Gpix/s (%)')


def layout(results):
    wanted = ['gray flat, base + 0', 'gray 1921 of 1927, base + 3', 'gray 1001 of 1003, base + 5']
    labels = results.report.labels('layout', wanted)
    rows = [[label, f'{line.gb:.0f}', share(line)] for label in labels if label != 'read'
            for line in [results.report.at('layout', 'uniform', label)]]
    return table(['pixels, `per-block`', 'GB/s', '%'], rows)


def small(results):
    if not results.report.small:
        raise Missing('report.txt: the section "small" has no lines')
    rows = [[size, f'{t.read:.2f}', f'{t.fused:.2f}', f'{t.vendor:.2f}', f'{t.fused / t.read:.2f}', f'{t.fused / t.vendor:.2f}']
            for size, t in results.report.small.items()]
    return table(['pixels', 'read kernel, µs', '`per-block`, µs', '`vendor`, µs', 'of read', 'of vendor'], rows)


def lookups(results):
    report = results.report
    labels = report.labels('tables', ['copy', 'LUT on gray', 'luma equalisation of RGB'])

    def cell(line):
        return f'{line.gb:.0f}' if line.share is None else f'{line.gb:.0f} ({line.share:.1f})'
    return of_patterns(results, 'tables', labels, cell, 'GB/s (%)')


def milliseconds(line):
    if line.note:
        return '–'
    return f'{line.ms:.4f}' + ('' if line.share is None else f' ({line.share:.1f})')


def keys(results, bins):
    section = f'keys, {bins} bins'
    labels = results.report.labels(section, ['read', 'per-block', 'per-block-partial', 'vendor', *SLOW])
    return of_patterns(results, section, [l for l in labels if not l.startswith('tried: ')], milliseconds, 'ms (%)')


def tried(results, section):
    report = results.report
    labels = ['per-block', *(l for l in report.labels(section) if l.startswith('tried: '))]
    patterns = [p for p in report.patterns(section) if labels[-1] in report.lines[section][p]]
    rows = [[f'`{label.removeprefix("tried: ")}`', *(share(report.at(section, p, label)) for p in patterns)] for label in labels]
    return table(['%', *patterns], rows)


def other_bins(results):
    report, found = results.report, {}
    for section in ('keys, other bins', 'keys, 2^24 bins'):
        for pattern in report.patterns(section):
            for label in report.labels(section):
                bins, method = label.split(' bins, ')
                found.setdefault((bins, pattern), {})[method] = report.at(section, pattern, label)
    methods = ['per-block', 'per-grid', 'per-grid-vec4']
    return table(['bins, keys', *(f'{method}, ms (%)' for method in methods)],
                 [[f'{bins}, {pattern}', *(milliseconds(lines[m]) if m in lines else '' for m in methods)]
                  for (bins, pattern), lines in found.items()])


def batch(results):
    return of_patterns(results, 'batch', results.report.labels('batch', ['read', 'per-block']), milliseconds, 'ms (%)')


def launches(results):
    rows = []
    for section, found in results.report.launches.items():
        for kernel, blocks, threads, shared, text in found:
            facts = dict((part.strip().split(' ', 1)[1], part.strip().split(' ')[0]) for part in text.split(';')[0].split(',')
                         if part.strip()[0].isdigit())
            rows.append([section, f'`{kernel}`', str(blocks), str(threads), str(shared), facts.get('registers', ''),
                         facts.get('bytes spilled', ''), facts.get('blocks resident', '')])
    head = ['section', 'kernel', 'blocks', 'threads', 'shared bytes', 'registers', 'spilled bytes', 'resident blocks']
    return table(head, rows, 2)


# ---- from the CSV of `gpuhisto bench`

def measured(rows):
    return [row for row in rows if row['kind'] in ('read', 'method')]


def global_atomics(results):
    """Of the methods that update global memory for each pixel, beside the read kernel."""
    rows = [row for row in measured(results.of('bench')) if row['kind'] == 'read' or row['method'] in SLOW]
    cells = {('read' if row['kind'] == 'read' else row['method'], row['pattern']): row for row in rows}
    patterns = list(dict.fromkeys(row['pattern'] for row in rows))

    def rate(method, pattern):
        row = cells.get((method, pattern))
        if row is None or not row['median_us']:
            raise Missing(f'bench.csv has no time of {method}, {pattern}')
        return significant(int(row['pixels']) / float(row['median_us']) / 1e3)
    return table(['Gpix/s', *patterns], [[m, *(rate(m, p) for p in patterns)] for m in ('read', *SLOW)])


def here_to_there(row):
    if not row['published']:
        return ['', '']
    there = f'{row["published"]}, {row["published_machine"]}'
    if not row['gpix_per_s']:
        return [there, '']
    return [there, f'{float(row["gpix_per_s"]) / float(row["published_g_per_s"]):.2f}']


def in_unit_of(row):
    """What was measured, in the unit of the published figure."""
    unit = row['published'].split(' ')[1]
    rate = float(row['gpix_per_s'])
    return f'{significant({"ms": float(row["median_us"]) / 1e3, "Gpix/s": rate, "Mpix/s": rate * 1e3}[unit])} {unit}'


def studies(results):
    """Everything that has a published figure beside it."""
    rows = [[row['case'].replace(': ', ', ', 1), row['label'], row['published'], row['published_machine'], in_unit_of(row),
             row['device'], here_to_there(row)[1], row['verified']]
            for name in PRESETS for row in results.of(name)
            if row['published'] and row['median_us'] and row['kind'] != 'kernel']
    return table(['study, case', 'step', 'published', 'there', 'measured', 'here', 'here : there', 'counts'], rows, 2)


def verdict(row):
    lost = int(row['lost'] or 0)
    total = int(row['pixels']) * int(row['rounds'] or 0)
    return row['verified'] + (f', lost {100 * lost / total:.1f} %' if lost and total else '')


def preset(results, name):
    """A table a case of the study."""
    rows = results.of(name)
    if not any(row['device'] != 'cpu' and row['median_us'] for row in rows):
        raise Missing(f'{name}.csv has no times of a GPU')
    lines = []
    for device, case in dict.fromkeys((r['device'], r['case']) for r in rows):
        of_case = [r for r in measured(rows) if (r['device'], r['case']) == (device, case)]
        unit = 'Gkeys/s' if of_case[0]['keys'] == 'u32' else 'Gpix/s'
        published = any(row['published'] for row in of_case)
        head = ['step', 'method and policy', 'µs', unit, '% of read'] + ['published', 'here : there'] * published + ['counts']
        body = []
        for row in of_case:
            asked = f'`{row["method"]}`' + (f' `{row["policy"]}`' if row['policy'] else '')
            times = ['–', '–', '–']
            if row['median_us']:
                times = [significant(float(row['median_us'])), significant(float(row['gpix_per_s'])) if row['gpix_per_s'] else '',
                         f'{100 * float(row["share_of_read"]):.1f}']
            body.append([row['label'] or 'read', asked if row['kind'] == 'method' else '', *times]
                        + (here_to_there(row) if published else []) + [verdict(row) or row['note']])
        title = case.split(': ', 1)[-1]
        first = of_case[0]
        lines += ['', f'*{title}*, {first["pattern"]}, {int(first["pixels"]):,} on {device} ({first["device_name"]}):', '']
        lines += table(head, body, 2)
    return lines[1:]


# ---- counted by the emulated device

def counts(results, name):
    """Of each method, for each pattern; a count that is 0 for all is written once."""
    rows = [row for row in results.of(name) if row['kind'] == 'method' and row['global_atomics']]
    patterns = list(dict.fromkeys(row['pattern'] for row in rows))
    found = {}
    for row in rows:
        policy = row['policy']
        found.setdefault((row['method'], policy), {})[row['pattern']] = row

    def values(of_method, count):
        if set(of_method) != set(patterns):
            raise Missing(f'{name}.csv: a method lacks patterns')
        texts = [count(of_method[pattern]) for pattern in patterns]
        return texts[0] if set(texts) <= {'0', '–'} else ' · '.join(texts)

    def per_pixel(column, scale=1):
        def text(row):
            value = int(row[column]) * scale / int(row['pixels'])
            return f'{value:.{2 if scale > 1 else 3}f}' if value else '0'
        return text

    def passes(row):
        return f'{int(row["shared_passes"]) / int(row["shared_instructions"]):.2f}' if int(row['shared_instructions']) else '–'
    wave = int(re.search(r'waves of (\d+)', rows[0]['device_name'])[1])
    columns = [per_pixel('global_atomics'), per_pixel('shared_atomics'), passes, per_pixel('shared_passes', wave),
               per_pixel('same_address')]
    body = [[f'`{method}`' + (f' `{policy}`' if policy else ''), *(values(rows_of, column) for column in columns)]
            for (method, policy), rows_of in found.items()]
    head = [' · '.join(patterns), 'global atomics', 'shared atomics', 'passes an access', f'passes for {wave} pixels', 'met']
    return table(head, body)


# ---- from elsewhere

def planted(_):
    """The matrix of tests/kernels/planted_test.cpp."""
    with open(PLANTED, encoding='utf-8') as file:
        rows = re.findall(r'{"([\w-]+)", Net::k(\w+), Net::k(\w+), Net::k(\w+)}', file.read())
    nets = {'Nothing': '–', 'Result': 'wrong result', 'Fault': 'fault of the device', 'Sanitizer': 'sanitizer',
            'Luck': 'by luck'}
    return table(['bug', 'plain', 'address sanitizer', 'thread sanitizer'],
                 [[f'`{bug}`', *(nets[net] for net in caught)] for bug, *caught in rows if bug != 'none'], 4)


def checked(results):
    """What run.sh found right, without its timings."""
    rows = [[row.what, row.verdict, row.text] for row in results.summary
            if not row.what.startswith(('timings', 'gpuhisto bench'))]
    if bad := [row[0] for row in rows if row[1] not in ('ok', 'skipped')]:
        raise Missing('summary.txt: not right, or not done: ' + ', '.join(bad))
    return table(['step of `run.sh`', 'verdict', 'what it says'], rows, 3)


def machine(results):
    return [f'Measured on {results.fact("date")}: {results.report.title}; driver {results.fact("driver")}, CUDA '
            f'{results.fact("cuda")}. {results.fact("made")}']


PRESETS = ('hip-tutorial', 'cuda-handbook', 'leetcuda', 'mi300x', 'book')
TABLES = {
    'machine': machine, 'short': short, 'gray': gray, 'color': color, 'global': global_atomics, 'layout': layout, 'small': small,
    'lookups': lookups, 'checked': checked, 'planted': planted, 'studies': studies, 'batch': batch, 'launches': launches,
    'other-bins': other_bins,
    'policies-replicas': lambda r: policies(r, 'per-block '), 'policies-layouts': lambda r: policies(r, 'per-thread '),
    'keys-256': lambda r: keys(r, 256), 'keys-4096': lambda r: keys(r, 4096),
    'keys-256-tried': lambda r: tried(r, 'keys, 256 bins'), 'keys-4096-tried': lambda r: tried(r, 'keys, 4096 bins'),
    'counts-gray': lambda r: counts(r, 'emulated-gray'),
    'counts-color': lambda r: counts(r, 'emulated-color'),
    **{f'preset-{name}': lambda r, name=name: preset(r, name) for name in PRESETS}}


def make(name, results):
    if name not in TABLES:
        raise Missing(f'the page wants a table "{name}", which there is none of')
    if SECTIONS.get(name) in results.without:
        return [f'(`{SECTIONS[name]}` was not part of this run.)']
    return TABLES[name](results)
