#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""names.py: every file that the documents for developers name is there, at the end of one path or of several."""
import os
import re
import sys

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DOCUMENTS = ('CONTRIBUTING.md', 'docs/architecture.md', 'docs/library.md')
MADE_UP = ('better.cpp',)  # by the example of library.md


def paths():
    found = []
    for place, folders, files in os.walk(SOURCE):
        folders[:] = [name for name in folders if name not in ('build', '.git')]
        found += [os.path.join(place, name)[len(SOURCE):] for name in files]
    return found


def main():
    there, missing, known = paths(), [], 0
    for document in DOCUMENTS:
        with open(os.path.join(SOURCE, document)) as page:
            text = re.sub(r'^```.*?^```', '', page.read(), flags=re.M | re.S)
        for name in re.findall(r'`([\w./-]+\.(?:cpp|hpp|h|def|py|sh|md|txt))`', text):
            if 'NAME' in name or name in MADE_UP:
                continue
            known += 1
            if not any(path.endswith('/' + name) for path in there):
                missing.append('%s: %s' % (document, name))
    if missing or known < 50:
        sys.exit('%d names, of which these are no files:\n%s' % (known, '\n'.join(missing)))


main()
