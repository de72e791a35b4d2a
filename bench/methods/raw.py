# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The gpuhisto authors
"""Reads raw results: report.txt (kernel_report's) and summary.txt of a bundle's run.sh, the CSV of `gpuhisto bench`, and run.txt,
facts about the run."""
import csv
import os
import re
import sys
from collections import namedtuple

# gpix, gb: 10^9 pixels and bytes a second; ms: of a launch; share: of the read kernel (of a copy, for tables), in percent;
# second: of the time, in percent; note: why nothing was measured. What a line does not have is None.
Line = namedtuple('Line', 'gpix gb ms share second note', defaults=(None,) * 6)
Step = namedtuple('Step', 'what verdict text')  # of run.sh
Small = namedtuple('Small', 'read fused vendor')  # microseconds

NUMBER = r'\s+([\d.]+)'
TAIL = r'(?:' + NUMBER + r' %)?( WRONG)?(?: \(second kernel ([\d.]+) %\))?$'
RATE = re.compile(r'^  (\S.*?)' + NUMBER + r' Gpix/s' + NUMBER + r' GB/s' + TAIL)
BYTES = re.compile(r'^  (\S.*?)' + NUMBER + r' GB/s' + TAIL)
TIME = re.compile(r'^  (\S.*?)' + NUMBER + r' ms' + TAIL)
SMALL = re.compile(r'^  (2\^\d+)' + NUMBER * 3 + r'  ')
LAUNCH = re.compile(r'^  (\w+)<<<(\d+),(\d+),(\d+)>>> (.*)$')
STEP = re.compile(r'^(\S.{45}) (ok|cut|FAILED|skipped) +\d+s  (.*)$')
NOTE = re.compile(r'^  (\S.*?)  +(\S.*)$')

# The first line of a section, its name, and the pattern that it may hold.
HEADINGS = [(re.compile(pattern), name) for pattern, name in (
    (r'gray, ', 'gray'), (r'color, ', 'color'), (r'layout, (\S+)$', 'layout'), (r'small gray images', 'small'),
    (r'tables, (\S+):', 'tables'), (r'CLAHE, (\S+):', 'clahe'), (r'2\^26 keys, 256 bins', 'keys, 256 bins'),
    (r'2\^26 keys, 4096 bins', 'keys, 4096 bins'),
    (r'2\^26 keys, (uniform), \d+ bins', 'keys, other bins'), (r'2\^24 keys, 2\^24 bins, (\S+)', 'keys, 2^24 bins'),
    (r'\d+ gray images of \S+ in one launch, (\S+)', 'batch'), (r'policies, (\S+)', 'policies'), (r'tuning, (\S+)', 'tuning'),
    (r'global atomics, 2\^26 pixels, (\S+)', 'slow'))]


class Missing(Exception):
    """A table needs a line that the raw results do not have, or the results cannot be published."""


class Report:
    """What report.txt holds: title, lines[section][pattern][label], launches[section], and headings nobody knows."""

    def __init__(self, text):
        self.title, self.lines, self.launches, self.small, self.unknown = '', {}, {}, {}, []
        self.section, self.pattern, self.skipping = None, '', False
        for line in text.splitlines():
            self._take(line)
        if not self.title:
            raise Missing('report.txt names no device')

    def _take(self, line):
        if 'WRONG' in line:
            raise Missing('report.txt has a run that counted wrong: ' + line.strip())
        if line.startswith('=== '):
            self.skipping = line.startswith('=== gpuhisto ')
        elif self.skipping or not line.strip():
            return
        elif not line.startswith(' '):
            self._head(line)
        elif self.section and not line.startswith('  '):
            self.pattern = line.strip()
        elif self.section:
            self._measured(line)

    def _head(self, line):
        if re.match(r'(cuda|hip|emulated): ', line):
            self.title = line.split(': ', 1)[1]
        elif not line.startswith('every timed run counted right'):
            found = [(name, pattern.match(line)) for pattern, name in HEADINGS if pattern.match(line)]
            self.section, match = found[0] if found else (None, None)
            if not found:
                self.unknown.append(line)
            self.pattern = match[1] if found and match.re.groups else ''

    def _measured(self, line):
        launch, small = LAUNCH.match(line), SMALL.match(line)
        if launch:
            self.launches.setdefault(self.section, []).append((launch[1], *map(int, launch.group(2, 3, 4)), launch[5]))
            return
        if small:
            self.small[small[1]] = Small(*map(float, small.group(2, 3, 4)))
            return
        label, value = self._value(line)
        if label:
            self.lines.setdefault(self.section, {}).setdefault(self.pattern, {})[label] = value

    @staticmethod
    def _value(line):
        def number(text):
            return None if text is None else float(text)
        match = RATE.match(line)
        if match:
            return match[1], Line(gpix=float(match[2]), gb=float(match[3]), share=number(match[4]), second=number(match[6]))
        for pattern, field in ((BYTES, 'gb'), (TIME, 'ms')):
            match = pattern.match(line)
            if match:
                return match[1], Line(share=number(match[3]), second=number(match[5]))._replace(**{field: float(match[2])})
        match = NOTE.match(line)
        return (match[1], Line(note=match[2])) if match and match[1] != 'pixels' else (None, None)

    def patterns(self, section):
        if section not in self.lines:
            raise Missing(f'report.txt: the section "{section}" is missing')
        return list(self.lines[section])

    def labels(self, section, required=()):
        """Those of the section's first pattern, in order."""
        first = self.patterns(section)[0]
        labels = list(self.lines[section][first])
        for label in required:
            if label not in labels:
                raise Missing(f'report.txt: section "{section}" has no line "{label}"')
        return labels

    def at(self, section, pattern, label):
        if label not in self.lines.get(section, {}).get(pattern, {}):
            raise Missing(f'report.txt: section "{section}", {pattern}: no line "{label}"')
        return self.lines[section][pattern][label]


class Results:
    """A folder of raw results. rows: of all CSV files, by name of the file without its ending."""

    def __init__(self, folder):
        self.folder = folder
        self.facts = self._facts()
        self.without = [name for name in self.facts.get('without', '').split(', ') if name]
        self.report = Report(self._read('report.txt'))
        for heading in self.report.unknown:
            print(f'report.txt: nothing is made of "{heading}"', file=sys.stderr)
        summary = '' if 'summary' in self.without else self._read('summary.txt')
        self.summary = [Step(m[1].strip(), m[2], m[3].strip()) for m in map(STEP.match, summary.splitlines()) if m]
        self.rows = {}
        for name in sorted(os.listdir(folder)):
            if name.endswith('.csv'):
                with open(os.path.join(folder, name), newline='', encoding='utf-8') as file:
                    self.rows[name[:-4]] = list(csv.DictReader(file))
        for name, rows in self.rows.items():
            if any(row['verified'] == 'wrong' for row in rows):
                raise Missing(f'{name}.csv has a run that counted wrong')

    def _read(self, name):
        path = os.path.join(self.folder, name)
        if not os.path.exists(path):
            raise Missing(f'{name} is missing in {self.folder}')
        with open(path, encoding='utf-8') as file:
            return file.read()

    def _facts(self):
        return dict(line.split(': ', 1) for line in self._read('run.txt').splitlines() if ': ' in line)

    def fact(self, name):
        if name not in self.facts:
            raise Missing(f'run.txt does not say "{name}: ..."')
        return self.facts[name]

    def of(self, name):
        if not self.rows.get(name):
            raise Missing(f'{name}.csv is missing or has no rows')
        return self.rows[name]
