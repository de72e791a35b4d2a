#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""library.py BUILD CXX VERSION FLAGS: the example of docs/library.md, as it stands there, against an installed copy of BUILD:
by CMake and by pkg-config. And every place that tells the version tells the same."""
import os
import re
import shutil
import subprocess
import sys
import tempfile

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD, CXX, VERSION, FLAGS = sys.argv[1:]
PHOTO = os.path.join(SOURCE, 'data', 'flower.jpg')


def run(*command, **environment):
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **environment}, timeout=150)
    if done.returncode != 0:
        sys.exit('%s: %d\n%s%s' % (' '.join(command), done.returncode, done.stdout, done.stderr))
    return done.stdout


def expect(what, got, wanted):
    if got != wanted:
        sys.exit('%s: got %r, wanted %r' % (what, got, wanted))


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, 'w') as file:
        file.write(text)


def blocks():
    with open(os.path.join(SOURCE, 'docs', 'library.md')) as page:
        return dict(re.findall(r'^```(cmake|cpp)\n(.*?)^```', page.read(), re.M | re.S))


def check_result(program, installed):
    """What the example says and writes is what the program does."""
    mean = run(installed, 'stats', '--format', 'csv', '--no-header', '--channels', 'luma', PHOTO).split(',')[9]
    expect('its words', run(program, PHOTO, 'better.png'), 'mean %.6g\n' % float(mean))
    run(installed, 'equalize', '--strip', PHOTO, 'expected.png')
    with open('better.png', 'rb') as got, open('expected.png', 'rb') as wanted:
        expect('its picture', got.read() == wanted.read(), True)
    done = subprocess.run([program, 'missing.jpg', 'better.png'], capture_output=True, text=True)
    expect('its failure', (done.returncode, done.stdout, done.stderr), (1, '', 'no such file or directory\n'))


def main():
    code = blocks()
    lines = [line for line in code['cpp'].splitlines() if line.strip()]
    expect('lines of code, fewer than 20', len(lines) < 20, True)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        prefix = os.path.join(folder, 'installed')
        run('cmake', '--install', BUILD, '--prefix', prefix)
        installed = os.path.join(prefix, 'bin', 'gpuhisto')
        write('project/better.cpp', code['cpp'])
        # Beside the example: what CMake and the library take for the version.
        write('project/version.cpp', '#include <gpuhisto/version.hpp>\n#include <iostream>\n'
              'int main() { std::cout << gpuhisto::version() << " " CMAKE_SAYS "\\n"; }\n')
        write('project/CMakeLists.txt', code['cmake'] + 'add_executable(version version.cpp)\n'
              'target_link_libraries(version PRIVATE gpuhisto::gpuhisto)\n'
              'target_compile_definitions(version PRIVATE CMAKE_SAYS="${gpuhisto_VERSION}")\n')
        run('cmake', '-G', 'Ninja', '-S', 'project', '-B', 'build', '-DCMAKE_PREFIX_PATH=' + prefix, '-DCMAKE_CXX_COMPILER=' + CXX,
            '-DCMAKE_CXX_FLAGS=' + FLAGS, '-DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF')
        run('cmake', '--build', 'build')
        check_result('build/better', installed)
        expect('version of the library and of its package', run('build/version'), '%s %s\n' % (VERSION, VERSION))
        expect('version of the program', run(installed, '--version').splitlines()[0], 'gpuhisto ' + VERSION)
        if shutil.which('pkg-config'):
            where = [os.path.join(place, 'pkgconfig') for place, names, _ in os.walk(prefix) if 'pkgconfig' in names]
            flags = run('pkg-config', '--static', '--cflags', '--libs', 'gpuhisto', PKG_CONFIG_PATH=where[0]).split()
            expect('version of pkg-config', run('pkg-config', '--modversion', 'gpuhisto', PKG_CONFIG_PATH=where[0]), VERSION + '\n')
            run(CXX, '-std=c++20', *FLAGS.split(), 'project/better.cpp', '-o', 'better', *flags)
            check_result(os.path.abspath('better'), installed)
        os.chdir(SOURCE)


main()
