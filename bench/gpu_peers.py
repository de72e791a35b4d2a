# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The gpuhisto authors
"""What gpu.py compares: gpuhisto, and peers as programs that are asked line by line on standard input and answer each line with
one of JSON:

    (started)                                         {"version": TEXT}
    load PIXELS CHANNELS BINS COPIES FILE             {"calls": [{"name": TEXT, "includes": TEXT}, ...]}
    call INDEX BURSTS SECONDS                         {"us": [TIME, ...], "counts": [N, ...]}

or {"error": TEXT}. CHANNELS 0 means 32-bit keys; FILE holds raw values, of which the peer keeps COPIES on the GPU. A burst is one
call on each copy, so that no call finds its values in a cache; TIMEs are of one call, of at most BURSTS bursts within SECONDS.
Counts are those of the last call, into memory that held something else before.
"""
import glob
import json
import os
import select
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
PEERS = os.path.join(HERE, 'peers')


class Failed(Exception):
    """Says why a program gave no result."""


def last_line(text):
    lines = [line for line in text.splitlines() if line.strip()]
    return lines[-1].strip() if lines else 'it said nothing'


def run(command, **more):
    """What the command prints; Failed with its last words otherwise."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=300, **more)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Failed(str(error)) from None
    if done.returncode != 0:
        raise Failed(f'exit code {done.returncode}: {last_line(done.stderr or done.stdout)}')
    return done.stdout


class Peer:
    """A program that speaks the protocol; started when needed, and anew after a failure."""

    def __init__(self, name, command, patience=120):
        self.name, self.command, self.patience, self.version = name, command, patience, ''
        self.process = self.loaded = None

    def start(self):
        self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.version = self.answer()['version']

    def ask(self, *words):
        if self.process is None:
            self.start()
        try:
            self.process.stdin.write((' '.join(str(word) for word in words) + '\n').encode())
            self.process.stdin.flush()
        except OSError:
            pass  # it ended: answer() tells
        return self.answer()

    def answer(self):
        ready, _, _ = select.select([self.process.stdout], [], [], self.patience)
        line = self.process.stdout.readline() if ready else b''
        try:
            answer = json.loads(line)
        except ValueError:
            words = last_line(line.decode(errors='replace')) if line else 'it ended'
            answer = {'error': words if ready else f'no answer in {self.patience} s'}
        if 'error' in answer:
            self.stop()
            raise Failed(answer['error'])
        return answer

    def stop(self):
        if self.process is not None:
            self.process.kill()
            self.process.communicate()
            self.process = None

    def load(self, values, path, copies):
        self.loaded = values, path, copies
        return self.ask('load', values.pixels, values.channels, values.bins, copies, path)

    def call(self, index, bursts, seconds):
        if self.process is None:  # one of its calls failed
            self.load(*self.loaded)
        answer = self.ask('call', index, bursts, seconds)
        return answer['us'], answer['counts']


class Gpuhisto:
    """`gpuhisto bench`, which makes the same values itself, on the GPU, and verifies every round."""

    METHODS = {'per-block': 'gpuhisto per-block', 'vendor': 'CUB DeviceHistogram'}
    INCLUDES = {'per-block': 'clears its result',
                'vendor': 'clears its result; scratch memory allocated before; as method `vendor` of `gpuhisto bench`'}

    def __init__(self, program, device='gpu:0'):
        self.program, self.device = program, device
        libraries = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(program))), 'lib')  # a bundle's are there
        path = os.pathsep.join(filter(None, [libraries, os.environ.get('LD_LIBRARY_PATH')]))
        self.environment = {**os.environ, 'LD_LIBRARY_PATH': path}

    def device_name(self):
        for line in run([self.program, 'devices', '--format', 'csv'], env=self.environment).splitlines():
            if line.startswith(self.device + ','):
                return line.split(',')[1].strip('"')
        raise Failed(f'there is no {self.device}')

    def bench(self, values, rounds):
        """-> method (or 'read') -> its line of JSON"""
        what = ['--channels', 'gray' if values.channels == 1 else 'rgb']
        if values.channels == 0:
            what = ['--keys', 'u32', '--bins', str(values.bins), '--map', 'range']
        text = run([self.program, 'bench', '--quiet', '--format', 'json', '--device', self.device, '--method',
                    ','.join(self.METHODS), '--pattern', values.pattern, '--pixels', str(values.pixels), '--rounds', str(rounds),
                    *what], env=self.environment)
        return {line['method']: line for line in json.loads(text)['results'] if line['kind'] in ('method', 'read')}


# ---- The peers' programs

def find_nvcc():
    nvcc = shutil.which('nvcc') or next(iter(sorted(glob.glob('/usr/local/cuda*/bin/nvcc'), reverse=True)), None)
    if nvcc is None:
        raise Failed('nvcc is not here')
    return nvcc


def find_npp(nvcc):
    """-> (folder of the headers, the two libraries)"""
    toolkit = os.path.dirname(os.path.dirname(os.path.realpath(nvcc)))
    roots = [toolkit, *glob.glob(os.path.join(toolkit, 'targets', '*')), *sorted(glob.glob('/usr/local/cuda*'), reverse=True),
             '/usr', *(place for entry in sys.path for place in glob.glob(os.path.join(entry, 'nvidia', '*')))]

    def first(patterns):
        found = (name for root in roots for pattern in patterns for name in sorted(glob.glob(os.path.join(root, pattern))))
        return next(found, None)
    header = first(['include/nppi_statistics_functions.h'])
    libraries = [first([f'{lib}/lib{name}.so*' for lib in ('lib64', 'lib', 'lib/x86_64-linux-gnu', 'lib/aarch64-linux-gnu')])
                 for name in ('nppist', 'nppc')]
    if header is None or None in libraries:
        raise Failed("NPP's headers and libraries are not here")
    return os.path.dirname(header), libraries


def build_npp(folder):
    """The path of the program for NPP, built into the folder."""
    nvcc = find_nvcc()
    headers, libraries = find_npp(nvcc)
    program = os.path.join(folder, 'npp_peer')
    # Named by file, as some packages have no name without a version; rpath: they may lie where no loader looks.
    links = [word for library in libraries for word in ('-L' + os.path.dirname(library), '-l:' + os.path.basename(library),
                                                        '-Xlinker', '-rpath,' + os.path.dirname(library))]
    run([nvcc, '-O2', '-std=c++17', '-I', headers, os.path.join(PEERS, 'npp_peer.cu'), '-o', program, *links])
    return program


def find_pattern_data(built, folder):
    """The path of pattern_data: what was built before, or built into the folder."""
    program = os.path.join(built, 'pattern_data')
    if os.path.exists(program):
        return program
    compiler = shutil.which('c++') or shutil.which('g++') or shutil.which('clang++')
    if compiler is None:
        raise Failed('there is no C++ compiler to build pattern_data with')
    program = os.path.join(folder, 'pattern_data')
    run([compiler, '-O2', '-std=c++20', '-pthread', '-I', os.path.join(os.path.dirname(HERE), 'lib', 'include'),
         os.path.join(PEERS, 'pattern_data.cpp'), '-o', program])
    return program


def peers(folder, python):
    """-> [(name, Peer or the reason why there is none)]; each is started, which tells whether its library is there."""
    found = []
    for name, make in (('NPP', lambda: [build_npp(folder)]),
                       ('PyTorch', lambda: [python, os.path.join(PEERS, 'array_peer.py'), 'torch']),
                       ('CuPy', lambda: [python, os.path.join(PEERS, 'array_peer.py'), 'cupy'])):
        try:
            peer = Peer(name, make())
            peer.start()
            found.append((name, peer))
        except (Failed, OSError) as error:
            found.append((name, str(error)))
    return found
