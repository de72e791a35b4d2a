#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""faults.py GPUHISTO FOLDER [unittest arguments]: devices and modules that fail, as users of the program meet them.

FOLDER has the modules faulty_module, foreign_abi and foreign_version. Each test runs a copy of the program, so that its
folder of modules holds just what the test puts there.
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

PROGRAM, MODULES = os.path.abspath(sys.argv.pop(1)), os.path.abspath(sys.argv.pop(1))
DATA = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), 'data')
SCAN, FLOWER, ROSE = (os.path.join(DATA, name) for name in ('scan.png', 'flower.jpg', 'rose.ppm'))
UNKNOWN, LAUNCH, MEMORY, NO_DEVICE = 999, 719, 2, 100  # hipErrorUnknown, ...LaunchFailure, ...OutOfMemory, ...NoDevice
NO_CODE = 209  # ...NoBinaryForGpu
ALWAYS = 1 << 30


class Faults(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(folder.name)
        os.makedirs('bin')
        os.makedirs('lib/gpuhisto')
        shutil.copy(PROGRAM, 'bin/gpuhisto')

    def install(self, module, name='gpuhisto_cuda'):
        shutil.copy(os.path.join(MODULES, module + '.so'), 'lib/gpuhisto/%s.so' % name)

    def run_with(self, fault, *arguments, stdin=b''):
        environment = {key: value for key, value in os.environ.items() if not key.startswith('GPUHISTO_')}
        if fault:
            environment['GPUHISTO_TEST_FAULT'] = '%s %d %d %d' % fault
        return subprocess.run(['bin/gpuhisto', *arguments], capture_output=True, env=environment, input=stdin, timeout=120)

    def cpu(self, *arguments):
        done = self.run_with(None, *arguments, '--device', 'cpu')
        self.assertEqual(done.returncode, 0)
        return done.stdout

    def reason(self):
        done = self.run_with(None, 'devices', '--format', 'json')
        self.assertEqual((done.returncode, done.stderr), (0, b''))
        return {entry['module']: entry['reason'] for entry in json.loads(done.stdout)['missing']}['gpuhisto_cuda']

    def refused(self, text):
        """--device gpu is an error that says why, auto counts on the CPU and says so, devices lists the reason."""
        self.assertIn(text, self.reason())
        done = self.run_with(None, 'stats', '--device', 'gpu', SCAN)
        self.assertEqual((done.returncode, done.stdout), (4, b''))
        self.assertIn(text.encode(), done.stderr)
        done = self.run_with(None, 'hist', '--method', 'per-block', SCAN)
        self.assertEqual((done.returncode, done.stdout), (0, self.cpu('hist', SCAN)))
        self.assertEqual(done.stderr.count(b'\n'), 1)
        self.assertIn(text.encode(), done.stderr)

    # --- modules

    def test_missing(self):
        self.refused('gpuhisto_cuda.so is not installed')

    def test_corrupt(self):
        for content in (b'', b'this is no shared object', open(os.path.join(MODULES, 'faulty_module.so'), 'rb').read()[:5000]):
            with open('lib/gpuhisto/gpuhisto_cuda.so', 'wb') as file:
                file.write(content)
            self.refused('the module does not load')

    def test_of_another_version(self):
        self.install('foreign_version')
        self.refused('belongs to version 0.0.0')

    def test_codecs_and_drawing_of_another_version(self):
        with open('scan.tiff', 'wb') as file:
            file.write(b'II*\0' + bytes(100))
        for module, *arguments in (('gpuhisto_codecs', 'stats', 'scan.tiff'), ('gpuhisto_draw', 'plot', ROSE, '-o', 'plot.png')):
            self.install('foreign_version', module)
            done = self.run_with(None, *arguments)
            self.assertEqual((done.returncode, done.stdout.count(b',ok,')), (1, 0))
            self.assertRegex(done.stderr.decode(), module + r'\.so belongs to version 0\.0\.0, this is version \d+\.\d+\.\d+\b')

    def test_drawing_that_is_missing_is_told_before_any_work(self):
        for command in (['bench', '--device', 'cpu', '--pixels', '1000'], ['hist', ROSE]):
            done = self.run_with(None, *command, '--plot', 'chart.png')
            self.assertEqual((done.returncode, done.stdout), (1, b''), command)
            self.assertIn(b'to plot as PNG: the module gpuhisto_draw.so is not installed', done.stderr)
            self.assertFalse(os.path.exists('chart.png'))

    def test_bench_measures_a_named_method_of_a_gpu_or_nothing(self):
        for methods in ('per-block', 'per-block,all', 'all,cpu,per-block'):
            done = self.run_with(None, 'bench', '--pixels', '1000', '--method', methods)
            self.assertEqual((done.returncode, done.stdout), (4, b''), methods)

    def test_bench_tells_what_fails_before_it_measures_the_cpu(self):
        cpu = ('bench', '--pixels', '1000', '--rounds', '1', '--pattern', 'constant', '--hot', '--format', 'csv')
        for module, fault, why in (('faulty_module', ('hipGetDeviceCount', UNKNOWN, 0, ALWAYS), b'hipErrorUnknown'),
                                   ('faulty_module', ('hipSetDevice', UNKNOWN, 0, ALWAYS), b'hipErrorUnknown'),
                                   ('foreign_abi', None, b'another version'), ('foreign_version', None, b'belongs to version')):
            self.install(module)
            done = self.run_with(fault, *cpu)
            self.assertEqual((done.returncode, done.stderr.count(b'CPU is measured instead')), (0, 1), (module, done.stderr))
            self.assertIn(why, done.stderr)
        for absent in ('no module', 'no device'):
            self.install('faulty_module') if absent == 'no device' else os.remove('lib/gpuhisto/gpuhisto_cuda.so')
            done = self.run_with(('hipGetDeviceCount', NO_DEVICE, 0, ALWAYS), *cpu)
            self.assertEqual((done.returncode, done.stderr.count(b'instead')), (0, 0), done.stderr)

    def test_a_study_tells_what_fails_and_what_is_measured(self):
        self.install('faulty_module', 'gpuhisto_emulated')
        once = ('hipGetDeviceCount', UNKNOWN, 0, 1)  # by each module, which leaves an emulated device
        for module, fault, why in (('faulty_module', once, b'hipErrorUnknown'), ('foreign_abi', None, b'another version')):
            self.install(module)
            done = self.run_with(fault, 'bench', '--preset', 'mi300x', '-o', 'no-such-folder/table.csv')
            self.assertEqual((done.returncode, done.stdout), (1, b''))
            self.assertRegex(done.stderr, b'gpuhisto: no GPU can be used: .*' + why)
            self.assertIn(b': no GPU can be used, and the emulated device counts', done.stderr)
            for other in (b'is measured instead', b'there is no GPU'):
                self.assertNotIn(other, done.stderr)

    def test_of_another_interface(self):
        self.install('foreign_abi')
        self.refused('speaks another version of the device interface')

    # --- devices

    def test_one_that_works(self):
        self.install('faulty_module')
        for arguments in (['hist', SCAN], ['equalize', FLOWER, '-', '--to', 'pnm'], ['equalize', ROSE, '-', '--channels', 'each'],
                          ['equalize', ROSE, '-', '--clahe']):
            done = self.run_with(None, *arguments, '--device', 'gpu:0')
            self.assertEqual((done.returncode, done.stdout), (0, self.cpu(*arguments)), done.stderr)
        done = self.run_with(None, 'stats', '--device', 'gpu:9', SCAN)
        self.assertEqual(done.returncode, 4)
        self.assertIn(b'there is no gpu:9', done.stderr)

    def test_one_of_two_that_fails_leaves_the_other(self):
        self.install('faulty_module')
        for call in ('hipSetDevice', 'hipDeviceGetName', 'hipDeviceGetAttribute', 'hipDeviceTotalMem'):
            for bad, good in ((1, 0), (0, 1)):
                fault = ('%s(%d)' % (call, bad), UNKNOWN, 0, ALWAYS)
                done = self.run_with(fault, 'hist', '--device', 'gpu:%d' % good, SCAN)
                self.assertEqual((done.returncode, done.stdout), (0, self.cpu('hist', SCAN)), done.stderr)
                done = self.run_with(fault, 'hist', '--device', 'gpu:%d' % bad, SCAN)
                self.assertEqual((done.returncode, done.stdout), (4, b''), (fault, done.stderr))
                self.assertIn(call.encode() + b' failed: ', done.stderr)
                listed = json.loads(self.run_with(fault, 'devices', '--format', 'json').stdout)
                self.assertEqual([entry['device'] for entry in listed['devices']], ['cpu', 'gpu:%d' % good])
                reasons = [entry['reason'] for entry in listed['missing'] if entry['module'] == 'gpuhisto_cuda']
                self.assertRegex('|'.join(reasons), r'\Agpu:%d: %s failed: hipErrorUnknown [^|]*\Z' % (bad, call))

    def test_one_that_the_module_has_no_code_for(self):
        self.install('faulty_module')
        fault = ('hipFuncGetAttributes', NO_CODE, 0, ALWAYS)
        listed = json.loads(self.run_with(fault, 'devices', '--format', 'json').stdout)
        self.assertEqual([entry['device'] for entry in listed['devices']], ['cpu'])
        reasons = [entry['reason'] for entry in listed['missing'] if entry['module'] == 'gpuhisto_cuda']
        self.assertEqual(len(reasons), 2)
        for reason in reasons:
            self.assertRegex(reason, r"\Agpu:\d: the module's kernels cannot run on .*: hipError")
        done = self.run_with(fault, 'hist', '--device', 'gpu', SCAN)
        self.assertEqual((done.returncode, done.stdout), (4, b''), done.stderr)
        done = self.run_with(fault, 'bench', '--pixels', '64K', '--rounds', '1')
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(b"the module's kernels cannot run on", done.stderr)

    def test_a_lost_one_that_was_asked_for_writes_nothing(self):
        self.install('faulty_module')
        calls = [('hipMemcpyAsync', UNKNOWN, skip, ALWAYS) for skip in range(4)]
        for fault in (*calls, ('launch', LAUNCH, 0, ALWAYS), ('launch', LAUNCH, 1, ALWAYS), ('hipMalloc', UNKNOWN, 0, ALWAYS),
                      ('hipStreamSynchronize', UNKNOWN, 0, ALWAYS)):
            with open('out.png', 'wb') as file:
                file.write(b'old')
            done = self.run_with(fault, 'equalize', '--device', 'gpu', FLOWER, 'out.png')
            self.assertEqual(done.returncode, 4, (fault, done.stderr))
            self.assertEqual(open('out.png', 'rb').read(), b'old')
            self.assertEqual(sorted(os.listdir('.')), ['bin', 'lib', 'out.png'])
            # The call, the error's name, the file and the line.
            call = b'a launch' if fault[0] == 'launch' else fault[0].encode()
            self.assertRegex(done.stderr, rb'gpuhisto: .*' + call + rb' failed: hipError\w+ \(.*\) at kernels/\S+:\d+')

    def test_a_lost_one_that_was_not_asked_for_is_replaced(self):
        self.install('faulty_module')
        for arguments in (['hist', FLOWER], ['equalize', FLOWER, '-', '--to', 'pnm'], ['equalize', ROSE, '-', '--channels', 'joint'],
                          ['equalize', ROSE, '-', '--clahe'], ['equalize', FLOWER, '-', '--to', 'pnm', '--clahe', '--gray']):
            expected = self.cpu(*arguments)
            for fault in ([('hipMemcpyAsync', UNKNOWN, skip, ALWAYS) for skip in range(5)] +
                          [('launch', LAUNCH, skip, ALWAYS) for skip in range(3)] +
                          [('hipMalloc', MEMORY, skip, ALWAYS) for skip in range(6)]):
                done = self.run_with(fault, *arguments, '--method', 'per-block')
                self.assertEqual((done.returncode, done.stdout), (0, expected), (arguments, fault, done.stderr))
                if b'hipError' in done.stderr:
                    self.assertRegex(done.stderr, rb'the CPU (counted|mapped|counts) .*hipError')

    # --- what auto chooses

    def auto(self, *arguments, command='stats', **more):
        """-v -j 1; then what it prints, its lines on stderr, and whether the loader met a GPU's module."""
        done = self.run_with(None, command, '-v', '-j', '1', *arguments, **more)
        self.assertEqual(done.returncode, 0, done.stderr)
        with unittest.mock.patch.dict(os.environ, LD_DEBUG='files'):
            loads = self.run_with(None, command, '-j', '1', *arguments, **more).stderr
        return done.stdout, done.stderr.decode().splitlines(), b'gpuhisto_cuda.so' in loads

    def huge(self, name='huge.ppm'):
        """Few pixels in a file whose size promises four gigapixels; behind them is a hole."""
        with open(name, 'wb') as file:
            file.write(b'P6 2 1 255\n' + bytes(range(6)))
            file.truncate(12 << 30)
        return name

    def many(self):
        """A folder that promises much work, and has enough of it to outlast the start of an emulated device."""
        os.mkdir('many')
        self.huge('many/000.ppm')
        for i in range(1, 300):
            os.symlink(FLOWER, 'many/%03d.jpg' % i)
        return 'many'

    EXPECTS = r'\(auto expects .* on the CPU, .* with a GPU\)$'

    def test_auto_opens_no_module_for_little_work(self):
        self.install('faulty_module')
        open('table.csv', 'wb').write(self.cpu('hist', SCAN))
        for command, name in (('stats', SCAN), ('stats', FLOWER), ('hist', ROSE), ('plot', SCAN)):
            _, lines, loaded = self.auto(name, command=command)
            self.assertRegex(lines[0], '^gpuhisto: device cpu, method cpu, 1 thread ' + self.EXPECTS)
            self.assertEqual((len(lines), loaded), (1, False))

    def test_auto_opens_no_module_for_work_of_unknown_size(self):
        self.install('faulty_module')
        self.huge()
        os.mkfifo('list')
        for arguments, given in ((['-'], b'P5 1 1 255\na'), (['--files-from', '-'], b'huge.ppm'), (['-r', 'bin'], b'')):
            _, lines, loaded = self.auto(*arguments, stdin=given)
            self.assertIn('(auto cannot tell how much there is to do)', lines[0])
            self.assertFalse(loaded)

    def test_auto_looks_for_nothing_where_no_module_is(self):
        _, lines, _ = self.auto(self.huge())
        self.assertRegex(lines[0], r'^gpuhisto: device cpu, method cpu, 1 thread \(auto finds no module for GPUs\)$')

    def test_auto_goes_on_with_a_gpu_once_that_has_started(self):
        self.install('faulty_module')
        folder = self.many()
        with open('list', 'w') as file:
            file.write('\n'.join(sorted('many/' + name for name in os.listdir(folder))))
        expected = json.loads(self.cpu('stats', '--format', 'json', '-r', folder))
        for arguments in (['-r', folder], ['--files-from', 'list']):
            done = self.run_with(None, 'stats', '-v', '-j', '2', '--format', 'json', *arguments)
            self.assertEqual(done.returncode, 0, done.stderr)
            result = json.loads(done.stdout)
            lines = done.stderr.decode().splitlines()
            self.assertRegex(lines[0], '^gpuhisto: device cpu, then gpu:0, method cpu, 2 threads ' + self.EXPECTS)
            self.assertRegex(lines[-1], r'^gpuhisto: the GPU counted \d+ of 300 inputs, the CPU those before it had started$')
            devices = [(entry.pop('device'), entry.pop('method')) for entry in result['results']]
            self.assertEqual(devices[-1], ('gpu:0', 'per-block'))
            for entry in expected['results']:
                entry.pop('device', None), entry.pop('method', None)
            self.assertEqual(result, expected)
        for arguments in (['--device', 'cpu'], ['--method', 'cpu']):
            _, lines, loaded = self.auto('many/000.ppm', *arguments)
            self.assertFalse(loaded)
            self.assertNotIn('auto', lines[0])

    def test_a_run_that_ends_before_the_gpu_has_started_does_not_wait(self):
        self.install('faulty_module')
        for _ in range(20):
            done = self.run_with(None, 'hist', '-j', '1', self.huge())
            self.assertEqual((done.returncode, done.stdout), (0, self.cpu('hist', 'huge.ppm')), done.stderr)

    def test_auto_counts_on_the_cpu_without_a_word_when_there_is_no_gpu(self):
        self.install('foreign_abi')
        shutil.copy(os.path.join(MODULES, 'faulty_module.so'), 'lib/gpuhisto/gpuhisto_emulated.so')  # never picked
        folder = self.many()
        done = self.run_with(None, 'stats', '-v', '-j', '1', '-r', folder)
        self.assertRegex(done.stderr.decode().splitlines()[-1], r'^gpuhisto: no GPU counted: no GPU can be used: .*another version')
        quiet = self.run_with(None, 'stats', '-j', '1', '-r', folder)
        cpu = self.run_with(None, 'stats', '--device', 'cpu', '-j', '1', '-r', folder)
        self.assertEqual((quiet.returncode, quiet.stdout, quiet.stderr), (0, cpu.stdout, cpu.stderr))

    def test_auto_finishes_on_the_cpu_when_the_gpu_is_lost(self):
        self.install('faulty_module')
        folder = self.many()
        expected = self.cpu('hist', '-r', folder)
        for fault in (('hipMemcpyAsync', UNKNOWN, 40, ALWAYS), ('hipEventSynchronize', UNKNOWN, 2, ALWAYS), ('launch', LAUNCH, 9, ALWAYS)):
            done = self.run_with(fault, 'hist', '-j', '2', '-r', folder)
            self.assertEqual((done.returncode, done.stdout), (0, expected), done.stderr)
            notes = [line for line in done.stderr.splitlines() if b'hipError' in line]
            self.assertEqual(len(notes), 1, done.stderr)
            self.assertRegex(notes[0], rb'the CPU counted the rest: .*hipError')

    def test_after_a_loss_a_batch_stays_on_the_cpu(self):
        self.install('faulty_module')
        os.mkdir('in')
        for i in range(6):
            shutil.copy(ROSE, 'in/%d.ppm' % i)
        names = ['in/%d.ppm' % i for i in range(6)]
        for fault in (('hipMemcpyAsync', UNKNOWN, 0, ALWAYS), ('launch', LAUNCH, 1, ALWAYS), ('launch', LAUNCH, 4, 1),
                      ('hipMemcpyAsync', UNKNOWN, 6, 1)):
            for threads in ('1', '3'):
                done = self.run_with(fault, 'stats', '-j', threads, '--method', 'per-block', '--format', 'json', *names)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(done.stderr.count(b'\n'), 1, done.stderr)
                self.assertIn(b'the CPU counted the rest', done.stderr)
                devices = [result['device'] for result in json.loads(done.stdout)['results']]
                self.assertIn('cpu', devices, fault)
                if threads == '1':  # never back to the device
                    self.assertEqual(devices, sorted(devices, reverse=True), fault)
                done = self.run_with(fault, 'equalize', '-j', threads, '--method', 'per-block', '--output-dir', 'out', *names)
                self.assertEqual((done.returncode, done.stderr.count(b'\n')), (0, 1), done.stderr)
                expected = self.cpu('equalize', names[0], '-')
                for name in names:
                    with open('out/' + name, 'rb') as file:
                        self.assertEqual(file.read(), expected)

    def test_one_file_of_several(self):
        self.install('faulty_module')
        done = self.run_with(('hipMemcpyAsync', UNKNOWN, 0, 1), 'stats', '-j', '1', '--device', 'gpu', '--format', 'json', SCAN, SCAN)
        self.assertEqual(done.returncode, 4, done.stderr)
        self.assertEqual(json.loads(done.stdout)['results'][0]['status'], 'error')


if __name__ == '__main__':
    unittest.main()
