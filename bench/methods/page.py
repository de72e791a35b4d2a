#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The gpuhisto authors
"""Fills the tables of docs/methods.md and docs/studies.md and draws their plots, from raw results kept in docs/methods/.

usage: page.py FOLDER --date "30 November 2026" --driver 580.1 --cuda 13.0 [--made TEXT] [--without SECTION,...]
               [--program BUILD/bin/gpuhisto]
       page.py --again | --check

FOLDER holds report.txt and summary.txt, as run.sh of `./dev bundle` writes them, and the CSV of `gpuhisto bench --format csv`:
bench.csv (--device gpu:0 --method all --pattern all) and one of each --preset, such as book.csv. A table whose lines are
missing is an error, unless --without names its section of the report (or summary). --program counts on the emulated device
anew (emulated-gray.csv, emulated-color.csv). --again fills the pages from the files in docs/methods/; --check tells whether they
are what these files make.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import plot
import raw
import tables

DOCS = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), 'docs')
PAGES = ('methods.md', 'studies.md')
MARKED = re.compile(r'(<!-- table: (\S+) -->\n).*?(<!-- end -->)', re.DOTALL)
EMULATED = ('emulated-gray', 'emulated-color')
MADE = 'Made by `./dev bundle`, its `run.sh` on the machine with the GPU, and `gpuhisto bench`.'
# What is counted on the emulated device: (channels, method, policy); the page shows these commands.
COUNTED = {'emulated-gray': [('gray', 'all', ''), *(('gray', 'per-block', f'block=1024,replicas={n}') for n in (1, 8, 32)),
                             *(('gray', 'per-thread', f'layout={n}') for n in ('interleaved', 'column', 'row')),
                             ('gray', 'unsafe-nonatomic', '')],
           'emulated-color': [('rgb+luma', 'all', '')]}


def fill_with(page, make):
    """The page with every marked table made anew; make: the table's name -> its lines."""
    if page.count('<!-- table:') != len(MARKED.findall(page)):
        raise raw.Missing('the page has a table without an end, or without a name')
    return MARKED.sub(lambda match: match[1] + '\n'.join(make(match[2])) + '\n' + match[3], page)


def fill(page, results):
    return fill_with(page, lambda name: tables.make(name, results))


def read(path):
    with open(path, encoding='utf-8') as file:
        return file.read()


def write(path, content):
    with open(path, 'w', encoding='utf-8') as file:
        file.write(content)


def made(docs):
    """path -> content, of everything that the raw results in docs/methods make"""
    results = raw.Results(os.path.join(docs, 'methods'))
    files = {os.path.join(docs, 'methods', name): svg for name, svg in plot.all_of(results).items()}
    return {**{os.path.join(docs, page): fill(read(os.path.join(docs, page)), results) for page in PAGES}, **files}


def count_emulated(program, folder):
    for name, runs in COUNTED.items():
        parts = []
        for channels, method, policy in runs:
            command = [program, 'bench', '--device', 'emulated', '--pattern', 'uniform,photo,constant', '--rounds', '1',
                       '--format', 'csv', '--channels', channels, '--method', method] + (['--policy', policy] if policy else [])
            parts.append(subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines(True))
        rows = [line for part in parts for line in part[1:]]
        write(os.path.join(folder, name + '.csv'), ''.join(parts[0][:1] + rows))


def facts(options):
    lines = {'date': options.date, 'driver': options.driver, 'cuda': options.cuda, 'made': options.made,
             'without': ', '.join(options.without.split(',')) if options.without else ''}
    return ''.join(f'{name}: {value}\n' for name, value in lines.items() if value)


def collect(options, docs):
    """A new docs/methods beside the old one: what fails leaves the old one as it is."""
    old, new = os.path.join(docs, 'methods'), tempfile.mkdtemp(dir=docs)
    try:
        os.chmod(new, 0o755)
        names = ['report.txt', 'bench.csv', *(f'{name}.csv' for name in tables.PRESETS)]
        names += [] if 'summary' in (options.without or '').split(',') else ['summary.txt']
        for name in names:
            if not os.path.exists(os.path.join(options.folder, name)):
                raise raw.Missing(f'{name} is missing in {options.folder}')
            shutil.copyfile(os.path.join(options.folder, name), os.path.join(new, name))
        write(os.path.join(new, 'run.txt'), facts(options))
        if options.program:
            count_emulated(options.program, new)
        else:
            for name in EMULATED:
                shutil.copyfile(os.path.join(old, name + '.csv'), os.path.join(new, name + '.csv'))
        results = raw.Results(new)
        pages = {page: fill(read(os.path.join(docs, page)), results) for page in PAGES}
        for name, svg in plot.all_of(results).items():
            write(os.path.join(new, name), svg)
    except BaseException:
        shutil.rmtree(new)
        raise
    if os.path.exists(old):
        shutil.rmtree(old)
    os.rename(new, old)
    for page, content in pages.items():
        write(os.path.join(docs, page), content)


def differing(docs):
    return [path for path, content in made(docs).items() if not os.path.exists(path) or read(path) != content]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('folder', nargs='?')
    for name in ('date', 'driver', 'cuda', 'program', 'without'):
        parser.add_argument('--' + name)
    parser.add_argument('--made', default=MADE)
    parser.add_argument('--again', action='store_true')
    parser.add_argument('--check', action='store_true')
    options = parser.parse_args()
    if not options.check and not options.again and not (options.folder and options.date and options.driver and options.cuda):
        parser.error('give a folder, --date, --driver and --cuda; or --again; or --check')
    try:
        if options.check:
            for path in (wrong := differing(DOCS)):
                print(f'{os.path.relpath(path, DOCS)} is not what docs/methods makes: run page.py --again', file=sys.stderr)
            return 1 if wrong else 0
        if options.again:
            for path, content in made(DOCS).items():
                write(path, content)
        else:
            collect(options, DOCS)
    except (raw.Missing, OSError, subprocess.CalledProcessError) as error:
        print(f'page.py: {error}', file=sys.stderr)
        return 1
    return 0


if __name__ == '__main__':
    sys.exit(main())
