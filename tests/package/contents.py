#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""contents.py FOLDER VERSION MODULES: looks into the Debian packages in FOLDER without installing them: what they say of
themselves, what is in them, what they would add to a bare system, and whether they work when unpacked into a folder."""
import glob
import gzip
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

FOLDER, VERSION, MODULES = os.path.abspath(sys.argv[1]), sys.argv[2], sys.argv[3].split(';')
SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
OWN_PACKAGE = {'gpuhisto_' + part: 'gpuhisto-' + part for part in ('draw', 'cuda', 'hip')}
LARGEST_ADDITION = 15000000  # bytes that `apt install ./gpuhisto_*.deb` may add to a minimal system


def output(*command, **options):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, **options).stdout


def names_in(dependencies):
    """-> the first name of each alternative of a field like Depends"""
    return [re.match(r'[^ (:|]+', one.strip())[0] for one in dependencies.split(',') if one.strip()]


def fields_of(text):
    return dict(re.findall(r'^(\S+): ?((?:.|\n(?= ))*)', text, re.MULTILINE))


class Package:
    def __init__(self, file):
        self.file = file
        self.fields = fields_of(output('dpkg-deb', '--field', file))
        self.name = self.fields['Package']
        listing = re.findall(r'^(\S+) (\S+) +(\d+) \S+ \S+ \./(.*?)(?: -> .*)?$', output('dpkg-deb', '-c', file), re.MULTILINE)
        self.entries = [(rights, owner, path) for rights, owner, _, path in listing if path]
        self.files = [path for rights, _, path in self.entries if not rights.startswith('d')]

    def unpack(self, folder):
        subprocess.run(['dpkg-deb', '-x', self.file, folder], check=True)


PACKAGES = {package.name: package for package in map(Package, glob.glob(os.path.join(FOLDER, '*.deb')))}


class Contents(unittest.TestCase):
    def each(self):
        for package in PACKAGES.values():
            with self.subTest(package=package.name):
                yield package

    def test_there_is_a_package_for_each_part(self):
        wanted = {'gpuhisto', 'libgpuhisto-dev'} | {OWN_PACKAGE[name] for name in MODULES if name in OWN_PACKAGE}
        self.assertEqual(wanted, set(PACKAGES))

    def test_modules_are_where_they_belong(self):
        for module in MODULES:
            package = PACKAGES[OWN_PACKAGE.get(module, 'gpuhisto')]
            self.assertIn('usr/lib/gpuhisto/%s.so' % module, package.files)

    def test_no_file_is_in_two_packages(self):
        every = [path for package in PACKAGES.values() for path in package.files]
        self.assertEqual(len(set(every)), len(every))

    def test_fields(self):
        architecture = output('dpkg', '--print-architecture').strip()
        sections = {'libgpuhisto-dev': 'libdevel', 'gpuhisto-cuda': 'non-free/graphics'}
        for package in self.each():
            fields = package.fields
            self.assertEqual((VERSION, architecture), (fields['Version'], fields['Architecture']))
            self.assertEqual('%s_%s_%s.deb' % (package.name, VERSION, architecture), os.path.basename(package.file))
            self.assertEqual(sections.get(package.name, 'graphics'), fields['Section'])
            self.assertRegex(fields['Maintainer'], r'^The gpuhisto authors <')
            summary, *rest = fields['Description'].split('\n')
            self.assertLess(len(summary), 80)
            self.assertNotRegex(summary, r'^(an?|the|gpuhisto)\b|\.$')
            self.assertTrue(rest and all(len(line) <= 80 for line in rest), rest)

    def test_relations(self):
        same = 'gpuhisto (= %s)' % VERSION
        for package in self.each():
            depends = package.fields['Depends']
            if package.name in OWN_PACKAGE.values():
                self.assertIn(same, depends.split(', '))
                self.assertIn(package.name, PACKAGES['gpuhisto'].fields['Suggests'].split(', '))
            self.assertEqual(package.name == 'gpuhisto-draw', 'libopencv' in depends, depends)
        self.assertEqual(same, PACKAGES['libgpuhisto-dev'].fields['Recommends'])
        self.assertIn('libstdc++6', names_in(PACKAGES['gpuhisto'].fields['Depends']))

    def test_files_are_as_policy_asks(self):
        for package in self.each():
            for rights, owner, path in package.entries:
                executable = rights.startswith('d') or path.startswith('usr/bin/')
                self.assertEqual('rwxr-xr-x' if executable else 'rw-r--r--', rights[1:], path)
                self.assertEqual('root/root', owner, path)
            for name in ('copyright', 'changelog.gz'):
                self.assertIn('usr/share/doc/%s/%s' % (package.name, name), package.files)
        self.assertIn('usr/share/man/man1/gpuhisto.1.gz', PACKAGES['gpuhisto'].files)
        for shell in ('bash-completion/completions/gpuhisto', 'zsh/vendor-completions/_gpuhisto',
                      'fish/vendor_completions.d/gpuhisto.fish'):
            self.assertIn('usr/share/' + shell, PACKAGES['gpuhisto'].files)

    @unittest.skipUnless(shutil.which('lintian'), 'lintian is not installed')
    def test_lintian(self):
        done = subprocess.run(['lintian', '--allow-root', '--fail-on', 'error,warning', *(p.file for p in PACKAGES.values())],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.assertEqual(0, done.returncode, done.stdout)


class Installed:
    """The packages of this system, which has what the build needs, by name: what they depend on and their size."""

    def __init__(self):
        self.packages, self.providers = {}, {}
        with open('/var/lib/dpkg/status', encoding='utf-8') as file:
            status = file.read()
        for paragraph in status.split('\n\n'):
            fields = fields_of(paragraph)
            if not fields.get('Status', '').endswith(' installed'):
                continue
            self.packages[fields['Package']] = fields
            for name in names_in(fields.get('Provides', '')):
                self.providers.setdefault(name, fields['Package'])

    def needed(self, names):
        """-> the packages that these are or need, directly or not"""
        found, left = set(), list(names)
        while left:
            name = left.pop()
            name = name if name in self.packages else self.providers.get(name)
            if name is None or name in found:
                continue
            found.add(name)
            fields = self.packages[name]
            left += names_in(fields.get('Depends', '')) + names_in(fields.get('Pre-Depends', ''))
        return found

    def minimal(self):
        required = [name for name, fields in self.packages.items()
                    if fields.get('Priority') == 'required' or fields.get('Essential') == 'yes']
        return self.needed(required + ['apt'])


class Size(unittest.TestCase):
    def test_a_minimal_system_grows_little(self):
        installed, fields = Installed(), PACKAGES['gpuhisto'].fields
        needed = names_in(fields['Depends'])
        self.assertEqual([], [name for name in needed if not installed.needed([name])])
        added = installed.needed(needed) - installed.minimal()
        self.assertTrue(added)
        self.assertNotRegex(' '.join(added), 'opencv|icu|x11')
        size = 1024 * (int(fields['Installed-Size']) + sum(int(installed.packages[name]['Installed-Size']) for name in added))
        self.assertLess(size, LARGEST_ADDITION, added)


class Unpacked(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp()
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        PACKAGES['gpuhisto'].unpack(cls.folder)
        cls.usr = os.path.join(cls.folder, 'usr')

    def run_program(self, *arguments, exit_code=0):
        program = os.path.join(self.usr, 'bin', 'gpuhisto')
        done = subprocess.run([program, *arguments], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.assertEqual(exit_code, done.returncode, done.stderr)
        return done.stdout if exit_code == 0 else done.stderr

    def test_1_the_program_alone(self):
        self.assertRegex(self.run_program('--version'), r'^gpuhisto %s\nmodules: ' % re.escape(VERSION))
        flower = os.path.join(SOURCE, 'data', 'flower.jpg')
        self.assertIn('480 x 360', self.run_program('stats', flower))
        self.assertIn('luma', self.run_program('plot', flower))
        message = self.run_program('plot', flower, '-o', 'plot.png', exit_code=1)
        self.assertIn('package gpuhisto-draw', message)
        self.assertIn('SVG', message)

    @unittest.skipUnless('gpuhisto-draw' in PACKAGES, 'the module that draws is not built')
    def test_2_with_the_module_that_draws(self):
        PACKAGES['gpuhisto-draw'].unpack(self.folder)
        self.run_program('plot', os.path.join(SOURCE, 'data', 'flower.jpg'), '-o', 'plot.png')
        self.assertTrue(os.path.exists(os.path.join(self.folder, 'plot.png')))

    def test_3_every_module_is_found(self):
        for package in PACKAGES.values():
            package.unpack(self.folder)
        self.assertEqual(sorted(MODULES), re.search(r'^modules: (.*)$', self.run_program('--version'), re.MULTILINE)[1].split())

    def test_4_projects_build_against_it(self):
        PACKAGES['libgpuhisto-dev'].unpack(self.folder)
        build = os.path.join(self.folder, 'consumer')
        output('cmake', '-G', 'Ninja', '-S', os.path.join(SOURCE, 'tests', 'install', 'consumer'), '-B', build,
               '-DCMAKE_PREFIX_PATH=' + self.usr, '-DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF')
        output('cmake', '--build', build)
        self.assertIn('pixels 4, of value 20: 2, mean 75\n', output(os.path.join(build, 'consumer')))

    def test_documents(self):
        def read(*path):
            with open(os.path.join(self.usr, *path), 'rb') as file:
                return file.read()
        manual = gzip.decompress(read('share', 'man', 'man1', 'gpuhisto.1.gz'))
        self.assertIn(b'.TH', manual)
        self.assertRegex(gzip.decompress(read('share', 'doc', 'gpuhisto', 'changelog.gz')),
                         rb'^gpuhisto \(%s\) ' % re.escape(VERSION.encode()))
        self.assertRegex(read('share', 'doc', 'gpuhisto', 'copyright'), rb'(?s)MIT License.*libcli11-dev')

    def test_binaries_are_stripped(self):
        for package in PACKAGES.values():
            package.unpack(self.folder)
        for file in [os.path.join(self.usr, 'bin', 'gpuhisto'), *glob.glob(os.path.join(self.usr, 'lib', 'gpuhisto', '*.so'))]:
            self.assertNotIn('.symtab', output('readelf', '-SW', file))


if __name__ == '__main__':
    unittest.main(argv=sys.argv[:1] + sys.argv[4:])
