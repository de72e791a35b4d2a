#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""command_line.py GPUHISTO [unittest arguments]: --shard and merge, by whole runs."""
import hashlib
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
import unittest

PROGRAM = os.path.abspath(sys.argv.pop(1))
SEED = int(os.environ.get('GPUHISTO_TEST_SEED', time.time_ns() % 10**9))
ENGINES = ('SLURM_', 'OMPI_', 'PMI_', 'PMIX_', 'JOB_COMPLETION_INDEX')


def run(*arguments, variables=None, **more):
    environment = {k: v for k, v in os.environ.items() if not k.startswith(ENGINES)}
    environment.update(variables or {})
    return subprocess.run([PROGRAM, *arguments], capture_output=True, timeout=120, env=environment, **more)


class InFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(folder.name)

    def write(self, name, content):
        with open(name, 'wb') as file:
            file.write(content)

    def pictures(self, draw, count):
        """Gray and colour, some damaged, some no images; -> the names as -r lists them."""
        for i in range(count):
            name = 'p/%d/%s' % (draw.randrange(3), draw.choice(['a%d.pgm', 'ü %d.pgm', 'c%d.txt']) % i)
            os.makedirs(os.path.dirname(name), exist_ok=True)
            color = draw.randrange(2)
            pixels = draw.randbytes(9 * (3 if color else 1) - (draw.randrange(9) == 0))
            with open(name, 'wb') as file:
                file.write(b'text' if name.endswith('txt') else (b'P6' if color else b'P5') + b' 3 3 255\n' + pixels)
        return sorted((os.path.join(folder, name) for folder, _, names in os.walk('p') for name in names),
                      key=lambda name: os.fsencode(name).split(b'/'))


class Merging(InFolder):
    def test_rows_of_what_was_cut_are_there_and_it_is_told(self):
        for name, value in (('a', 1), ('b', 2), ('c', 3)):
            self.write(name + '.pgm', b'P5 2 1 255\n' + bytes([value] * 2))
        lines = run('hist', 'a.pgm', 'b.pgm', 'c.pgm', '--format', 'jsonl').stdout.splitlines(keepends=True)
        self.write('cut.jsonl', b''.join(lines[:2]))
        done = run('merge', '--partial', '--histograms', '--format', 'csv', 'cut.jsonl')
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(b'was cut', done.stderr)
        self.assertEqual(done.stdout, run('hist', 'a.pgm', 'b.pgm', '--total-only', '--format', 'csv').stdout)
        self.write('whole.json', run('merge', '--partial', '--format', 'json', 'cut.jsonl').stdout)
        for arguments in (['plot', 'whole.json'], ['compare', 'a.pgm', 'whole.json'], ['match', 'whole.json', 'a.pgm', 'out.pgm']):
            done = run(*arguments)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn(b'whole.json: its run ended before all inputs were counted', done.stderr, arguments)

    def test_channels_that_were_not_counted(self):
        self.write('a.ppm', b'P6 1 1 255\nabc')
        self.write('red.json', run('hist', 'a.ppm', '--channels', 'red', '--format', 'json').stdout)
        done = run('merge', 'red.json', '--channels', 'blue', '--format', 'json')
        self.assertEqual((done.returncode, done.stdout), (2, b''))
        self.assertIn(b'none was counted: the tables have red', done.stderr)

    def test_all_shards_in_any_order_are_the_whole_run(self):
        draw = random.Random(SEED)
        print('seed', SEED, file=sys.stderr)
        for _ in range(8):
            names = self.pictures(draw, draw.randrange(1, 20))
            count = draw.choice([1, 2, 3, 5, 30])
            command, form = draw.choice(['stats', 'hist']), draw.choice(['json', 'jsonl'])
            extra, channels = draw.choice([[], ['--total-only']]), draw.choice([[], ['--channels', 'red'], ['--channels', 'luma,blue']])
            whole = {kind: run(command, '-r', 'p', '--total-only', '--format', kind, *channels)
                     for kind in ('json', 'jsonl', 'text', 'csv')}
            tables = []
            for index in range(1, count + 1):
                tables.append('%d.json' % index)
                done = run(command, '-r', 'p', '--shard', '%d/%d' % (index, count), '--format', form, '-o', tables[-1],
                           *extra, *channels)
                self.assertIn(done.returncode, (0, 1), done.stderr)
                self.check_shard(tables[-1], form, index, count, names)
            draw.shuffle(tables)
            as_hist = ['--histograms'] if command == 'hist' else []
            for kind, expected in whole.items():
                merged = run('merge', '--format', kind, *as_hist, *tables)
                self.assertEqual(merged.stdout, expected.stdout, merged.stderr)
                self.assertEqual(merged.returncode, expected.returncode)
            self.merge_in_two_steps(draw, tables, whole['json'])
            subprocess.run(['rm', '-r', 'p', *tables], check=True)

    def check_shard(self, table, form, index, count, names):
        with open(table) as file:
            document = json.load(file) if form == 'json' else json.loads(file.readlines()[-1])
        digest = hashlib.sha256(b''.join(os.fsencode(name) + b'\0' for name in names)).hexdigest()
        self.assertEqual(document['total']['shard'],
                         {'index': index, 'count': count, 'inputs': len(names), 'digest': digest})
        if document.get('results'):
            self.assertEqual([result['input'] for result in document['results']], names[index - 1::count])

    def merge_in_two_steps(self, draw, tables, whole):
        cut = draw.randrange(len(tables))
        if cut == 0:
            return
        done = run('merge', '--partial', '--format', 'json', '-o', 'part', *tables[:cut])
        self.assertIn(done.returncode, (0, 1), done.stderr)
        self.assertEqual(run('merge', '--format', 'json', *tables[cut:], 'part').stdout, whole.stdout)
        os.remove('part')

    def test_a_killed_shard_is_done_again_alone(self):
        self.pictures(random.Random(1), 12)
        whole = run('stats', '-r', 'p', '--total-only', '--format', 'json')
        for index in '13':
            run('stats', '-r', 'p', '--shard', index + '/3', '--format', 'json', '-o', index + '.json')
        os.mkfifo('list')
        second = ['stats', '--files-from', 'list', '--shard', '2/3', '--format', 'json', '-o', '2.json']
        killed = subprocess.Popen([PROGRAM, *second])
        with open('list', 'w') as names:  # it waits for more when it is killed
            names.write(''.join(sorted('p/' + name + '\n' for name in os.listdir('p'))))
            names.flush()
            time.sleep(0.2)
            killed.send_signal(signal.SIGKILL)
            self.assertEqual(killed.wait(), -signal.SIGKILL)
        self.assertFalse(os.path.exists('2.json'))
        tables = ['1.json', '3.json']
        left = run('merge', *tables)
        self.assertEqual((left.returncode, left.stdout), (1, b''))
        self.assertIn(b'shards missing, of 3: 2', left.stderr)
        run('stats', '-r', 'p', '--shard', '2/3', '--format', 'json', '-o', '2.json')
        self.assertEqual(run('merge', '--format', 'json', *tables, '2.json').stdout, whole.stdout)

    def test_flags_of_a_run_that_was_killed_are_counted(self):
        self.write('16.pgm', b'P5 1 1 65535\n\0\1')
        self.write('8.pgm', b'P5 1 1 255\n\1')
        for form, cut in (('jsonl', b'{"schema":1,"counting"'), ('json', b',\n"total"')):
            whole = run('hist', '--format', form, '16.pgm', '16.pgm', '8.pgm').stdout
            self.write('killed', whole[:whole.rindex(cut)])
            total = json.loads(run('merge', '--partial', '--format', 'json', 'killed').stdout)['total']
            self.assertEqual({'ok': 3, 'failed': 0, 'flagged': 2, 'skipped': 0}, total['files'])
            for wrong in (b'"flagged":1', b'"flagged":4'):
                self.write('wrong', whole.replace(b'"flagged":2', wrong))
                self.assertEqual(run('merge', 'wrong').returncode, 1)

    def test_one_file_by_two_names_is_added_once(self):
        self.write('8.pgm', b'P5 1 1 255\n\1')
        run('stats', '--format', 'json', '-o', 'a.json', '8.pgm')
        os.link('a.json', 'b.json')
        os.symlink('a.json', 'c.json')
        for name in ('./a.json', 'b.json', 'c.json'):
            self.assertEqual(run('merge', 'a.json', name).returncode, 2)

    def test_standard_input_is_one_of_the_names(self):
        self.write('a.pgm', b'P5 1 1 255\n\x01')
        run('stats', 'a.pgm', '--format', 'json', '-o', 'a.json')
        for names in (['-', 'a.json'], ['a.json', '-'], ['-', '/dev/stdin']):
            with open('a.json', 'rb') as table:
                done = run('merge', *names, stdin=table)
            self.assertEqual((done.returncode, done.stdout), (2, b''), done.stderr)
            self.assertIn(b'twice', done.stderr)

    def test_a_cut_shard_is_told(self):
        for name in ('a', 'b'):
            self.write(name + '.pgm', b'P5 1 1 255\n\x01')
        texts = [run('hist', 'a.pgm', 'b.pgm', '--shard', '%d/2' % i, '--format', 'json').stdout for i in (1, 2)]
        self.write('1.json', texts[0])
        self.write('2.json', texts[1][:texts[1].index(b'"total"')])
        done = run('merge', '--partial', '--format', 'json', '1.json', '2.json')
        self.assertEqual(json.loads(done.stdout)['total']['pixels'], 2, done.stderr)
        self.assertIn(b'2.json ends before it tells which shard it is of', done.stderr)
        self.write('whole.json', texts[1])
        done = run('merge', '--partial', '1.json', 'whole.json', '2.json')
        self.assertEqual((done.returncode, done.stdout), (2, b''))
        self.assertIn(b'twice', done.stderr)

    def test_csv_is_named_also_with_a_byte_order_mark(self):
        for mark in (b'', b'\xef\xbb\xbf'):
            self.write('t.csv', mark + b'file,value,luma,red,green,blue,alpha\n')
            self.assertIn(b'CSV does not tell how it was counted', run('merge', 't.csv').stderr)

    def test_refusals_have_their_exit_codes(self):
        self.pictures(random.Random(2), 4)
        for name, more in {'a': ['--shard', '1/2'], 'd': ['--shard', '1/2'], 'b': ['--shard', '2/2', '--luma', 'bt709'], 'c': ['--shard', '2/3'],
                           'w': []}.items():
            run('stats', '-r', 'p', '--format', 'json', '-o', name, *more)
        for names, code, cause in [('ad', 2, b'shard 1 of 2 is in both a and d'), ('ab', 2, b'luma is bt601 in a, bt709 in b'),
                                   ('ac', 2, b'a is shard 1 of 2, c is shard 2 of 3'),
                                   ('aw', 2, b'a is of a shard, w of a whole list'), ('ax', 1, b'x: no such file')]:
            done = run('merge', *names)
            self.assertEqual((done.returncode, done.stdout), (code, b''), names)
            self.assertEqual(done.stderr.count(b'\n'), 1, done.stderr)
            self.assertIn(cause, done.stderr)

    def test_memory_does_not_grow_with_the_results(self):
        result = b'{"schema":1,"counting":{"luma":"bt601","alpha":"count","bins":256},"result":%s}\n'
        one = result % b'{"input":"a","status":"error","error":"x","flags":[]}'
        total = (one[:one.index(b'"result"')] + b'"total":{"files":{"ok":0,"failed":%d,"flagged":0,"skipped":0},'
                 b'"pixels":0,"channels":{}}}\n')
        peak = {}
        for lines in (10, 200000):
            with open('t', 'wb') as file:
                for _ in range(lines):  # what this process once held would count as the child's
                    file.write(one)
                file.write(total % lines)
            process = subprocess.Popen([PROGRAM, 'merge', 't'], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            self.assertEqual(process.returncode, 1)  # of failed inputs
            peak[lines] = usage.ru_maxrss
        if 'asan' not in PROGRAM:
            self.assertLess(peak[200000], peak[10] + 2000)


class Engines(InFolder):
    GOOD = [('slurm-array', dict(SLURM_ARRAY_TASK_ID=5, SLURM_ARRAY_TASK_MIN=1, SLURM_ARRAY_TASK_MAX=9,
                                 SLURM_ARRAY_TASK_STEP=2, SLURM_ARRAY_TASK_COUNT=5), 3, 5),
            ('slurm-array:4', dict(SLURM_ARRAY_TASK_ID=3), 3, 4), ('slurm', dict(SLURM_PROCID=0, SLURM_NTASKS=3), 1, 3),
            ('mpi', dict(OMPI_COMM_WORLD_RANK=1, OMPI_COMM_WORLD_SIZE=4, PMIX_RANK=1), 2, 4),
            ('mpi', dict(PMI_RANK=3, PMI_SIZE=4), 4, 4), ('mpi', dict(PMIX_RANK=1, SLURM_NTASKS=2), 2, 2),
            ('k8s:3', dict(JOB_COMPLETION_INDEX=2), 3, 3)]
    BAD = [('slurm-array', {}, 'SLURM_ARRAY_TASK_ID is not set'), ('slurm', dict(SLURM_PROCID=1), 'SLURM_NTASKS is not set'),
           ('slurm', dict(SLURM_PROCID=4, SLURM_NTASKS=4), 'SLURM_PROCID=4, SLURM_NTASKS=4'),
           ('slurm', dict(SLURM_PROCID='x', SLURM_NTASKS=4), "SLURM_PROCID is 'x'"),
           ('slurm-array', dict(SLURM_ARRAY_TASK_ID=3, SLURM_ARRAY_TASK_MIN=1, SLURM_ARRAY_TASK_MAX=7,
                                SLURM_ARRAY_TASK_STEP=1, SLURM_ARRAY_TASK_COUNT=3), 'SLURM_ARRAY_TASK_COUNT=3'),
           ('slurm-array:4', dict(SLURM_ARRAY_TASK_ID=0), 'SLURM_ARRAY_TASK_ID is 0'),
           ('mpi', {}, 'OMPI_COMM_WORLD_RANK'), ('mpi', dict(PMIX_RANK=0), 'SLURM_NTASKS'),
           ('mpi', dict(OMPI_COMM_WORLD_RANK=1, PMI_RANK=2, PMI_SIZE=4), 'PMI_RANK=2'),
           ('k8s:3', {}, 'JOB_COMPLETION_INDEX is not set'), ('k8s:3', dict(JOB_COMPLETION_INDEX=3), 'JOB_COMPLETION_INDEX is 3'),
           ('k8s', dict(JOB_COMPLETION_INDEX=0), 'k8s:N'), ('slurm:4', {}, 'no number'), ('0/3', {}, 'from 1'),
           ('4/3', {}, 'from 1'), ('1/0', {}, 'from 1'), ('-1/3', {}, 'I/N'), ('1/3/', {}, 'I/N'), ('1', {}, 'I/N')]

    def test_index_and_count_are_taken_and_told(self):
        self.pictures(random.Random(3), 5)
        for flag, variables, index, count in self.GOOD:
            variables = {key: str(value) for key, value in variables.items()}
            done = run('hist', '-r', 'p', '--format', 'json', '--shard', flag, variables=variables)
            shard = json.loads(done.stdout)['total']['shard']
            self.assertEqual((shard['index'], shard['count'], shard['from']), (index, count, flag.split(':')[0]))
            for key, value in variables.items():
                self.assertIn(('%s=%s' % (key, value)).encode(), done.stderr)

    def test_what_is_missing_or_contradicts_is_usage(self):
        for flag, variables, cause in self.BAD:
            done = run('stats', 'p', '--shard', flag, variables={key: str(value) for key, value in variables.items()})
            self.assertEqual((done.returncode, done.stdout), (2, b''), flag)
            self.assertIn(cause, done.stderr.decode())

    def test_an_empty_shard_says_so(self):
        self.write('a.pgm', b'P5 1 1 255\n7')
        done = run('stats', 'a.pgm', '--shard', '2/2')
        self.assertEqual((done.returncode, done.stderr), (0, b'gpuhisto: shard 2 of 2 is empty: the list has 1 input\n'))

    def test_one_of_one_is_all(self):
        self.write('a.pgm', b'P5 1 1 255\n\x01')
        for shard, status in (('1/1', b'ok'), ('1/2', b'partial')):
            done = run('stats', '--shard', shard, '--format', 'csv', 'a.pgm', 'a.pgm', 'a.pgm')
            self.assertIn(b'\n,' + status + b',', done.stdout)

    def test_only_what_the_shard_replaces_is_told(self):
        for i in range(5):
            self.write('%d.pgm' % i, b'P5 1 1 255\n\x01')
        os.mkdir('other')
        os.link('4.pgm', 'other/4.pgm')
        done = run('equalize', '--output-dir', '.', '--shard', '1/4', *('%d.pgm' % i for i in range(5)))
        self.assertIn(b'2 inputs are replaced', done.stderr)
        self.assertEqual(run('equalize', '--output-dir', 'other', '4.pgm').stderr, b'')

    def test_equalize_writes_each_output_once(self):
        for i in range(7):
            self.write('%d.pgm' % i, b'P5 2 2 255\n' + bytes([i, 1, 2, 3]))
        names = ['%d.pgm' % i for i in range(7)]
        run('equalize', '--output-dir', 'whole', *names)
        written = []
        for index in '123':
            done = run('equalize', '--output-dir', 'parts', '--shard', index + '/3', *names)
            self.assertEqual(done.returncode, 0, done.stderr)
            written.append(len(os.listdir('parts')))
        self.assertEqual(written, [3, 5, 7])
        self.assertEqual(subprocess.run(['diff', '-r', 'whole', 'parts']).returncode, 0)
        self.assertEqual(run('equalize', '0.pgm', 'out.pgm', '--shard', '1/2').returncode, 2)


if __name__ == '__main__':
    unittest.main()
