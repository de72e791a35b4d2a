#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The gpuhisto authors
"""batch.py GPUHISTO [unittest arguments]: runs over many files: which are taken, what ends them early, what is told meanwhile."""
import contextlib
import csv
import fcntl
import io
import json
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time
import unittest

from behaviour import DATA, FLOWER, PROGRAM, InFolder, content_of, gray_png, png, run

try:
    import numpy
    from PIL import Image
except ImportError:
    numpy = None

ROSE = os.path.join(DATA, 'rose.ppm')


def taken(done):
    return [result['input'] for result in json.loads(done.stdout)['results'] if result['status'] != 'skipped']


def files_of_merged(*shards):
    done = run('merge', '--format', 'json', *shards)
    return json.loads(done.stdout)['total']['files'] if done.stdout else done.stderr


class Filters(InFolder):
    def setUp(self):
        super().setUp()
        for name in ('tree/a/1.png', 'tree/a/b/2.png', 'tree/A.PNG', 'tree/cache/3.png', 'tree/x.png'):
            os.makedirs(os.path.dirname(name), exist_ok=True)
            self.write(name, gray_png(4, 4, 7))
        self.write('tree/notes.txt', b'no image')

    def expect(self, names, *arguments):
        done = run('stats', '--format', 'json', '-r', 'tree', *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(taken(done), ['tree/' + name for name in names], arguments)
        return json.loads(done.stdout)['total']['files']

    def test_names_and_paths(self):
        everything = ['A.PNG', 'a/1.png', 'a/b/2.png', 'cache/3.png', 'x.png']
        self.assertEqual(self.expect(everything)['skipped'], 1)
        self.assertEqual(self.expect(everything, '--include', '*.[pP]*')['skipped'], 0)
        self.expect(everything[1:], '--include', '*.png')  # case counts
        self.expect(['A.PNG'], '--include', '*.PNG')
        self.expect(['A.PNG', 'x.png'], '--include', 'x*', '--include', '[A-Z]*')
        self.expect(['x.png'], '--include=[x]*')
        self.expect(['a/1.png', 'a/b/2.png'], '--include', 'a/*')  # '*' matches '/' too
        self.expect(['a/b/2.png'], '--include', 'a/?/*')
        self.expect([], '--include', 'tree/*')  # the path below the folder, without it

    def test_exclude_beats_include_and_prunes(self):
        self.expect(['A.PNG', 'a/1.png', 'a/b/2.png', 'x.png'], '--exclude', 'cache')
        self.expect(['A.PNG', 'a/1.png', 'a/b/2.png', 'x.png'], '--exclude', 'cache/')
        self.expect(['a/1.png', 'x.png'], '--include', '*.png', '--exclude', 'b', '--exclude', '/cache')
        self.expect(['A.PNG', 'cache/3.png', 'x.png'], '--exclude', './a')
        self.expect(['A.PNG', 'a/1.png', 'a/b/2.png', 'cache/3.png', 'x.png'], '--exclude', 'x.png/')  # folders alone
        os.chmod('tree/cache', 0)  # what is pruned is not even listed
        self.addCleanup(os.chmod, 'tree/cache', 0o755)
        self.expect(['A.PNG', 'a/1.png', 'a/b/2.png', 'x.png'], '--exclude', 'c*')

    def test_what_is_named_is_never_left_out(self):
        done = run('stats', '--format', 'json', '-r', 'tree/x.png', 'tree/cache', '--exclude', 'cache', '--exclude', 'x.png')
        self.assertEqual(taken(done), ['tree/x.png', 'tree/cache/3.png'])
        done = run('equalize', '--output-dir', 'out', '-r', 'tree', '--exclude', 'a', '--include', '*.png')
        self.assertEqual((done.returncode, sorted(os.listdir('out/tree'))), (0, ['cache', 'x.png']), done.stderr)

    def test_links_that_loop(self):
        os.symlink('../..', 'tree/a/b/up')
        os.symlink('b', 'tree/a/same')
        self.expect(['A.PNG', 'a/1.png', 'a/b/2.png', 'a/same/2.png', 'cache/3.png', 'x.png'], '--exclude', 'nothing')

    def test_refused(self):
        for arguments in (['--include', '', '-r'], ['--exclude', '/', '-r'], ['--include', 'a/', '-r'], ['--include', 'a']):
            done = run('stats', *arguments, 'tree')
            self.assertEqual((done.returncode, done.stdout), (2, b''), arguments)
            self.assertIn(arguments[0].encode(), done.stderr)


class FailFast(InFolder):
    def setUp(self):
        super().setUp()
        self.write('good.png', gray_png(4, 4, 7))
        self.write('bad.png', gray_png(4, 4, 7)[:-20])
        self.names = ['good.png', 'bad.png'] + ['good.png'] * 38

    def test_what_comes_after_is_not_taken(self):
        done = run('stats', '--fail-fast', '-j', '1', '--format', 'json', *self.names)
        document = json.loads(done.stdout)
        self.assertEqual(done.returncode, 1)
        self.assertEqual([result['status'] for result in document['results']], ['ok', 'error'])
        self.assertEqual(document['total']['incomplete'], True)
        self.assertEqual(document['total']['files'], {'ok': 1, 'failed': 1, 'flagged': 0, 'skipped': 0})
        self.assertIn(b'38 of 40 inputs were not done', done.stderr)
        self.assertNotIn('incomplete', json.loads(run('stats', '--format', 'json', *self.names).stdout)['total'])

    def test_with_many_threads_what_is_in_work_is_reported_in_order(self):
        names = ['good.png', 'bad.png'] + ['good.png'] * 3000
        done = run('stats', '--fail-fast', '-j', '8', '--format', 'json', *names)
        document = json.loads(done.stdout)
        results = document['results']
        self.assertEqual(done.returncode, 1)
        self.assertEqual([result['input'] for result in results], names[:len(results)])
        self.assertLess(len(results), 1000)
        self.assertEqual(document['total']['files']['ok'], len(results) - 1)
        self.assertIn(b'%d of 3002 inputs were not done' % (3002 - len(results)), done.stderr)

    def test_each_format_says_so(self):
        csv_rows = run('stats', '--fail-fast', '-j1', '--format', 'csv', *self.names).stdout.splitlines()
        self.assertTrue(csv_rows[-1].startswith(b',incomplete,,,,luma,16,'), csv_rows)
        lines = run('stats', '--fail-fast', '-j1', '--format', 'jsonl', *self.names).stdout.splitlines()
        self.assertEqual(json.loads(lines[-1])['total']['incomplete'], True)
        self.assertIn(b'incomplete', run('stats', '--fail-fast', '-j1', *self.names).stdout)
        table = run('hist', '--fail-fast', '-j1', *self.names, '--plot', 'p.svg')
        self.assertEqual(table.stdout, run('hist', 'good.png').stdout)  # no total: its rows could not say so
        self.assertIn(b'p.svg is not drawn', table.stderr)
        self.assertFalse(os.path.exists('p.svg'))

    def test_a_failure_at_the_end_leaves_nothing_out(self):
        os.mkdir('d')
        for i, name in enumerate(['good.png', 'good.png', 'bad.png']):
            self.write('d/%d.png' % i, content_of(name))
        for arguments in (['d/0.png', 'd/2.png'], ['-r', 'd']):
            done = run('stats', '--fail-fast', '-j1', '--format', 'json', *arguments)
            self.assertEqual(done.returncode, 1)
            self.assertNotIn('incomplete', json.loads(done.stdout)['total'], arguments)
            self.assertEqual(done.stderr.count(b'\n'), 1)

    def failure_of_a_list(self, more):
        """The list is a pipe that stays open: `more` comes once the failure of its first name was told."""
        width = height = 2000  # some time to decode: the next name is waited for meanwhile
        self.write('large.png', png(width, height, [os.urandom(width) for _ in range(height)])[:-5000])
        process = subprocess.Popen([PROGRAM, 'stats', '-j', '2', '--fail-fast', '--files-from', '-', '--format', 'json'],
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0)
        for end in (process.stdin.close, process.stdout.close, process.stderr.close, process.kill):
            self.addCleanup(end)
        process.stdin.write(b'large.png\n')
        self.assertIn(b'large.png', process.stderr.readline())
        if more:
            with contextlib.suppress(BrokenPipeError):  # it may be gone already
                process.stdin.write(more)
        self.assertEqual(process.wait(timeout=20), 1)
        self.assertIn(b'inputs after the first 1 were not done', process.stderr.read())
        document = json.loads(process.stdout.read())
        self.assertEqual([result['status'] for result in document['results']], ['error'])
        self.assertEqual(document['total']['incomplete'], True)

    def test_a_list_that_does_not_go_on_is_not_waited_for(self):
        self.failure_of_a_list(b'')

    def test_a_name_that_comes_after_the_failure_is_not_taken(self):
        for _ in range(3):
            self.failure_of_a_list(b'good.png\n' * 3)

    def test_a_shard_whose_last_input_fails_is_whole(self):
        names = ['good.png', 'good.png', 'bad.png', 'good.png']
        for shard, exit_code in (('1', 1), ('2', 0)):
            done = run('stats', '-j', '1', '--fail-fast', '--shard', shard + '/2', '--format', 'json', '-o', shard + '.json', *names)
            self.assertEqual(done.returncode, exit_code, done.stderr)
            self.assertNotIn('incomplete', json.loads(content_of(shard + '.json'))['total'])
        self.assertEqual(files_of_merged('1.json', '2.json'), {'ok': 3, 'failed': 1, 'flagged': 0, 'skipped': 0})

    def test_the_exit_code_is_that_of_the_failure(self):
        os.makedirs('out')
        self.write('out/good.png', b'old')
        done = run('equalize', '-n', '--fail-fast', '-j1', '--output-dir', 'out', 'good.png', 'bad.png')
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertEqual(run('equalize', '-n', '-j1', '--output-dir', 'out', 'good.png', 'bad.png').returncode, 1)


class Signals(InFolder):
    def start(self, *arguments, **more):
        more = {'stdin': subprocess.PIPE, **more}
        process = subprocess.Popen([PROGRAM, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.kill)
        return process

    def end_of(self, process, number, within):
        """Sends the signal; -> what was written until the program died by it."""
        started = time.monotonic()
        process.send_signal(number)
        out, err = process.stdout.read(), process.stderr.read()
        self.assertEqual(process.wait(timeout=20), -number, err)
        self.assertLess(time.monotonic() - started, within)
        return out, err

    def after_results(self, count, format, number):
        """A list of names that does not go on after `count`: the signal comes while the next is waited for."""
        self.write('a.png', gray_png(4, 4, 7))
        process = self.start('stats', '--format', format, '--files-from', '-', '-j', '2')
        process.stdin.write(b'a.png\n' * count + b'a.p')  # half a name
        process.stdin.flush()
        time.sleep(0.7)
        out, err = self.end_of(process, number, 10)
        process.stdin.close()
        self.assertIn(b'interrupted', err)
        return out

    def test_each_result_comes_before_the_next_name(self):
        for threads in ('1', '4'):
            process = subprocess.Popen([PROGRAM, 'stats', '-j', threads, '--files-from', '-', '--format', 'jsonl'],
                                       stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            for name in ('flower.jpg', 'rose.ppm', 'scan.png'):
                process.stdin.write(os.fsencode(os.path.join(DATA, name)) + b'\n')
                process.stdin.flush()
                self.assertTrue(select.select([process.stdout], [], [], 20)[0], 'no result of %s' % name)
                self.assertIn(name, json.loads(process.stdout.readline())['result']['input'])
            process.stdin.close()
            self.assertEqual(json.loads(process.stdout.readline())['total']['files']['ok'], 3)
            process.stdout.close()
            self.assertEqual(process.wait(20), 0)

    def test_a_silent_list_does_not_hold_the_end_up(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            out = self.after_results(5, 'jsonl', number)
            documents = [json.loads(line) for line in out.splitlines()]
            self.assertEqual([document['result']['status'] for document in documents[:-1]], ['ok'] * 5)
            self.assertEqual(documents[-1]['total']['incomplete'], True)
            self.assertEqual(documents[-1]['total']['files']['ok'], 5)
            self.assertEqual(documents[-1]['total']['pixels'], 80)

    def test_each_format_is_ended(self):
        document = json.loads(self.after_results(3, 'json', signal.SIGINT))
        self.assertEqual((document['total']['incomplete'], len(document['results'])), (True, 3))
        rows = list(csv.DictReader(io.StringIO(self.after_results(3, 'csv', signal.SIGINT).decode())))
        self.assertEqual([row['status'] for row in rows], ['ok'] * 3 + ['incomplete'])

    def test_a_list_that_has_not_begun(self):
        process = self.start('stats', '--format', 'jsonl', '--files-from', '-')
        time.sleep(0.5)
        out, _ = self.end_of(process, signal.SIGINT, 10)
        process.stdin.close()
        self.assertTrue(out == b'' or json.loads(out)['total']['incomplete'])

    def test_a_file_is_left_as_it_was(self):
        self.write('a.png', gray_png(4, 4, 7))
        self.write('out.json', b'old')
        process = self.start('stats', '--format', 'json', '-o', 'out.json', '-v', '--files-from', '-')
        process.stdin.write(b'a.png\n')
        process.stdin.flush()
        time.sleep(0.5)
        _, err = self.end_of(process, signal.SIGTERM, 10)
        process.stdin.close()
        self.assertIn(b'out.json is not written', err)
        self.assertEqual(content_of('out.json'), b'old')
        self.assertEqual(sorted(os.listdir('.')), ['a.png', 'out.json'])

    def test_bytes_that_do_not_come_are_given_up(self):
        self.write('a.png', gray_png(4, 4, 7))
        os.mkfifo('fifo.png')
        process = self.start('stats', '--format', 'json', 'a.png', 'fifo.png', 'a.png')
        fifo = os.open('fifo.png', os.O_WRONLY)
        os.write(fifo, gray_png(4, 4, 7)[:40])
        time.sleep(0.5)
        out, err = self.end_of(process, signal.SIGINT, 10)
        os.close(fifo)
        document = json.loads(out)
        self.assertEqual((document['total']['incomplete'], document['total']['files']['failed']), (True, 0))
        self.assertIn(document['total']['files']['ok'], (1, 2))
        self.assertIn(b'of 3 inputs were not done', err)

    def test_bytes_that_come_in_time_are_used(self):
        self.write('a.png', gray_png(4, 4, 7))
        os.mkfifo('fifo.png')
        process = self.start('stats', '--format', 'json', '-j', '2', 'fifo.png', *['a.png'] * 3000)
        content = gray_png(4, 4, 9)
        fifo = os.open('fifo.png', os.O_WRONLY)
        os.write(fifo, content[:40])
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        time.sleep(0.5)
        os.write(fifo, content[40:])
        os.close(fifo)
        out, err = process.communicate(timeout=20)
        self.assertEqual(process.returncode, -signal.SIGINT)
        document = json.loads(out)
        self.assertEqual(document['results'][0]['channels']['luma']['mean'], 9)
        self.assertEqual(document['total']['incomplete'], True)

    def test_a_shard_whose_last_input_was_in_work_is_whole(self):
        content = gray_png(4, 4, 7)
        self.write('a.png', content)
        os.mkfifo('fifo.png')
        names = ['a.png', 'a.png', 'fifo.png', 'a.png']
        process = self.start('stats', '-j', '1', '--shard', '1/2', '--format', 'json', '-o', '1.json', *names)
        with open('fifo.png', 'wb', buffering=0) as fifo:
            fifo.write(content[:40])
            time.sleep(0.5)
            process.send_signal(signal.SIGTERM)
            time.sleep(0.3)
            fifo.write(content[40:])
        _, err = process.communicate(timeout=20)
        self.assertEqual(process.returncode, -signal.SIGTERM, err)
        self.assertEqual(run('stats', '--shard', '2/2', '--format', 'json', '-o', '2.json', *names).returncode, 0)
        self.assertEqual(files_of_merged('1.json', '2.json'), {'ok': 4, 'failed': 0, 'flagged': 0, 'skipped': 0})

    def test_a_single_input_is_not_waited_for(self):
        process = self.start('stats', '-')
        time.sleep(0.5)
        self.end_of(process, signal.SIGINT, 1.5)
        process.stdin.close()

    def test_a_second_signal_ends_at_once(self):
        os.mkfifo('fifo.png')
        self.write('a.png', gray_png(4, 4, 7))
        process = self.start('stats', '-o', 'out.txt', 'a.png', 'fifo.png')
        fifo = os.open('fifo.png', os.O_WRONLY)
        os.write(fifo, b'\x89PNG')
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        time.sleep(0.3)
        self.end_of(process, signal.SIGTERM, 1.2)
        os.close(fifo)
        self.assertEqual(sorted(os.listdir('.')), ['a.png', 'fifo.png'])

    def test_an_output_folder_keeps_what_is_whole(self):
        os.mkdir('in')
        self.write('in/a.png', content_of(FLOWER))
        os.mkfifo('in/fifo.png')
        for names, left in ((['in/fifo.png'], None), (['in/a.png', 'in/fifo.png'], ['out/in/a.png'])):
            process = self.start('equalize', '-j', '2', '--output-dir', 'out', *names, '-q')
            for _ in range(100):
                if os.path.exists(left[0] if left else 'out/in'):
                    break
                time.sleep(0.05)
            self.end_of(process, signal.SIGINT, 10)
            found = [os.path.join(base, name) for base, _, files in os.walk('out') for name in files]
            self.assertEqual(found, left or [])
            self.assertEqual(os.path.exists('out'), bool(left))

    def test_at_any_moment(self):
        names = []
        for i in range(40):
            names.append(self.write('%d.ppm' % i, content_of(ROSE)))
        for i in range(16):
            process = self.start('equalize', '-j', '3', '--output-dir', 'out', *names, stdin=subprocess.DEVNULL)
            time.sleep(0.01 * i)
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=30)
            self.assertIn(process.returncode, (0, -signal.SIGINT))
            for base, folders, files in os.walk('out'):
                self.assertTrue(folders or files, base)
                for name in files:
                    self.assertFalse(name.startswith('.'), name)
                    self.assertEqual(os.path.getsize(os.path.join(base, name)), os.path.getsize(ROSE))


class ProgressBar(InFolder):
    def on_a_terminal(self, columns, *arguments):
        """-> all that the program wrote to a terminal that is its standard error."""
        own, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack('HHHH', 24, columns, 0, 0))
        process = subprocess.Popen([PROGRAM, *arguments], stdout=subprocess.DEVNULL, stderr=theirs, stdin=subprocess.DEVNULL)
        os.close(theirs)
        text = b''
        while select.select([own], [], [], 30)[0]:
            try:
                text += os.read(own, 65536)
            except OSError:  # the other side is closed
                break
        os.close(own)
        self.assertEqual(process.wait(timeout=20), 0)
        return text.decode()

    def test_it_fits_the_width_and_goes_away(self):
        names = [ROSE] * 500
        for columns in (20, 80, 200):
            text = self.on_a_terminal(columns, 'stats', '--progress', 'always', *names)
            *drawn, last = text.split('\r\x1b[K')
            self.assertGreater(len(drawn), 1)
            for line in drawn:
                self.assertLess(len(line), columns, line)
            self.assertRegex(drawn[1], r'\b\d+/500\b')
            self.assertEqual('[' in drawn[1], columns >= 80, drawn[1])
            self.assertRegex(last, r'^gpuhisto: 500 files: 500 ok; 16\.9 Mpix in [0-9.]+ s: [0-9.]+ files/s, [0-9.]+ Mpix/s\r\n$')

    def test_folders_and_lists_are_counted_meanwhile(self):
        os.mkdir('d')
        for i in range(2000):
            os.symlink(ROSE, f'd/{i}.ppm')
        self.write('list', ''.join(f'd/{i}.ppm\n' for i in range(2000)).encode())
        for of, arguments in ((2000, ['stats', '-r', 'd']), (2000, ['stats', '--files-from', 'list']),
                              (1000, ['stats', '-r', 'd', '--shard', '2/2']), (2000, ['compare', ROSE, '-r', 'd'])):
            text = self.on_a_terminal(80, *arguments, '--progress', 'always')
            *drawn, last = text.split('\r\x1b[K')
            self.assertTrue(any(re.match(rf'\[.*\] +\d+% \d+/{of} ', line) for line in drawn), drawn)
            self.assertIn(f'gpuhisto: {of} files: {of} ok', last)

    def test_seldom_drawn(self):
        started = time.monotonic()
        text = self.on_a_terminal(100, 'stats', '--progress', 'always', *[ROSE] * 2000)
        self.assertLessEqual(text.count('/2000'), 2 + 10 * (time.monotonic() - started))

    def test_short_work_draws_nothing(self):
        self.assertEqual(self.on_a_terminal(80, 'stats', ROSE, ROSE), '')

    def test_the_summary(self):
        os.mkdir('d')
        self.write('d/1.png', gray_png(1000, 100, 7))
        self.write('d/2.png', b'\x89PNG\r\n\x1a\n')
        self.write('d/3.txt', b'no image')
        self.write('d/4.png', content_of('d/1.png') + b'trailing')
        done = run('stats', '-v', '-r', 'd')
        self.assertRegex(done.stderr.decode().splitlines()[-1],
                         r'^gpuhisto: 4 files: 2 ok \(1 flagged\), 1 failed, 1 skipped; 0\.20 Mpix in [0-9.]+ s: ')
        self.assertIsNone(re.search(rb'\d files:', run('stats', '-r', 'd').stderr))
        self.assertEqual(run('stats', '-q', '--progress', 'never', ROSE, ROSE).stderr, b'')


@unittest.skipIf(numpy is None, 'numpy and PIL are not installed')
class Totals(InFolder):
    def test_against_numpy(self):
        names = [os.path.join(DATA, name) for name in sorted(os.listdir(DATA)) if not name.endswith('.md')]
        bins = {name: numpy.zeros(256, dtype=object) for name in ('luma', 'red', 'green', 'blue', 'alpha')}
        pixels = 0
        for name in names:
            image = Image.open(name)
            self.assertIn(image.mode, ('L', 'LA', 'RGB', 'RGBA', 'P'))
            if image.mode == 'P':
                image = image.convert('RGBA' if 'transparency' in image.info else 'RGB')
            values = numpy.asarray(image).astype(numpy.int64)
            values = values.reshape(values.shape[0] * values.shape[1], -1)
            pixels += len(values)
            planes = list(values.T)
            channels = {}
            if len(planes) >= 3:
                channels.update(zip(('red', 'green', 'blue'), planes))
                channels['luma'] = (9798 * planes[0] + 19235 * planes[1] + 3735 * planes[2] + 16384) >> 15
            else:
                channels['luma'] = planes[0]
            if len(planes) in (2, 4):
                channels['alpha'] = planes[-1]
            for channel, plane in channels.items():
                bins[channel] += numpy.bincount(plane, minlength=256).astype(object)
        total = json.loads(run('stats', '--format', 'json', '--total-only', *names).stdout)['total']
        rows = {row['channel']: row for row in csv.DictReader(io.StringIO(
            run('stats', '--format', 'csv', '--total-only', *names).stdout.decode()))}
        text = run('stats', '--total-only', *names).stdout.decode()
        self.assertEqual(total['pixels'], pixels)
        self.assertEqual(total['files'], {'ok': len(names), 'failed': 0, 'flagged': total['files']['flagged'], 'skipped': 0})
        scaled = {}
        for channel, counts in bins.items():
            self.assertEqual(total['channels'][channel]['histogram'], list(counts), channel)
            n, values = sum(counts), numpy.arange(256).astype(object)
            mean = sum(counts * values) / n
            std = (sum(counts * values * values) / n - mean ** 2) ** 0.5
            scaled[channel] = (mean / 255, std / 255)
            for got in (total['channels'][channel], rows[channel]):
                self.assertEqual(int(got['count']), n)
                self.assertAlmostEqual(float(got['mean01']), mean / 255, 12)
                self.assertAlmostEqual(float(got['std01']), std / 255, 9)
        for i, word in ((0, 'mean'), (1, 'std')):
            self.assertIn('%s=[%s]' % (word, ', '.join('%.4f' % scaled[c][i] for c in ('red', 'green', 'blue'))), text)


if __name__ == '__main__':
    unittest.main()
