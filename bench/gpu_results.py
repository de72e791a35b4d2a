# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The gpuhisto authors
"""The results of gpu.py: as CSV, as text, as a picture, and as the tables of docs/benchmarks.md."""
import csv
import dataclasses
import os
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), 'methods'))
import page
import plot
import tables

OURS = 'gpuhisto per-block'
MARKER = 'gpu-peers'


@dataclasses.dataclass
class Row:
    """A call on one input. Without times the note tells why."""
    input: str
    pattern: str
    pixels: int
    bins: int
    call: str
    includes: str = ''
    us: float = None  # median over the turns of the medians within them; lowest and highest: of the turns
    lowest_us: float = None
    highest_us: float = None
    turns: int = 0
    gb_per_s: float = None
    share_of_read: float = None
    times_gpuhisto: float = None
    verified: str = ''
    note: str = ''


FIELDS = [field.name for field in dataclasses.fields(Row)]
NUMBERS = {'pixels': int, 'bins': int, 'turns': int, **dict.fromkeys(
    ('us', 'lowest_us', 'highest_us', 'gb_per_s', 'share_of_read', 'times_gpuhisto'), float)}


def write_csv(path, facts, rows):
    """facts: name -> text, written as lines of comment before the table."""
    with open(path + '.new', 'w', encoding='utf-8', newline='') as file:
        for name, text in facts.items():
            file.write(f'# {name}: {text}\n')
        writer = csv.writer(file, lineterminator='\n')
        writer.writerow(FIELDS)
        for row in rows:
            cells = [getattr(row, name) for name in FIELDS]
            writer.writerow([f'{cell:.6g}' if isinstance(cell, float) else cell for cell in cells])
    os.replace(path + '.new', path)


def read_csv(path):
    """-> facts, rows"""
    with open(path, encoding='utf-8', newline='') as file:
        lines = file.read().splitlines(True)
    facts = dict(line[2:].rstrip('\n').split(': ', 1) for line in lines if line.startswith('# '))
    rows = []
    for cells in csv.DictReader(line for line in lines if not line.startswith('# ')):
        rows.append(Row(**{name: (NUMBERS.get(name, str)(text) if text or name not in NUMBERS else None)
                           for name, text in cells.items()}))
    return facts, rows


def grouped(rows, name):
    """value of the field -> its rows, in order"""
    groups = {}
    for row in rows:
        groups.setdefault(getattr(row, name), []).append(row)
    return groups


def text_table(rows):
    """Lines: a block an input, a line a call."""
    lines = []
    for name, of_input in grouped(rows, 'input').items():
        for pattern, of_pattern in grouped(of_input, 'pattern').items():
            lines += ['', f'{name}, {pattern}', f'  {"call":<34} {"us":>10} {"GB/s":>7} {"% of read":>9} {"times":>7}  counts']
            for row in of_pattern:
                figures = f'{"":>10} {"":>7} {"":>9} {"":>7}' if row.us is None else (
                    f'{row.us:>10.1f} {row.gb_per_s:>7.0f} {percent(row):>9} {times(row):>7}')
                lines.append(f'  {row.call:<34} {figures}  {row.verified}{": " if row.verified and row.note else ""}{row.note}')
    lines += ['', 'us: median; times: as a multiple of gpuhisto per-block. What a call includes:']
    return lines + [f'  {call}: {words}' for call, words in what_calls_include(rows)]


def percent(row):
    return '' if row.share_of_read is None else f'{100 * row.share_of_read:.1f}'


def times(row):
    return '' if row.times_gpuhisto is None else f'{row.times_gpuhisto:.2f}'


def what_calls_include(rows):
    """[(call, words)] in order; the shortest words where they differ (colour adds to them)."""
    words = {}
    for row in rows:
        if row.includes and (row.call not in words or len(row.includes) < len(words[row.call])):
            words[row.call] = row.includes
    return list(words.items())


def chart(facts, rows):
    """SVG: a chart an input, one below the other."""
    charts = []
    for name, of_input in grouped(rows, 'input').items():
        patterns = list(grouped(of_input, 'pattern'))
        groups = []
        for call, of_call in grouped(of_input, 'call').items():
            shares = {row.pattern: row.share_of_read for row in of_call if row.share_of_read is not None}
            if shares and call != 'read kernel':
                label = call.replace(' ', '\n', 1).replace('Even_', 'Even\n_')
                groups.append((label, [100 * shares[p] if p in shares else None for p in patterns]))
        if groups:
            title = f'{name}, {facts["device"]}: share of the rate of a kernel that only reads'
            charts.append(plot.bars(title, patterns, groups))
    return plot.stack(charts)


def cell(row):
    if row is None:
        return '–'
    if row.us is None:
        return row.verified or '–'
    return f'{tables.significant(row.us / 1e3)}' + (f' ({times(row)})' if row.times_gpuhisto is not None else '')


def markdown(facts, rows):
    """Lines of the section's measured part."""
    versions = ', '.join(f'{name} {text}' if name in ('driver', 'CUDA') else text for name, text in facts.items()
                         if name not in ('device', 'date', 'command'))
    lines = [f'Measured on one {facts["device"]} on {facts["date"]}: {versions}. Milliseconds, in brackets as a multiple of '
             f"`{OURS}`'s;", 'made by `bench/gpu.py --fill` of [gpu.csv](benchmarks/gpu.csv), no figure was typed.', '',
             '![share of the read rate of each call](benchmarks/gpu.svg)']
    for name, of_input in grouped(rows, 'input').items():
        patterns = list(grouped(of_input, 'pattern'))
        body = []
        for call, of_call in grouped(of_input, 'call').items():
            by_pattern = {row.pattern: row for row in of_call}
            body.append([call if call == 'read kernel' else f'`{call}`', *(cell(by_pattern.get(p)) for p in patterns)])
        lines += ['', f'**{name}**', '', *tables.table(['ms', *patterns], body)]
    lines += ['', 'What the calls include:', '', *(f'- `{call}`: {words}' for call, words in what_calls_include(rows))]
    notes = sorted({f'`{row.call}`, {row.input}, {row.pattern}: ' + ('wrong: ' if row.verified == 'wrong' else '') + row.note
                    for row in rows if row.note})
    return lines + (['', 'Without a time:', '', *(f'- {note}' for note in notes)] if notes else [])


def made(docs):
    """path -> content, of what docs/benchmarks/gpu.csv makes"""
    facts, rows = read_csv(os.path.join(docs, 'benchmarks', 'gpu.csv'))
    path = os.path.join(docs, 'benchmarks.md')

    def make(name):
        if name != MARKER:
            raise page.raw.Missing(f'there is no table "{name}"')
        return markdown(facts, rows)
    return {path: page.fill_with(page.read(path), make), os.path.join(docs, 'benchmarks', 'gpu.svg'): chart(facts, rows)}


def fill_docs(source, docs=page.DOCS):
    """Takes a CSV into docs/benchmarks and makes the page's tables and picture of it; the paths that changed."""
    os.makedirs(os.path.join(docs, 'benchmarks'), exist_ok=True)
    kept = os.path.join(docs, 'benchmarks', 'gpu.csv')
    if not (os.path.exists(kept) and os.path.samefile(source, kept)):
        shutil.copyfile(source, kept)
    files = made(docs)
    for path, content in files.items():
        page.write(path, content)
    return [kept, *files]
