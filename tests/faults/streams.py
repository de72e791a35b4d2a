#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The gpuhisto authors
"""streams.py GPUHISTO [unittest arguments]: standard streams that are closed, full or left, other locales, odd names."""
import base64
import json
import os
import re
import subprocess
import time
import unittest

from common import ENVIRONMENT, FLOWER, PROGRAM, ROOT, ROSE, SCAN, InFolder, content_of, run, write

# Every command, in every format that goes to standard output.
COMMANDS = ([['stats', '--format', name, FLOWER, SCAN] for name in ('text', 'csv', 'json', 'jsonl')] +
            [['hist', '--format', name, FLOWER, SCAN] for name in ('text', 'csv', 'json', 'jsonl')] +
            [['equalize', FLOWER, '-', '--to', name] for name in ('png', 'jpeg', 'pnm', 'pam', 'bmp')] +
            [[command, *reference, FLOWER, '-', '--to', 'png'] for command, reference in (('stretch', []), ('match', [ROSE]))] +
            [['compare', '--format', name, FLOWER, ROSE] for name in ('text', 'csv', 'json', 'jsonl')] +
            [['plot', FLOWER], ['plot', FLOWER, '--to', 'png'], ['plot', FLOWER, '--to', 'svg']] +
            [['merge', 'table.json', '--format', name] for name in ('text', 'csv', 'json', 'jsonl')] +
            [['merge', 'table.json', '--histograms', '--format', 'csv']] +
            [['devices', '--format', name] for name in ('text', 'csv', 'json')] +
            [['bench', '--device', 'cpu', '--method', 'cpu', '--pixels', '1000', '--rounds', '1', '-j', '1', '--pattern', 'ramp',
              '--format', name] for name in ('text', 'csv', 'json')] +
            [['--help'], ['--version'], ['stats', '--help']])


class Streams(InFolder):
    def setUp(self):
        super().setUp()
        write('table.json', run('hist', '--format', 'json', FLOWER).stdout)

    def in_shell(self, script, *arguments):
        return subprocess.run(['bash', '-c', script, PROGRAM, *arguments], capture_output=True, env=ENVIRONMENT, timeout=60)

    def test_full(self):
        for command in COMMANDS:
            with open('/dev/full', 'wb') as full:
                done = run(*command, stdout=full)
            self.assertEqual(done.returncode, 1, command)
            self.assertRegex(done.stderr, rb'gpuhisto: .*cannot write standard output: no space left on device\n', command)
            if command[0] != 'devices' and command != ['plot', FLOWER] and not command[-1].startswith('--'):
                named = ['/dev/full' if word == '-' else word for word in command] if '-' in command else [*command, '-o', '/dev/full']
                done = run(*named)
                self.assertEqual(done.returncode, 1, named)
                self.assertRegex(done.stderr, rb'gpuhisto: .*cannot write /dev/full: no space left on device\n')

    def test_every_command_is_here(self):
        commands = re.findall(r'^  ([a-z]+) {2,}', run('--help').stdout.decode(), re.M)
        self.assertGreater(len(commands), 9)
        self.assertEqual(set(), set(commands) - {command[0] for command in COMMANDS})

    def test_closed_output(self):
        for command in COMMANDS:
            done = self.in_shell('"$0" "$@" >&-', *command)
            self.assertEqual(done.returncode, 1, command)
            self.assertIn(b'cannot write standard output: bad file descriptor', done.stderr, command)

    def test_closed_input(self):
        for command in (['stats', '-'], ['hist', '-'], ['plot', '-'], ['equalize', '-', 'out.png'], ['merge', '-'],
                        ['stats', '--files-from', '-']):
            done = self.in_shell('"$0" "$@" <&-', *command)
            self.assertEqual((done.returncode, done.stdout if command[0] in ('plot', 'merge') else b''), (1, b''), command)
            self.assertOneLine(done, b'bad file descriptor')
        for command in COMMANDS:  # they do not need it
            if 'bench' not in command:
                self.assertEqual(self.in_shell('"$0" "$@" <&-', *command).stdout, run(*command).stdout, command)

    def test_closed_errors(self):
        """No output file may become descriptor 2, and get the messages."""
        for closed in ('2>&-', '2>&- <&-', '2>&- <&- >&-'):
            done = self.in_shell('"$0" equalize "$1" out.png ' + closed, FLOWER)
            self.assertEqual((done.returncode, done.stdout), (0, b''))
            plain = run('equalize', FLOWER, '-', '--to', 'png').stdout
            self.assertEqual(content_of('out.png'), plain, closed)
            done = self.in_shell('"$0" stats missing.png -o out.csv --format csv ' + closed)
            self.assertEqual(done.returncode, 1)
            self.assertNotIn(b'gpuhisto', content_of('out.csv'))
            os.unlink('out.csv')

    def test_errors_to_a_pipe_that_does_not_block(self):
        """It is full long before it is read: every line comes, and whole."""
        names = ['missing%04d.png' % i for i in range(3000)]
        reading, writing = os.pipe()
        os.set_blocking(writing, False)
        with subprocess.Popen([PROGRAM, 'stats', *names], stdout=subprocess.DEVNULL, stderr=writing, env=ENVIRONMENT) as process:
            os.close(writing)
            time.sleep(1)
            with open(reading, 'rb') as errors:
                lines = errors.read().decode().split('\n')
            self.assertEqual(process.wait(timeout=60), 1)
        self.assertEqual(lines, ['gpuhisto: %s: no such file or directory' % name for name in names] + [''])

    def test_a_reader_that_leaves(self):
        """At any stage: exit 0 without a word, and what it did read is the beginning of the result."""
        for command in COMMANDS:
            if 'bench' in command:
                continue
            whole = run(*command).stdout
            for count in sorted({0, 1, 100, len(whole) // 2, len(whole) - 1}):
                done = self.in_shell('set -o pipefail; "$0" "$@" | head -c %d' % count, *command)
                self.assertEqual(done.returncode, 0, (command, count, done.stderr))
                lines = [line for line in done.stderr.splitlines() if b'not kept in the output' not in line]
                self.assertEqual(lines, [], command)
                self.assertEqual(done.stdout, whole[:count], command)

    def test_a_reader_that_leaves_a_long_run(self):
        for command in (['stats', '--format', 'jsonl'], ['hist'], ['stats']):
            done = self.in_shell('set -o pipefail; "$0" "$@" | head -c 5000', *command, *[ROSE] * 2000)
            self.assertEqual((done.returncode, done.stderr, len(done.stdout)), (0, b'', 5000), command)


class Locales(InFolder):
    def test_numbers_have_points_everywhere(self):
        write('table.json', run('hist', '--format', 'json', FLOWER).stdout)
        os.mkdir('locales')
        places = {'LC_ALL': 'C'}, {'LC_ALL': 'C.UTF-8'}
        made = subprocess.run(['localedef', '-i', 'de_DE', '-f', 'UTF-8', './locales/de_DE.UTF-8'], capture_output=True)
        if os.path.exists('locales/de_DE.UTF-8/LC_NUMERIC'):
            places += ({'LC_ALL': 'de_DE.UTF-8', 'LOCPATH': os.path.abspath('locales')},)
            # It is in force, and has a comma: else the test would prove nothing.
            shown = subprocess.run(['locale', '-k', 'decimal_point'], capture_output=True, env={**ENVIRONMENT, **places[-1]})
            self.assertIn(b'decimal_point=","', shown.stdout)
        else:
            print('no de_DE.UTF-8: localedef cannot make it here (%s)' % made.stderr.decode().strip(), flush=True)
        for command in COMMANDS:
            if 'bench' in command or command == ['plot', FLOWER]:  # times; blocks of the character set
                continue
            outputs = {run(*command, env=place).stdout for place in places}
            self.assertEqual(len(outputs), 1, command)
        for place in places:
            done = run('stats', '--percentiles', '2.5', '--max-seconds', '59.5', '--format', 'csv', FLOWER, env=place)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn(b'p2.5', done.stdout)


class Names(InFolder):
    """behaviour.py reads such names; here they are outputs, in batches, and in messages."""
    ODD = [b'a b', b'-dash', b'new\nline', b'quo\'te"', b'caf\xe9', b'a[1]', b'[a,b]', b'#hash@', b'x,y;z', b'%d%s%n', b'back\\slash',
           b'\x1b[31mred', b'\xff\xfe', b'~', b'$HOME', b'`id`', b'*', b'?', b'x..png', b'n' * 251]

    def test_outputs_of_odd_names(self):
        os.mkdir('in')
        for name in self.ODD:
            write(b'in/' + name + b'.pgm', b'P5 4 4 255\n' + bytes(range(16)))
            done = run('equalize', '--', b'in/' + name + b'.pgm', b'./' + name + b'.pgm')
            self.assertEqual((done.returncode, done.stderr), (0, b''), name)
        done = run('equalize', '--output-dir', 'out', '-r', 'in')
        self.assertEqual((done.returncode, done.stderr), (0, b''))
        self.assertEqual(sorted(os.listdir(b'out/in')), sorted(name + b'.pgm' for name in self.ODD))
        for name in self.ODD:
            self.assertEqual(content_of(b'out/in/' + name + b'.pgm'), content_of(name + b'.pgm'))

    def test_messages_stay_one_line(self):
        for name in self.ODD:
            write(name + b'.png', b'no image')
            done = run('stats', '--', name + b'.png')
            self.assertEqual(done.returncode, 1)
            self.assertOneLine(done)
            self.assertTrue(done.stderr.isascii() and done.stderr[:-1].decode().isprintable(), done.stderr)

    def test_the_collection_of_odd_names(self):
        script = os.path.join(os.path.dirname(ROOT), 'shared', 'corpus', 'make_odd_names.py')
        if not os.path.exists(script):
            self.skipTest('../shared/corpus is not here')
        subprocess.run(['python3', script, 'odd'], check=True)
        os.unlink('odd/fifo.png')
        os.unlink('odd/noperm.png')
        done = run('stats', '-r', 'odd', '--format', 'json')
        results = {base64.b64decode(result['input_base64']) if 'input_base64' in result else result['input'].encode(): result
                   for result in json.loads(done.stdout)['results']}
        self.assertEqual(set(results), {b'odd/' + name for name in os.listdir(b'odd') if name != b'dir.png'})
        for name, result in results.items():
            broken = name in (b'odd/dangling.png', b'odd/loop.png')
            self.assertEqual(result['status'], 'error' if broken else 'ok', name)
            if not broken:
                self.assertEqual((result['pixels'], result['channels']['luma']['entropy']), (256, 8))

    def test_five_thousand_tables(self):
        table = run('hist', '--total-only', '--format', 'json', ROSE).stdout
        one = json.loads(table)['total']['channels']['luma']['histogram']
        names = ['%d.json' % i for i in range(5000)]
        for name in names:
            write(name, table)
        done = run('merge', '--format', 'json', '--', *names)
        self.assertEqual(json.loads(done.stdout)['total']['channels']['luma']['histogram'], [5000 * count for count in one])


if __name__ == '__main__':
    unittest.main()
