#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""behaviour.py GPUHISTO [unittest arguments]: what needs processes, pipes, signals and odd files."""
import base64
import contextlib
import csv
import io
import json
import os
import re
import resource
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import zlib

PROGRAM = os.path.abspath(sys.argv.pop(1))
DATA = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), 'data')
FLOWER = os.path.join(DATA, 'flower.jpg')


def run(*arguments, **more):
    more.setdefault('timeout', 60)
    return subprocess.run([PROGRAM, *arguments], capture_output=True, **more)


def as_somebody():
    """For preexec_fn: root may do everything, and what is refused could not be tested."""
    if os.geteuid() == 0:
        os.setgroups([])
        os.setuid(65534)


def without_threads():
    """For preexec_fn: no thread's stack fits into the address space."""
    resource.setrlimit(resource.RLIMIT_STACK, (1 << 48, resource.getrlimit(resource.RLIMIT_STACK)[1]))


def with_open_files(most):
    """For preexec_fn."""
    return lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def content_of(name):
    with open(name, 'rb') as file:
        return file.read()


def chunk(kind, content):
    return struct.pack('>I', len(content)) + kind + content + struct.pack('>I', zlib.crc32(kind + content))


def png(width, height, rows, color=0):
    """rows: the bytes of each row."""
    header = chunk(b'IHDR', struct.pack('>IIBBBBB', width, height, 8, color, 0, 0, 0))
    return (b'\x89PNG\r\n\x1a\n' + header + chunk(b'IDAT', zlib.compress(b''.join(b'\0' + row for row in rows))) +
            chunk(b'IEND', b''))


def gray_png(width, height, value):
    return png(width, height, [bytes([value]) * width] * height)


def read_pnm(data):
    """-> (width, height, samples) of a P5 or P6 with maxval 255."""
    magic, width, height, _, rest = data.split(None, 3)[0], *map(int, data.split(None, 3)[1:3]), 0, data.split(None, 3)[3]
    _, pixels = rest.split(b'\n', 1) if rest[:4] == b'255\n' else (0, rest[4:])
    return int(width), int(height), pixels


class InFolder(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder.name)

    def write(self, name, content):
        with open(name, 'wb') as file:
            file.write(content)
        return name


class Names(InFolder):
    ODD = [b'a b.png', b'-dash.png', b'new\nline.png', b'quo\'te".png', b'caf\xe9.png', b'a[1].png', b'[a,b].png', b'#hash@.png',
           b'x,y;z.png', b'%d.png', '日本語.png'.encode(), b'back\\slash.png', b'hist', b'stats']

    def test_every_name_works_and_is_carried_exactly(self):
        for name in self.ODD:
            self.write(name, gray_png(4, 4, 7))
        done = run('stats', '--format', 'json', '--', *self.ODD)
        self.assertEqual(done.returncode, 0, done.stderr)
        for name, result in zip(self.ODD, json.loads(done.stdout)['results']):
            carried = base64.b64decode(result['input_base64']) if 'input_base64' in result else result['input'].encode()
            self.assertEqual(carried, name)
        rows = list(csv.reader(io.StringIO(run('stats', '--format', 'csv', '--', *self.ODD).stdout.decode('latin1'))))
        self.assertEqual([row[0].encode('latin1') for row in rows[1:-1]], self.ODD)

    def test_names_without_the_double_dash(self):
        for name in self.ODD:
            self.write(name, gray_png(4, 4, 7))
        plain = [name for name in self.ODD if not name.startswith(b'-')]
        self.assertEqual(run('stats', *plain).returncode, 0)
        done = run('stats', '-dash.png')
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"goes after '--'", done.stderr)

    def test_arguments_after_the_dashes_are_names(self):
        self.write('--format', gray_png(4, 4, 7))
        done = run('stats', FLOWER, '--', '--format')
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_five_thousand_arguments(self):
        self.write('a.png', gray_png(4, 4, 7))
        done = run('stats', '--total-only', '--format', 'json', *['a.png'] * 5000)
        self.assertEqual(json.loads(done.stdout)['total']['files']['ok'], 5000)


class Inputs(InFolder):
    def test_standard_input(self):
        with open(FLOWER, 'rb') as file:
            piped = run('hist', '-', stdin=file)
        named = run('hist', FLOWER)
        self.assertEqual(piped.returncode, 0, piped.stderr)
        self.assertEqual([line.split(b',')[1:] for line in piped.stdout.splitlines()],
                         [line.split(b',')[1:] for line in named.stdout.splitlines()])
        self.assertEqual(run('stats', '-', stdin=subprocess.DEVNULL).returncode, 1)
        os.mkdir('-')  # a folder of that name is './-'
        self.assertEqual(run('plot', '-', input=named.stdout).returncode, 0)

    def test_standard_input_counts_from_where_it_stands(self):
        skipped = 16 << 20
        self.assertEqual(run('equalize', os.path.join(DATA, 'rose.ppm'), 'rose.bmp').returncode, 0)
        with open('rose.bmp', 'rb') as file:
            self.write('behind.bin', bytes(skipped) + file.read())
        with open('behind.bin', 'rb') as file:
            os.lseek(file.fileno(), skipped, os.SEEK_SET)
            done = run('hist', '-', '--max-memory', '8M', stdin=file)
        self.assertEqual((done.returncode, done.stderr), (0, b''))
        self.assertEqual([line.split(b',')[1:] for line in done.stdout.splitlines()],
                         [line.split(b',')[1:] for line in run('hist', 'rose.bmp').stdout.splitlines()])

    def test_one_bad_file_does_not_stop_the_others(self):
        self.write('good.png', gray_png(4, 4, 7))
        self.write('empty.jpg', b'')
        self.write('good2.png', gray_png(4, 4, 9))
        done = run('stats', '--format', 'csv', 'good.png', 'empty.jpg', 'good2.png')
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr.count(b'\n'), 1)
        self.assertIn(b'empty.jpg', done.stderr)
        rows = list(csv.DictReader(io.StringIO(done.stdout.decode())))
        self.assertEqual([(row['file'], row['status']) for row in rows[:3]],
                         [('good.png', 'ok'), ('empty.jpg', 'error'), ('good2.png', 'ok')])

    def test_what_cannot_be_read(self):
        os.mkdir('folder.png')
        os.symlink('/nonexistent', 'dangling.png')
        os.symlink('loop.png', 'loop.png')
        for name in ('folder.png', 'dangling.png', 'loop.png', 'missing.png'):
            done = run('stats', name)
            self.assertEqual(done.returncode, 1, name)
            self.assertIn(name.encode(), done.stderr)
            self.assertEqual(done.stderr.count(b'\n'), 1)

    def test_fifo_without_a_writer_is_named_then_read(self):
        os.mkfifo('fifo.png')
        process = subprocess.Popen([PROGRAM, 'stats', '--format', 'json', 'fifo.png'], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE)
        time.sleep(2.5)
        with open('fifo.png', 'wb') as file:
            file.write(gray_png(4, 4, 7))
        out, err = process.communicate(timeout=20)
        self.assertEqual(process.returncode, 0)
        self.assertIn(b'fifo.png', err)
        self.assertEqual(json.loads(out)['results'][0]['pixels'], 16)

    def through_pipes(self, *arguments, **contents):
        """-> the program run with a FIFO for each of the named contents, each written to once."""
        threads = []
        for name, content in contents.items():
            os.mkfifo(name)

            def feed(name=name, content=content):
                with contextlib.suppress(BrokenPipeError), open(name, 'wb') as file:
                    file.write(content)
            threads.append(threading.Thread(target=feed))
            threads[-1].start()
        done = run(*arguments, timeout=60)
        for thread in threads:
            thread.join()
        for name in contents:
            os.remove(name)
        return done

    def test_a_pipe_is_read_once(self):
        image = gray_png(2000, 2000, 7)
        for threads in ('1', '2', '8'):
            done = self.through_pipes('stats', '-j', threads, '--max-pixels', '100', 'a', a=image)
            self.assertEqual(done.returncode, 1)
            self.assertIn(b'--max-pixels', done.stderr)
            done = self.through_pipes('equalize', '-j', threads, '--max-memory', '16M', 'a', 'out.png', a=image)
            self.assertEqual(done.returncode, 0, done.stderr)
            done = self.through_pipes('hist', '-o', 't.json', 'a', a=image)
            done = self.through_pipes('compare', '-j', threads, '--format', 'csv', 'a', 'b',
                                      a=content_of('t.json'), b=content_of('t.json'))
            self.assertEqual(done.stdout.count(b',ok,'), 1, done.stdout + done.stderr)

    def test_a_pipe_has_its_share_of_memory(self):
        image = gray_png(2000, 2000, 7)
        self.write('file.png', image)
        done = self.through_pipes('equalize', '-j', '3', '--max-memory', '12M', '--output-dir', 'out',
                                  'file.png', 'a', 'b', a=image, b=image)
        self.assertEqual(done.returncode, 1)
        for name in (b'a', b'b'):
            self.assertRegex(done.stderr, name + rb': the whole image needs .* more than the 4 MiB of --max-memory for '
                             rb'one of 3 images at once; -j 1 leaves all of it to one, a pipe is read only once')
        self.assertEqual(os.listdir('out'), ['file.png'])

    def test_a_reader_that_leaves_is_noticed_beside_a_pipe_without_a_writer(self):
        os.mkfifo('fifo')
        self.write('a.png', gray_png(4, 4, 7))
        reader, writer = os.pipe()
        os.close(reader)
        done = subprocess.run([PROGRAM, 'stats', '-j', '2', 'a.png', 'fifo'], stdout=writer, stderr=subprocess.PIPE, timeout=20)
        os.close(writer)
        self.assertEqual((0, b''), (done.returncode, done.stderr))

    def test_folders(self):
        os.makedirs('tree/b/.hidden')
        os.makedirs('tree/a')
        for name in ('tree/z.png', 'tree/a/1.png', 'tree/b/2.png', 'tree/.hidden.png', 'tree/b/.hidden/3.png'):
            self.write(name, gray_png(4, 4, 7))
        self.write('tree/notes.txt', b'no image')
        os.symlink('..', 'tree/b/loop')
        done = run('stats', '-r', '--format', 'json', 'tree')
        self.assertEqual(done.returncode, 0, done.stderr)
        document = json.loads(done.stdout)
        read = [result['input'] for result in document['results'] if result['status'] == 'ok']
        self.assertEqual(read, ['tree/a/1.png', 'tree/b/2.png', 'tree/z.png'])
        self.assertEqual(document['total']['files'], {'ok': 3, 'failed': 0, 'flagged': 0, 'skipped': 1})
        self.assertEqual(run('stats', 'tree/notes.txt').returncode, 1)

    def test_a_list_that_is_none(self):
        self.write('zeros', bytes(1 << 20))
        self.write('line', b'x' * (1 << 20))
        for name, why in (('zeros', b'there is a NUL in the list'), ('line', b'a name of more than 65536 bytes')):
            done = run('stats', '--files-from', name)
            self.assertEqual(done.returncode, 2)
            self.assertIn(why, done.stderr)

    def test_files_from(self):
        for name in ('a.png', 'b\n.png'):
            self.write(name, gray_png(4, 4, 7))
        done = run('stats', '--files-from', '-', '-0', '--format', 'json', input=b'a.png\0b\n.png\0')
        self.assertEqual([r['input'] for r in json.loads(done.stdout)['results']], ['a.png', 'b\n.png'])
        self.write('list', b'a.png\n\na.png')
        self.assertEqual(len(json.loads(run('stats', '--files-from', 'list', '--format', 'json').stdout)['results']), 2)
        for name in ('missing', '.'):
            done = run('stats', '--files-from', name)
            self.assertEqual(done.returncode, 1)
            self.assertIn(b'--files-from ' + name.encode(), done.stderr)
        self.assertEqual(run('stats', '-', '--files-from', '-').returncode, 2)

    def test_a_list_without_names_or_end_can_be_stopped(self):
        with subprocess.Popen(['yes', ''], stdout=subprocess.PIPE) as endless:
            listing = subprocess.Popen([PROGRAM, 'stats', '--files-from', '-'], stdin=endless.stdout,
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            endless.stdout.close()
            time.sleep(0.5)
            listing.terminate()
            self.assertEqual(listing.wait(timeout=20), -signal.SIGTERM)

    def test_a_signal_amid_blank_names_ends_the_document(self):
        with open('list', 'wb') as file:
            file.write(b'missing.png\0')
            file.truncate(300 << 20)  # names that are empty
        listing = subprocess.Popen([PROGRAM, 'stats', '--files-from', 'list', '-0', '--fail-fast', '-j', '1', '--format', 'json'],
                                   stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0)
        first = listing.stdout.read(1)
        time.sleep(0.1)
        listing.send_signal(signal.SIGINT)
        json.loads(first + listing.communicate(timeout=60)[0])

    def test_standard_input_in_a_list(self):
        self.write('a.png', gray_png(4, 4, 7))
        done = run('stats', '--files-from', '-', '--format', 'json', input=b'a.png\n-\na.png\n')
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr, b"gpuhisto: standard input: gives the list of names and cannot be an image too; "
                                      b"a file called '-' is './-'\n")
        self.assertEqual(json.loads(done.stdout)['total']['files']['ok'], 2)
        self.write('list', b'-\n-\n')
        for names in ([], ['-']):
            done = run('stats', '--files-from', 'list', *names, '--format', 'json', input=gray_png(4, 4, 7))
            self.assertEqual(done.returncode, 1)
            self.assertIn(b'standard input: was read already', done.stderr)
            self.assertEqual(json.loads(done.stdout)['total']['files']['ok'], 1)

    def test_a_list_of_lines_with_a_nul_is_refused(self):
        self.write('a.png', gray_png(4, 4, 7))
        done = run('stats', '--files-from', '-', input=b'a.png\0a.png\0')
        self.assertEqual(done.returncode, 2)
        self.assertIn(b'-0', done.stderr)

    def test_folders_that_cannot_be_listed(self):
        os.chmod('.', 0o777)
        for name in ('tree/a', 'tree/b', 'tree/c'):
            os.makedirs(name)
        self.write('tree/b/1.png', gray_png(4, 4, 7))
        os.chmod('tree/a', 0)
        os.chmod('tree/c', 0)
        for command in (['stats', '-r', 'tree'], ['equalize', '--output-dir', 'out', '-r', 'tree']):
            done = run(*command, preexec_fn=as_somebody)
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertEqual(done.stderr, b'gpuhisto: tree/a: permission denied\ngpuhisto: tree/c: permission denied\n')
        self.assertEqual(os.listdir('out/tree'), ['b'])

    def test_an_empty_name_is_shown(self):
        self.assertIn(b"gpuhisto: '': no such file", run('stats', '').stderr)
        self.assertEqual(run('equalize', FLOWER, '').returncode, 2)


class Results(InFolder):
    def test_threads_that_cannot_be_had_are_done_without(self):
        landscape = os.path.join(DATA, 'landscape.jpg')
        for arguments in (['stats', '--format', 'csv', landscape], ['equalize', landscape, '-'],
                          ['equalize', '--gray', landscape, '-'], ['hist', *[FLOWER] * 9]):
            done = run(arguments[0], '-j', '4', *arguments[1:], preexec_fn=without_threads)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(done.stdout, run(*arguments).stdout, arguments)

    def test_few_open_files_cost_workers_and_no_file(self):
        names = [self.write('%d.ppm' % i, content_of(os.path.join(DATA, 'rose.ppm'))) for i in range(60)]
        folders = ['-r', '.']
        expected = {arguments[0]: run('stats', '--format', 'csv', *arguments).stdout for arguments in (names, folders)}
        for most in (4, 5, 8, 16, 40, 300):
            for arguments in (names, folders):
                # Below 6 there is no room for the folder that is listed.
                if most < 6 and arguments is folders:
                    continue
                done = run('stats', '-j', '64', '--format', 'csv', *arguments, preexec_fn=with_open_files(most))
                self.assertEqual((done.returncode, done.stderr), (0, b''), most)
                self.assertEqual(done.stdout, expected[arguments[0]], most)
        for most in (8, 16, 40):
            done = run('equalize', '-j', '64', '--output-dir', 'out', *names, preexec_fn=with_open_files(most))
            self.assertEqual((done.returncode, done.stderr), (0, b''), most)
            self.assertEqual(len(os.listdir('out')), 60)
        done = run('stats', '-v', '-j', '64', *names, preexec_fn=with_open_files(16))
        self.assertIn(b'images at a time: 2, by the limit on open files', done.stderr)

    def test_the_last_of_several_values_counts(self):
        done = run('stats', FLOWER, FLOWER, '--format', 'csv', '-j', '1', '--format=json', '-j2', '-q', '-q')
        self.assertEqual(len(json.loads(done.stdout)['results']), 2)

    def test_totals_are_weighted_by_pixels(self):
        self.write('a.png', gray_png(10, 10, 0))
        self.write('b.png', gray_png(30, 30, 200))
        total = json.loads(run('stats', '--format', 'json', 'a.png', 'b.png').stdout)['total']['channels']['luma']
        self.assertEqual((total['mean'], total['std']), (180, 60))

    def test_the_same_bytes_for_any_number_of_threads(self):
        names = [os.path.join(DATA, name) for name in sorted(os.listdir(DATA)) if not name.endswith('.md')]
        for command in (['stats', '--format', 'json'], ['hist'], ['stats']):
            outputs = {run(*command, '-j', str(threads), *names).stdout for threads in (1, 2, 3, 8)}
            self.assertEqual(len(outputs), 1, command)

    def test_output_is_the_same_file_for_any_number_of_threads(self):
        for arguments in ([], ['--gray'], ['--channels', 'each'], ['--channels', 'joint']):
            outputs = {run('equalize', *arguments, '--to', 'png', '-j', str(n), FLOWER, '-').stdout for n in (1, 2, 5)}
            self.assertEqual(len(outputs), 1, arguments)

    def test_locale_changes_nothing(self):
        plain = run('stats', '--format', 'csv', FLOWER)
        for locale in ('de_DE.UTF-8', 'C', 'tr_TR.UTF-8'):
            self.assertEqual(run('stats', '--format', 'csv', FLOWER, env={**os.environ, 'LC_ALL': locale}).stdout, plain.stdout)

    def test_a_plot_of_bins_has_the_figures_of_the_levels(self):
        done = run('hist', FLOWER, '--channels', 'luma', '--bins', '2', '--format', 'json', '--plot', 'p.svg')
        self.write('t.json', done.stdout)
        luma = json.loads(run('stats', FLOWER, '--format', 'json').stdout)['results'][0]['channels']['luma']
        self.assertIn('%.1f ± %.1f' % (luma['mean'], luma['std']), content_of('p.svg').decode())
        for arguments in (['-o', 'table.svg'], []):
            drawn = run('plot', 't.json', *arguments).stdout + (content_of('table.svg') if arguments else b'')
            self.assertNotIn('±'.encode(), drawn)
            self.assertIn(b'2 bins', drawn)

    def test_a_total_is_drawn_by_the_name_of_its_file(self):
        self.write('t.json', run('stats', FLOWER, '--total-only', '--format', 'json').stdout)
        self.assertIn(b't.json', run('plot', 't.json').stdout)

    def test_a_channel_without_pixels_has_no_figures(self):
        self.write('gray.pgm', b'P5 1 1 255\n\x07')
        self.write('clear.pam', b'P7\nWIDTH 1\nHEIGHT 1\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n\x01\x02\x03\x00')
        done = run('hist', '--alpha', 'skip', 'gray.pgm', 'clear.pam', '--format', 'json', '--plot', 'p.svg')
        self.assertIn('7.0 ± 0.0', content_of('p.svg').decode())
        self.assertNotIn('0.0 ± 0.0', content_of('p.svg').decode())

    def test_numbers_go_to_stdout_and_nothing_else(self):
        done = run('hist', FLOWER)
        self.assertEqual(done.stderr, b'')
        self.assertEqual(len(done.stdout.splitlines()), 257)
        self.assertNotIn(b'\x1b', run('stats', FLOWER).stdout)


class Devices(InFolder):
    def expect(self, code, *arguments, **environment):
        done = run('stats', *arguments, FLOWER, env={**os.environ, 'CUDA_VISIBLE_DEVICES': '', **environment})
        self.assertEqual(done.returncode, code, (arguments, environment, done.stderr))
        return done

    def test_rules(self):
        self.expect(2, '--method', 'cpu', '--device', 'gpu')
        self.expect(2, '--method', 'per-block', '--device', 'cpu')
        self.expect(2, '--method', 'per-blok')
        self.expect(2, '--device', 'gpux')
        self.expect(2, '--device', 'gpu:x')
        self.assertIn(b'per-block', self.expect(2, '--method', 'per-blok').stderr)
        self.assertEqual(self.expect(0, '--method', 'cpu', '--device', 'cpu').stderr, b'')

    def test_environment(self):
        self.assertIn(b'GPUHISTO_METHOD', self.expect(2, GPUHISTO_METHOD='nonsense').stderr)
        self.assertIn(b'GPUHISTO_THREADS', self.expect(2, GPUHISTO_THREADS='-1').stderr)
        self.assertIn(b'GPUHISTO_DEVICE', self.expect(2, GPUHISTO_DEVICE='x').stderr)
        self.expect(0, '--method', 'cpu', GPUHISTO_METHOD='nonsense')

    @unittest.skipIf(os.path.exists('/dev/kfd') or os.path.exists('/dev/nvidia0'), 'this machine has a GPU')
    def test_without_a_gpu(self):
        self.expect(4, '--device', 'gpu')
        self.expect(4, '--device', 'gpu:7')
        done = self.expect(0, '--method', 'per-block', '--format', 'json')
        self.assertEqual(done.stderr.count(b'\n'), 1)
        self.assertEqual(json.loads(done.stdout)['results'][0]['method'], 'cpu')

    @unittest.skipIf(os.path.exists('/dev/kfd') or os.path.exists('/dev/nvidia0'), 'this machine has a GPU')
    def test_wishes_from_the_environment_are_named(self):
        self.assertIn(b'GPUHISTO_DEVICE=gpu: no GPU', self.expect(4, GPUHISTO_DEVICE='gpu').stderr)
        done = self.expect(0, '--policy', 'replicas=4', '--format', 'json', GPUHISTO_METHOD='per-block')
        self.assertIn(b'GPUHISTO_METHOD=per-block: the CPU counts instead of method', done.stderr)
        done = self.expect(0, '--policy', 'replicas=4', '--format', 'json')
        self.assertIn(b"the CPU counts instead of policy 'replicas=4'", done.stderr)
        self.assertEqual(done.stderr.count(b'\n'), 1)
        self.assertEqual(json.loads(done.stdout)['results'][0]['method'], 'cpu')

    def listed(self, **environment):
        done = run('devices', '--format', 'json', env={**os.environ, **environment})
        self.assertEqual((done.returncode, done.stderr), (0, b''))
        return json.loads(done.stdout)

    def test_devices_are_listed_whatever_there_is(self):
        document = self.listed()
        self.assertEqual(document['devices'][0]['device'], 'cpu')
        self.assertGreaterEqual(document['devices'][0]['threads'], 1)
        modules = {entry.get('module') for entry in document['devices'] + document['missing']}
        self.assertTrue({'gpuhisto_hip', 'gpuhisto_cuda', 'gpuhisto_emulated'} <= modules)
        rows = list(csv.DictReader(io.StringIO(run('devices', '--format', 'csv').stdout.decode())))
        self.assertEqual([row['device'] for row in rows if row['device']], [d['device'] for d in document['devices']])
        self.assertEqual([row['reason'] for row in rows if not row['device']], [m['reason'] for m in document['missing']])
        text = run('devices').stdout.decode()
        for entry in document['devices']:
            self.assertIn('\n' + entry['device'] + ' ', text)
        for entry in document['missing']:
            self.assertIn(entry['reason'], text)


    def test_version_tells_what_does_not_load(self):
        with open('gpuhisto_broken.so', 'wb') as file:
            file.write(b'this is no shared object')
        done = run('--version', env={**os.environ, 'GPUHISTO_PLUGIN_PATH': os.getcwd()})
        self.assertEqual((done.returncode, done.stderr), (0, b''))
        names = re.search(r'^modules: (.*)$', done.stdout.decode(), re.MULTILINE)[1].split()
        self.assertIn('gpuhisto_broken', names)
        unusable = re.findall(r'^not usable: (\w+): .', done.stdout.decode(), re.MULTILINE)
        self.assertIn('gpuhisto_broken', unusable)
        self.assertNotIn('gpuhisto_codecs', unusable)

    def test_modules_that_are_installed_load(self):
        """Without a GPU the reason is a missing device, driver or runtime, never the module itself."""
        installed = run('--version').stdout.decode().split()
        reasons = {entry['module']: entry['reason'] for entry in self.listed()['missing']}
        for module in ('gpuhisto_hip', 'gpuhisto_cuda', 'gpuhisto_emulated'):
            if module in installed:
                self.assertNotRegex(reasons.get(module, ''), 'does not load|belongs to|has no function|another version')
            else:
                self.assertIn('is not installed', reasons[module])


def has_emulated():
    return b'gpuhisto_emulated' in run('--version').stdout


@unittest.skipUnless(has_emulated(), 'the emulated device is not built')
class Bench(InFolder):
    QUICK = ('bench', '--device', 'emulated', '--pixels', '1000', '--rounds', '1', '--pattern', 'ramp')

    def setUp(self):
        super().setUp()
        if b'emulated' not in run('devices', '--format', 'csv').stdout.split(b'not available')[0]:
            self.skipTest('there is no emulated device')

    def test_a_method_that_was_named_and_did_not_run_is_no_success(self):
        self.assertEqual(run(*self.QUICK).returncode, 0)  # all: what a device cannot do is told in the table
        done = run(*self.QUICK, '--method', 'per-block,per-thread', '--keys', 'u32')
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"method 'per-thread' did not run: ", done.stderr)
        self.assertIn(b'per-block', done.stdout)

    def test_a_policy_that_nothing_can_run_is_no_success(self):
        done = run(*self.QUICK, '--policy', 'block=33')
        self.assertEqual(done.returncode, 2)
        self.assertIn(b'block=33 is no multiple of the wave size', done.stderr)

    def test_what_memory_does_not_hold_loses_nothing_else(self):
        done = run(*self.QUICK, '--pixels', '1000,200T', '--format', 'json', '-o', 'all.json')
        self.assertEqual(done.returncode, 1)
        self.assertIn(b'ramp, 200000000000000 gray pixels (182 TiB): this takes ', done.stderr)
        with open('all.json') as file:
            self.assertEqual({result['pixels'] for result in json.load(file)['results']}, {1000})
        done = run(*self.QUICK, '--pixels', '200T', '-o', 'none.csv')
        self.assertEqual((done.returncode, os.path.exists('none.csv')), (1, False))

    def test_a_size_beyond_memory_hides_no_method_that_did_not_run(self):
        done = run(*self.QUICK, '--pixels', '100,1T', '--keys', 'u32', '--method', 'per-block,per-thread')
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"method 'per-thread' did not run: ", done.stderr)
        self.assertIn(b': this takes ', done.stderr)

    def test_nothing_measured_is_nothing_drawn(self):
        done = run(*self.QUICK, '--method', 'per-thread', '--keys', 'u32', '--plot', 'chart.png')
        self.assertEqual(done.returncode, 2)
        self.assertEqual(os.listdir('.'), [])

    def test_table_and_plot_need_a_place_each(self):
        for places in (('-o', 'a.svg', '--plot', 'a.svg'), ('--plot', '-')):
            self.assertEqual(run(*self.QUICK, *places).returncode, 2, places)
        self.assertEqual(os.listdir('.'), [])


class Emulated(InFolder):
    def test_too_little_address_space_is_one_line(self):
        for kibibytes in range(60000, 400000, 40000):
            limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (kibibytes << 10, kibibytes << 10))
            if run('--help', preexec_fn=limit).returncode != 0:
                self.skipTest('not even the help comes within %d KiB: a sanitizer takes them' % kibibytes)
            for command in (('bench', '--pixels', '4096', '--pattern', 'uniform', '--rounds', '1'), ('stats', FLOWER)):
                done = run(*command, '--device', 'emulated', preexec_fn=limit)
                self.assertIn(done.returncode, (0, 1, 4), (kibibytes, command, done.stderr))
                self.assertEqual(done.stderr.count(b'\n'), 0 if done.returncode == 0 else 1, (kibibytes, done.stderr))

    def test_a_method_that_the_device_has_not_is_refused_once(self):
        for command in (('stats', FLOWER, FLOWER), ('equalize', FLOWER, 'out.png')):
            done = run(*command, '--device', 'emulated', '--method', 'vendor')
            self.assertEqual((done.returncode, done.stdout), (2, b''))
            self.assertEqual(done.stderr.count(b"method 'vendor' does not run on device 'emulated'"), 1)

    """The same bytes as from the CPU, through the same code as a GPU."""
    def both(self, command, *arguments, **more):
        cpu = run(command, *arguments, '--device', 'cpu', **more)
        device = run(command, *arguments, '--device', 'emulated', **more)
        self.assertEqual((cpu.returncode, device.returncode), (0, 0), device.stderr)
        return cpu, device

    def test_the_same_numbers_as_the_cpu(self):
        names = [os.path.join(DATA, name) for name in ('scan.png', 'bricks.png', 'rose.ppm')]
        for command in ('stats', 'hist'):
            cpu, device = self.both(command, *names, '--format', 'csv')
            self.assertEqual(cpu.stdout, device.stdout)
        for name in names:
            cpu, device = self.both('equalize', name, '-')
            self.assertEqual(cpu.stdout, device.stdout)
        cpu, device = self.both('plot', names[0])
        self.assertEqual(cpu.stdout, device.stdout)

    def test_json_tells_who_counted(self):
        done = run('stats', '--format', 'json', '--device', 'emulated', '--method', 'per-thread', '--policy',
                   'overflow=periodic-merge', os.path.join(DATA, 'scan.png'))
        result = json.loads(done.stdout)['results'][0]
        self.assertEqual((result['device'], result['method']), ('emulated', 'per-thread'))

    def test_every_policy_counts_the_same(self):
        scan = os.path.join(DATA, 'scan.png')
        plain = run('hist', scan).stdout
        for overflow in ('periodic-merge', 'avoid', 'check'):
            for layout in ('byte-per-lane', 'interleaved', 'column', 'row'):
                done = run('hist', '--device', 'emulated', '--method', 'per-thread', '--policy',
                           'overflow=%s,layout=%s' % (overflow, layout), scan)
                self.assertEqual((done.returncode, done.stdout), (0, plain), (overflow, layout, done.stderr))

    def test_a_policy_that_the_device_cannot_run(self):
        for command in (['stats', FLOWER], ['equalize', FLOWER, 'out.png'], ['plot', FLOWER]):
            done = run(*command, '--device', 'emulated', '--policy', 'block=100000')
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(b'1024 threads', done.stderr)
        # For the pixels of one image alone, which need more memory than a block has.
        cutout = os.path.join(DATA, 'cutout.png')
        done = run('stats', '--device', 'emulated', '--policy', 'replicas=32', '--format', 'json', cutout,
                   os.path.join(DATA, 'scan.png'))
        self.assertEqual(done.returncode, 1)
        self.assertIn(b"policy 'replicas=32': replicas=32 needs 163840 bytes of shared memory", done.stderr)
        self.assertEqual([r['status'] for r in json.loads(done.stdout)['results']], ['error', 'ok'])


class Loaded(InFolder):
    def test_no_opencv_is_loaded(self):
        for command in (['stats', FLOWER], ['hist', FLOWER], ['equalize', FLOWER, 'out.png']):
            done = run(*command, env={**os.environ, 'LD_DEBUG': 'files'})
            self.assertEqual(done.returncode, 0)
            self.assertIn(b'libc.so', done.stderr)
            for library in (b'opencv', b'tiff', b'webp', b'amdhip', b'cudart'):
                self.assertNotIn(b'lib' + library, done.stderr.lower(), command)


class Outputs(InFolder):
    def test_pipe_through(self):
        with open(os.path.join(DATA, 'scan.png'), 'rb') as file:
            done = run('equalize', '-', '-', stdin=file)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(done.stdout.startswith(b'\x89PNG'))

    def test_onto_itself(self):
        self.write('a.png', content_of(os.path.join(DATA, 'scan.png')))
        os.chmod('a.png', 0o640)
        self.assertEqual(run('equalize', 'a.png', 'a.png').returncode, 0)
        self.assertEqual(os.stat('a.png').st_mode & 0o777, 0o640)
        self.assertEqual(os.listdir('.'), ['a.png'])

    def test_a_failure_keeps_the_old_file(self):
        self.write('out.png', b'old')
        self.write('cut.jpg', content_of(FLOWER)[:20000])
        self.assertEqual(run('equalize', 'cut.jpg', 'out.png').returncode, 1)
        self.assertEqual(content_of('out.png'), b'old')
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
        self.assertEqual(run('equalize', FLOWER, 'out.png', preexec_fn=limit).returncode, 1)
        self.assertEqual(content_of('out.png'), b'old')
        self.assertEqual(sorted(os.listdir('.')), ['cut.jpg', 'out.png'])

    def test_damage_that_leaves_nothing_is_no_output(self):
        self.write('cut.png', gray_png(400, 400, 7)[:60])
        self.assertEqual(run('stats', '--tolerate-damage', 'cut.png').returncode, 0)
        done = run('equalize', '--tolerate-damage', 'cut.png', 'out.png')
        self.assertEqual(done.returncode, 1)
        self.assertIn(b'0 of 400 rows decoded', done.stderr)
        self.assertFalse(os.path.exists('out.png'))

    def test_no_clobber(self):
        self.write('out.png', b'old')
        self.assertEqual(run('equalize', '-n', FLOWER, 'out.png').returncode, 3)
        self.assertEqual(content_of('out.png'), b'old')

    def test_messages_name_the_output(self):
        for arguments in (['stats', FLOWER, '-o'], ['hist', FLOWER, '-o', 'h.csv', '--plot'], ['plot', FLOWER, '-o'],
                          ['equalize', FLOWER]):
            done = run(*arguments, 'missing/out.png')
            self.assertEqual(done.returncode, 1)
            self.assertIn(b'cannot write missing/out.png: no such file', done.stderr, arguments)
        for arguments in (['stats', FLOWER], ['plot', FLOWER], ['equalize', FLOWER, '-'], ['--help']):
            with open('/dev/full', 'w') as full:
                done = subprocess.run([PROGRAM, *arguments], stdout=full, stderr=subprocess.PIPE)
            self.assertEqual(done.returncode, 1)
            self.assertIn(b'cannot write standard output: no space left', done.stderr, arguments)

    def test_table_and_plot_of_one_name(self):
        self.write('old.svg', b'old')
        os.symlink('old.svg', 'link.svg')
        for arguments in (['-o', 'old.svg', '--plot', './old.svg'], ['-o', 'link.svg', '--plot', 'old.svg'],
                          ['-o', 'new.svg', '--plot', 'new.svg'], ['--plot', '-']):
            self.assertEqual(run('hist', FLOWER, *arguments).returncode, 2, arguments)
        self.assertEqual(content_of('old.svg'), b'old')
        self.assertFalse(os.path.exists('new.svg'))

    def test_an_output_folder_that_cannot_be_made(self):
        os.chmod('.', 0o777)
        os.mkdir('locked', 0o555)
        done = run('equalize', '--output-dir', 'locked/out', FLOWER, preexec_fn=as_somebody)
        self.assertEqual(done.returncode, 1)
        self.assertIn(b'cannot make the folder locked/out: permission denied', done.stderr)

    def test_links_devices_and_fifos(self):
        self.write('real.png', b'old')
        os.symlink('real.png', 'link.png')
        self.assertEqual(run('equalize', FLOWER, 'link.png').returncode, 0)
        self.assertTrue(os.path.islink('link.png'))
        self.assertTrue(content_of('real.png').startswith(b'\x89PNG'))
        self.assertEqual(run('equalize', FLOWER, '/dev/null', '--to', 'png').returncode, 0)
        self.assertTrue(os.path.exists('/dev/null') and not os.path.isfile('/dev/null'))
        self.assertEqual(run('equalize', FLOWER, '/dev/full', '--to', 'png').returncode, 1)

    def test_standard_output_that_fails(self):
        with open('/dev/full', 'w') as full:
            done = subprocess.run([PROGRAM, 'hist', FLOWER], stdout=full, stderr=subprocess.PIPE)
        self.assertEqual(done.returncode, 1)
        self.assertIn(b'no space left', done.stderr)
        done = subprocess.run(['sh', '-c', '"$0" stats "$1" >&-', PROGRAM, FLOWER], stderr=subprocess.PIPE)
        self.assertEqual(done.returncode, 1)

    def test_broken_pipe_is_quiet(self):
        done = subprocess.run(['bash', '-c', 'set -o pipefail; "$0" hist "$@" | head -1', PROGRAM, *[FLOWER] * 40],
                              capture_output=True, timeout=60)
        self.assertEqual((done.returncode, done.stderr), (0, b''))

    def test_signals_leave_old_or_new(self):
        self.write('in.jpg', content_of(os.path.join(DATA, 'landscape.jpg')))
        self.write('out.png', b'old')
        for i in range(30):
            process = subprocess.Popen([PROGRAM, 'equalize', 'in.jpg', 'out.png'], stderr=subprocess.DEVNULL)
            time.sleep(0.004 * i)
            process.send_signal(signal.SIGINT if i % 2 else signal.SIGTERM)
            code = process.wait(timeout=20)
            self.assertIn(code, (0, -signal.SIGINT, -signal.SIGTERM))
            content = content_of('out.png')
            self.assertTrue(content == b'old' or content.endswith(b'IEND\xaeB`\x82'))
            self.assertEqual(sorted(os.listdir('.')), ['in.jpg', 'out.png'])

    def test_output_folder(self):
        os.makedirs('in/sub')
        self.write('in/a.png', gray_png(4, 4, 7))
        self.write('in/sub/a.png', gray_png(4, 4, 7))
        self.write('in/bad.png', b'\x89PNG\r\n\x1a\n')
        done = run('equalize', '--output-dir', 'out', '-r', 'in')
        self.assertEqual(done.returncode, 1)
        found = sorted(os.path.join(base, name) for base, _, names in os.walk('out') for name in names)
        self.assertEqual(found, ['out/in/a.png', 'out/in/sub/a.png'])
        done = run('equalize', '--output-dir', 'other', 'in/a.png', 'in/./a.png')
        self.assertEqual(done.returncode, 2)
        self.assertFalse(os.path.exists('other'))

    def test_an_output_folder_that_cannot_be_made_costs_its_own_images_alone(self):
        os.chmod('.', 0o777)
        for name in ('a', 's/b', 'z'):
            os.makedirs(os.path.dirname('in/' + name), exist_ok=True)
            self.write(f'in/{name}.png', gray_png(4, 4, 7))
        os.makedirs('circle')
        os.symlink('s', 'circle/s')
        os.makedirs('locked/s')
        os.makedirs('file')
        self.write('file/s', b'')
        for folder in ('circle', 'locked', 'file'):
            os.chmod(folder, 0o777)
        os.chmod('locked/s', 0)
        for folder in ('circle', 'locked', 'file'):
            for threads in '12':
                done = run('equalize', '-j', threads, '-r', 'a.png', 's', 'z.png', '--output-dir', '../' + folder, cwd='in',
                           preexec_fn=as_somebody)
                self.assertEqual(done.returncode, 1)
                self.assertEqual(done.stderr.count(b'\n'), 1, done.stderr)
                self.assertIn(b's/b.png: cannot ', done.stderr)
                self.assertEqual({'a.png', 's', 'z.png'}, set(os.listdir(folder)))
                os.remove(folder + '/z.png')

    def test_a_second_run_into_the_same_folder_does_the_same(self):
        os.makedirs('in/sub')
        os.symlink('../../out', 'in/sub/link')
        self.write('in/a.png', gray_png(4, 4, 7))
        for command in (['--output-dir', 'out', '-r', '.'], ['--output-dir', os.path.abspath('out'), '-r', '.'],
                        ['--output-dir', 'in/../out', '-r', 'in'], ['--output-dir', './out', '-r', os.getcwd()]):
            trees = []
            for _ in range(2):
                done = run('equalize', *command)
                trees.append(sorted(os.walk('out')))
            self.assertEqual(trees[0], trees[1], command)
            self.assertEqual((done.returncode, done.stderr.count(b'\n')), (0, 1), done.stderr)
            self.assertIn(b'the output folder', done.stderr)
            shutil.rmtree('out')
        done = run('equalize', '--output-dir', 'in', '-r', './in/')
        self.assertEqual((done.returncode, os.path.exists('in/in')), (2, False), done.stderr)
        os.unlink('in/sub/link')
        self.assertEqual(run('equalize', '--output-dir', '.', '-r', 'in').returncode, 0)  # in place

    def test_outputs_that_meet_through_links(self):
        for name in ('a', 'b', 'out/b'):
            os.makedirs(name)
        names = [self.write(name, gray_png(4, 4, 7)) for name in ('a/1.png', 'b/1.png')]
        for link, to in (('out/a', 'b'), ('out/a', os.path.abspath('out/b'))):
            os.symlink(to, link)
            done = run('equalize', '--output-dir', 'out', *names)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(b'a/1.png and b/1.png would both become', done.stderr)
            os.unlink(link)
        os.mkdir('out/a')
        os.symlink('../b/1.png', 'out/a/1.png')  # leads nowhere yet
        self.assertEqual(run('equalize', '--output-dir', 'out', *names).returncode, 2)
        self.assertEqual(os.listdir('out/b'), [])
        os.unlink('out/a/1.png')
        self.assertEqual(run('equalize', '--output-dir', 'out', *names).returncode, 0)
        done = run('equalize', '--output-dir', 'out', *names, 'out/b/1.png')
        self.assertEqual(done.returncode, 2)
        self.assertIn(b'the result of b/1.png would replace the input out/b/1.png', done.stderr)

    def test_no_folder_is_left_empty(self):
        os.mkdir('old')
        self.write('bad.png', b'\x89PNG\r\n\x1a\n')
        for folder in ('new/er/est', 'old', 'old/new'):
            self.assertEqual(run('equalize', '--output-dir', folder, 'bad.png').returncode, 1)
        self.assertEqual(sorted(os.listdir('.')), ['bad.png', 'old'])
        self.assertEqual(os.listdir('old'), [])
        self.assertEqual(run('equalize', '--output-dir', 'new', 'bad.png', FLOWER).returncode, 1)
        self.assertEqual(os.listdir('new'), ['flower.jpg'])

    def test_names_without_an_extension_of_images_are_kept(self):
        os.mkdir('in')
        for name in ('x.001', 'x.002', 'v1.2', 'n', 'a.tif'):
            shutil.copy(FLOWER, os.path.join('in', name))
        self.assertEqual(run('equalize', '-r', 'in', '--output-dir', 'out').returncode, 0)
        self.assertEqual(sorted(os.listdir('out/in')), ['a.png', 'n.png', 'v1.2.png', 'x.001.png', 'x.002.png'])

    def test_a_pgm_is_gray_however_it_is_called(self):
        for name in ('o.pgm', 'o.Pgm', 'o.PGM'):
            done = run('equalize', FLOWER, name)
            self.assertEqual((done.returncode, os.listdir('.')), (1, []), done.stderr)

    def test_a_gray_image_lies_on_the_luma_of_the_background(self):
        self.write('a.pam', b'P7\nWIDTH 2\nHEIGHT 1\nDEPTH 2\nMAXVAL 255\nTUPLTYPE GRAYSCALE_ALPHA\nENDHDR\n\xc8\x00\xc8\xff')
        self.assertEqual(run('equalize', 'a.pam', 'o.pgm', '--background', '#00ff00').returncode, 0)
        self.assertEqual(read_pnm(content_of('o.pgm'))[2][0], 150)

    def test_plot_and_result_are_not_one_file(self):
        os.mkdir('real')
        os.symlink('real', 'link')
        os.symlink('new.svg', 'dangling.svg')
        for output, plot in (('./new.png', 'new.png'), ('real/a.png', 'link/a.png'), ('new.svg', 'dangling.svg')):
            done = run('equalize', FLOWER, output, '--to', 'png', '--plot', plot)
            self.assertEqual((done.returncode, done.stdout), (2, b''), done.stderr)
            self.assertFalse(os.path.exists(output))
        for command in (['hist', FLOWER], ['bench', '--pixels', '50', '--pattern', 'constant']):
            done = run(*command, '--format', 'csv', '-o', 'new.svg', '--plot', './new.svg')
            self.assertEqual((done.returncode, os.path.exists('new.svg')), (2, False), done.stderr)
        with open('o.png', 'wb') as out:
            done = subprocess.run([PROGRAM, 'equalize', FLOWER, '-', '--plot', 'o.png'], stdout=out, stderr=subprocess.PIPE)
        self.assertEqual((done.returncode, content_of('o.png')), (2, b''), done.stderr)
        os.mkdir('out')
        shutil.copy(FLOWER, 'f.jpg')
        with open('out/f.jpg', 'wb') as out:
            done = subprocess.run([PROGRAM, 'equalize', 'f.jpg', '--output-dir', 'out', '--plot', '-'], stdout=out, stderr=subprocess.PIPE)
        self.assertEqual((done.returncode, content_of('out/f.jpg')), (2, b''), done.stderr)
        self.assertNotIn(b'replaced', run('equalize', 'missing.png', '--output-dir', '.').stderr)

    def test_transparency(self):
        cutout = os.path.join(DATA, 'cutout.png')
        done = run('equalize', cutout, 'out.jpg')
        self.assertEqual(done.returncode, 1)
        self.assertIn(b'PNG', done.stderr)
        self.assertFalse(os.path.exists('out.jpg'))
        self.assertEqual(run('equalize', cutout, 'out.jpg', '--background', 'white').returncode, 0)
        self.assertEqual(run('equalize', cutout, 'out.pam').returncode, 0)


class Equalised(InFolder):
    def pixels(self, content, *arguments):
        self.write('in.ppm', content)
        done = run('equalize', *arguments, 'in.ppm', '-', '--to', 'pnm')
        self.assertEqual(done.returncode, 0, done.stderr)
        return read_pnm(done.stdout)[2]

    def test_constant_images_stay(self):
        for value in (0, 127, 128, 255):
            self.assertEqual(self.pixels(b'P5 3 2 255\n' + bytes([value] * 6)), bytes([value] * 6))

    def test_the_textbook_formula(self):
        values = bytes([100] * 3 + [120] * 2 + [150] * 3)
        # cdf - cdf_min over N - cdf_min: 0, 2/5, 5/5
        self.assertEqual(self.pixels(b'P5 8 1 255\n' + values), bytes([0] * 3 + [102] * 2 + [255] * 3))

    def test_joint_differs_from_each(self):
        content = b'P6 4 1 255\n' + bytes([10, 20, 30, 20, 30, 40, 30, 40, 50, 40, 50, 60])
        self.assertEqual(self.pixels(content, '--channels', 'each'), bytes([0, 0, 0, 85, 85, 85, 170, 170, 170, 255, 255, 255]))
        joint = self.pixels(content, '--channels', 'joint')
        self.assertEqual((min(joint), max(joint), joint[1] == joint[3]), (0, 255, True))

    def test_luma_option(self):
        done = run('equalize', '--luma', 'bt709', FLOWER, 'out.png')
        self.assertEqual(done.returncode, 2)
        self.assertEqual(run('equalize', '--luma', 'bt709', '--gray', FLOWER, 'out.png').returncode, 0)


if __name__ == '__main__':
    unittest.main()
