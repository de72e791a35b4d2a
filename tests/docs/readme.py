#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""readme.py GPUHISTO: the README's examples run, its tables are the program's, its pictures are what its commands make, and
the links of all documents lead somewhere."""
import filecmp
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAM = os.path.abspath(sys.argv.pop(1))
DOCUMENTS = sorted(glob.glob(os.path.join(SOURCE, '*.md')) + glob.glob(os.path.join(SOURCE, 'docs', '*.md')))


def read(*path):
    with open(os.path.join(SOURCE, *path), encoding='utf-8') as file:
        return file.read()


def run(command, folder, **options):
    environment = {key: value for key, value in os.environ.items() if not key.startswith('GPUHISTO_')}
    environment['PATH'] = os.path.dirname(PROGRAM) + ':' + environment['PATH']
    return subprocess.run(command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          encoding='utf-8', **options)


def behind(marker):
    """What the README has behind a comment that begins so, up to the next empty line outside of code."""
    rest = read('README.md').split('<!-- ' + marker, 1)[1].split('-->\n', 1)[1]
    return re.match(r'```sh\n(.*?)```', rest, re.DOTALL).group(1) if rest.startswith('```') else rest.split('\n\n')[0]


def rows(table):
    return [[cell.strip() for cell in line.strip('|').split('|')] for line in table.splitlines()[2:]]


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def give(self, picture, name):
        os.makedirs(os.path.dirname(os.path.join(self.folder, name)), exist_ok=True)
        shutil.copy(os.path.join(SOURCE, 'data', picture), os.path.join(self.folder, name))


class Examples(Folder):
    def setUp(self):
        super().setUp()
        for picture, name in (('flower.jpg', 'photo.jpg'), ('scan.png', 'scan.png'), ('flower.jpg', 'photos/flower.jpg'),
                              ('landscape.jpg', 'photos/2026/landscape.jpg'), ('bricks.png', 'photos/bricks.png'),
                              ('landscape.jpg', 'frames/0001.jpg'), ('flower.jpg', 'frames/0002.jpg')):
            self.give(picture, name)
        run([PROGRAM, 'stretch', '-q', '--high', '20%', 'photo.jpg', 'photos/bright.jpg'], self.folder, check=True)

    def files(self):
        return {path for path in glob.glob(self.folder + '/**', recursive=True) if os.path.isfile(path)}

    def test_each_runs_and_gives_something(self):
        examples = re.split(r'^# (\d+)\. ', behind('examples'), flags=re.MULTILINE)[1:]
        self.assertEqual(examples[::2], [str(number) for number in range(1, 11)])
        for number, text in zip(examples[::2], examples[1::2]):
            for command in text.split('\n', 1)[1].replace('|\n', '|').strip().split('\n'):
                with self.subTest(number=number, command=command):
                    if 'jq' in command and not shutil.which('jq'):
                        print('left out: jq is not here:', command)
                        continue
                    before = self.files()
                    ended = run(['bash', '-o', 'pipefail', '-c', command], self.folder)
                    self.assertEqual(ended.returncode, 0, ended.stderr)
                    made = [path for path in self.files() - before if os.path.getsize(path) > 0]
                    self.assertTrue(ended.stdout.strip() or made, 'it gives nothing')


class Tables(Folder):
    def test_methods(self):
        told = run([PROGRAM, 'stats', '--method', '?', '-'], self.folder, input='').stderr
        known = re.search(r'known are (.*)', told).group(1).split(', ')
        self.assertEqual([row[0].strip('`') for row in rows(behind('methods'))], known)

    def test_exit_codes(self):
        text = ' '.join(run([PROGRAM, '--help'], self.folder).stdout.split('Exit codes: ')[1].rstrip('.\n').split())
        known = [re.match(r'(\d) (.*)', item).groups() for item in text.split('; ')]
        for row, (code, meaning) in zip(rows(behind('exit codes')), known, strict=True):
            self.assertEqual(row[0], code)
            self.assertTrue(row[1].replace('`', '').startswith(meaning), row[1] + ' is not: ' + meaning)


class Pictures(Folder):
    def test_are_what_the_commands_make(self):
        self.give('flower.jpg', 'flower.jpg')
        for command in ('equalize flower.jpg equalized.jpg', 'equalize --clahe flower.jpg clahe.jpg',
                        'plot flower.jpg -o before.svg --size 360x240',
                        'plot equalized.jpg -o equalized.svg --size 360x240',
                        'plot clahe.jpg -o clahe.svg --size 360x240'):
            run([PROGRAM, *command.split()], self.folder, check=True)
        for picture in glob.glob(os.path.join(SOURCE, 'docs', 'pictures', '*')):
            with self.subTest(picture=picture):
                made = os.path.join(self.folder, os.path.basename(picture))
                self.assertTrue(filecmp.cmp(made, picture, shallow=False))


class Options(unittest.TestCase):
    def test_exist(self):
        known = set(re.findall(r'--[a-z][a-z-]*', read('app', 'generated', 'gpuhisto.1').replace('\\-', '-')))
        for name in ('devices', 'operations', 'output', 'plots'):  # the others name options of other programs too
            named = set(re.findall(r'(?<![\w-])--[a-z][a-z-]*', read('docs', name + '.md')))
            self.assertEqual(named - known, set(), name)


def anchor(heading):
    """As GitHub makes it."""
    return re.sub(r'[^\w\- ]', '', heading.replace('`', '')).strip().lower().replace(' ', '-')


class Links(unittest.TestCase):
    def test_lead_somewhere(self):
        for document in DOCUMENTS:
            text = read(document)
            for target in re.findall(r'\]\(([^)\s]+)\)', text):
                if re.match(r'https?:', target):
                    continue
                with self.subTest(document=os.path.relpath(document, SOURCE), target=target):
                    path, _, fragment = target.partition('#')
                    path = os.path.join(os.path.dirname(document), path) if path else document
                    self.assertTrue(os.path.exists(path))
                    if fragment:
                        headings = re.findall(r'^#+ (.*)$', read(path), re.MULTILINE)
                        self.assertIn(fragment, [anchor(heading) for heading in headings])


if __name__ == '__main__':
    unittest.main()
