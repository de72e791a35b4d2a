#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""table.py: every test that the tables of promises and of users' reports in docs/reliability.md name is there, and every row
names one or says why not."""
import os
import re
import sys

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TESTS = os.path.join(SOURCE, 'tests')
REASONS = ('does not apply: ',)


def names_of_tests():
    names = {'corpus'}
    for folder, _, files in os.walk(TESTS):
        for file in files:
            path = os.path.join(folder, file)
            if file.endswith('.cmd'):
                names.add('golden/' + file[:-4])
            elif file.endswith('.cpp'):
                with open(path) as text:
                    names.update('.'.join(found) for found in re.findall(r'^TEST(?:_F|_P)?\((\w+), *(\w+)\)', text.read(), re.M))
            elif file.endswith('.py'):
                inside = ''
                with open(path) as text:
                    for kind, name in re.findall(r'^(class|    def) (\w+)', text.read(), re.M):
                        if kind == 'class':
                            inside = name
                        elif name.startswith('test_'):
                            names.add('%s/%s.%s' % (file[:-3], inside, name))
    return names


def rows_below(heading):
    """-> the cells of each row of the table in that section, its head left out."""
    with open(os.path.join(SOURCE, 'docs', 'reliability.md')) as text:
        section = text.read().split('## %s\n' % heading, 1)[1].split('\n## ', 1)[0]
    return [line.strip('| \n').split(' | ') for line in section.splitlines() if line.startswith('| ')][1:]


known, wrong = names_of_tests(), []
for heading, least in (('Promises', 7), ('What users of such tools reported', 40)):
    rows = rows_below(heading)
    if len(rows) < least:
        wrong.append('%s: only %d rows were found' % (heading, len(rows)))
    for first, *_, tests in rows:
        named = re.findall(r'`([^`]+)`', tests)
        wrong += ['%s: no test %s' % (first, name) for name in named if name not in known]
        if not named and not tests.startswith(REASONS):
            wrong.append('%s: neither a test nor a reason' % first)
sys.exit('\n'.join(wrong) or 0)
