#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""reference.py DOXYGEN VERSION: the reference of the public headers can be made, and nothing of them lacks its words."""
import os
import re
import subprocess
import sys
import tempfile
import unittest

DOXYGEN, VERSION = sys.argv.pop(1), sys.argv.pop(1)
SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# What may go without words: data whose name and type say it all, and comparing member by member.
SPEAKS_FOR_ITSELF = re.compile(r'Member (\S+ \(variable\)|operator==\(.*\(function\)) of (struct|class) .* is not documented\.')


def complaints(folder, *settings):
    """What doxygen says of the headers, by docs/Doxyfile with some settings changed."""
    with open(os.path.join(SOURCE, 'docs', 'Doxyfile')) as file:
        configuration = file.read()
    configuration += '\n'.join(('', 'GENERATE_HTML = NO', 'GENERATE_XML = YES', 'XML_PROGRAMLISTING = NO',
                                'WARN_IF_UNDOCUMENTED = YES', *settings))
    done = subprocess.run([DOXYGEN, '-'], cwd=SOURCE, input=configuration, capture_output=True, text=True, timeout=60,
                          env=dict(os.environ, GPUHISTO_DOC=folder, GPUHISTO_VERSION=VERSION))
    if done.returncode != 0:
        raise RuntimeError(done.stderr)
    return [line for line in done.stderr.splitlines() if not SPEAKS_FOR_ITSELF.search(line)]


class Reference(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def test_of_the_public_headers(self):
        self.assertEqual(complaints(self.folder), [])
        with open(os.path.join(self.folder, 'xml', 'index.xml')) as file:
            self.assertIn('<name>count_image</name>', file.read())

    def test_what_lacks_words_is_found(self):
        header = os.path.join(self.folder, 'bare.hpp')
        with open(header, 'w') as file:
            file.write('/// A namespace.\nnamespace bare {\nstruct Type {\n  int width;\n  bool operator==(const Type&) const;\n'
                       '  void act();\n};\n/// See \\ref nowhere.\nvoid told();\nint untold(int);\n}\n')
        found = complaints(self.folder, 'INPUT = ' + header, 'USE_MDFILE_AS_MAINPAGE =')
        lines = {re.search(r'bare\.hpp:(\d+): warning: ', line)[1] for line in found}
        self.assertEqual(lines, {'3', '6', '8', '10'}, found)


unittest.main()
