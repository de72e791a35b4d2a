#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""bare.py FOLDER [--root SYSTEM] [--compiler]: makes a minimal Debian of this system's release in a scratch folder and
installs the packages in FOLDER there as a user would, by apt: first gpuhisto alone, then what draws. Prints what each adds.

--root SYSTEM  installs into this system (as debootstrap --variant=minbase makes it) instead
--compiler     then installs libgpuhisto-dev and a compiler, too, and builds tests/install/consumer there

Needs root, mmdebstrap and a mirror; where one is missing it says so and ends with 77."""
import argparse
import contextlib
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LARGEST_ADDITION = 15000000  # bytes, for gpuhisto alone


def skip(reason):
    print('skipped: no bare Debian to install on: ' + reason)
    sys.exit(77)


def run(*command):
    return subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def cause(text):
    return next((line for line in text.splitlines() if line.startswith('E: ')), 'failed')


def mirror():
    """-> the release of this system, and whence apt takes it"""
    with open('/etc/os-release') as file:
        release = re.search(r'^VERSION_CODENAME=(\w+)$', file.read(), re.MULTILINE)
    if not release or not shutil.which('apt-get'):
        skip('this system is no release of Debian')
    targets = run('apt-get', 'indextargets', '--format', '$(CODENAME) $(COMPONENT) $(REPO_URI)', 'Created-By: Packages')
    for line in targets.stdout.splitlines():
        name, component, address = line.split(None, 2)
        if (name, component) == (release[1], 'main'):
            return release[1], address
    skip('apt knows no mirror of ' + release[1])


def make_system(folder):
    if os.geteuid() != 0:
        skip('that needs root')
    for tool in ('mmdebstrap', 'mount', 'chroot'):
        if not shutil.which(tool):
            skip(tool + ' is not installed')
    release, address = mirror()
    # With apt's lists left there, so that they need not be fetched again, and without waiting for the disk.
    made = run('mmdebstrap', '--quiet', '--variant=minbase', '--skip=cleanup/apt', '--dpkgopt=force-unsafe-io', release, folder,
               address)
    if made.returncode != 0:
        skip('mmdebstrap: ' + cause(made.stdout))
    # This system's way to the mirror.
    with open(os.path.join(folder, 'etc', 'apt', 'apt.conf.d', '99way'), 'w') as file:
        file.write(run('apt-config', 'dump', '--format', '%F "%v";%n', 'Acquire::http', 'Acquire::https').stdout)


@contextlib.contextmanager
def mounted(root):
    """With /proc, by which a program knows where it lies."""
    proc = os.path.join(root, 'proc')
    done = run('mount', '-t', 'proc', 'proc', proc)
    if done.returncode != 0:
        skip(done.stdout.strip())
    try:
        yield
    finally:
        subprocess.run(['umount', proc], check=True)


class System:
    def __init__(self, root):
        self.root = root

    def run(self, command):
        return run('chroot', self.root, 'env', 'LC_ALL=C.UTF-8', 'DEBIAN_FRONTEND=noninteractive', 'sh', '-c', 'cd /root\n' + command)

    def inside(self, command, exit_code=0):
        done = self.run(command)
        if done.returncode != exit_code:
            sys.exit('%s: exit code %d\n%s' % (command, done.returncode, done.stdout))
        return done.stdout

    def put(self, path):
        to = os.path.join(self.root, 'root', os.path.basename(path))
        (shutil.copytree if os.path.isdir(path) else shutil.copy)(path, to)

    def size(self):
        return 1024 * sum(map(int, self.inside("dpkg-query -W -f '${Installed-Size}\\n'").split()))

    def install(self, *names, options=''):
        """-> bytes added, by what the packages say"""
        command = 'apt-get install -y %s %s' % (options, ' '.join(names))
        fetched = self.run(command + ' --download-only')
        if 'Failed to fetch' in fetched.stdout:
            skip(cause(fetched.stdout))
        before = self.size()
        self.inside(command)
        added = self.size() - before
        print('%s: %.1f MB more' % (' '.join(names), added / 1e6), flush=True)
        return added


def check(condition, what):
    if not condition:
        sys.exit('failed: ' + what)


def check_program(system):
    check('gpuhisto_codecs gpuhisto_emulated\n' in system.inside('gpuhisto --version'), 'modules are found in /usr/lib/gpuhisto')
    check('480 x 360' in system.inside('gpuhisto stats data/flower.jpg'), 'stats')
    check('480 x 360' in system.inside('gpuhisto stats --device emulated data/flower.jpg'), 'the emulated device')
    system.inside('gpuhisto equalize data/flower.jpg equalized.png')
    check('luma' in system.inside('gpuhisto plot data/flower.jpg'), 'a plot in the terminal')
    system.inside('gpuhisto plot data/flower.jpg -o plot.svg')
    message = system.inside('gpuhisto plot data/flower.jpg -o plot.png', exit_code=1)
    check('package gpuhisto-draw' in message, 'what is missing is named: ' + message)


def check_library(system):
    system.put(os.path.join(SOURCE, 'tests', 'install', 'consumer'))
    system.install('./libgpuhisto-dev_*.deb', options='--no-install-recommends')
    system.install('g++', 'cmake', 'ninja-build', options='--no-install-recommends')
    system.inside('cmake -G Ninja -S consumer -B by-cmake && cmake --build by-cmake')
    system.inside('g++ -std=c++20 -DMODULE_DIR=\\"$(pkg-config --variable=moduledir gpuhisto)\\" consumer/main.cpp '
                  '-o by-pkg-config $(pkg-config --static --cflags --libs gpuhisto)')
    for program in ('by-cmake/consumer', './by-pkg-config'):
        printed = system.inside(program)
        check('pixels 4, of value 20: 2, mean 75\n' in printed and 'gpuhisto_codecs' in printed, program + ': ' + printed)


def install_and_check(root, packages, compiler):
    system = System(root)
    for package in packages:
        system.put(package)
    system.put(os.path.join(SOURCE, 'data'))
    added = system.install('./gpuhisto_*.deb')
    check(added < LARGEST_ADDITION, 'gpuhisto alone adds less than %d MB' % (LARGEST_ADDITION / 1e6))
    check_program(system)
    if any('gpuhisto-draw_' in package for package in packages):
        system.install('./gpuhisto-draw_*.deb', options='--no-install-recommends')
        system.inside('gpuhisto plot data/flower.jpg -o plot.png && test -s plot.png')
    if compiler:
        check_library(system)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('folder')
    parser.add_argument('--root')
    parser.add_argument('--compiler', action='store_true')
    options = parser.parse_args()
    packages = glob.glob(os.path.join(options.folder, '*.deb'))
    check(packages, 'there are packages in ' + options.folder)
    with tempfile.TemporaryDirectory() as scratch:
        root = options.root or os.path.join(scratch, 'system')
        if not options.root:
            make_system(root)
        with mounted(root):
            install_and_check(root, packages, options.compiler)


if __name__ == '__main__':
    main()
