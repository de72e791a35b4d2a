#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""table.py: every test that the table of users' reports in docs/reliability.md names is there, and every row names one or
says why not."""
import os
import re
import sys

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TESTS = os.path.join(SOURCE, 'tests')
REASONS = ('not yet: ', 'does not apply: ')


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


def rows_of_table():
    with open(os.path.join(SOURCE, 'docs', 'reliability.md')) as text:
        section = text.read().split('## What users of such tools reported\n', 1)[1].split('\n## ', 1)[0]
    return [line.strip('| \n').split(' | ') for line in section.splitlines() if line.startswith('| [')]


known, rows, wrong = names_of_tests(), rows_of_table(), []
for threads, _, tests in rows:
    named = re.findall(r'`([^`]+)`', tests)
    wrong += ['%s: no test %s' % (threads, name) for name in named if name not in known]
    if not named and not tests.startswith(REASONS):
        wrong.append('%s: neither a test nor a reason' % threads)
if len(rows) < 40:
    wrong.append('only %d rows were found' % len(rows))
sys.exit('\n'.join(wrong) or 0)
