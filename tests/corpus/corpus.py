#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""corpus.py GPUHISTO: judges the program by ../shared/corpus, a collection of sound, odd and hostile files with true counts."""
import os
import subprocess
import sys

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SHARED = os.path.join(os.path.dirname(SOURCE), 'shared')
JUDGE = os.path.join(SHARED, 'checks', 'corpus.py')
CORPUS = os.path.join(SHARED, 'corpus')

# Where the program is right and the label is not, with the reason.
EXCEPTIONS = {
    # Labelled by libjpeg's first complaint (stray bytes). There are 68 more, bad Huffman codes and segments that end early
    # among them; what decoders show is mostly garbage. Counting guessed pixels would break the rule on damage.
    'jpg_meta/Pillow__hopper_bad_exif.jpg',
}

if not (os.path.exists(JUDGE) and os.path.exists(CORPUS)):
    print('skipped: ../shared/corpus is not here')
    sys.exit(77)
done = subprocess.run([sys.executable, JUDGE, sys.argv[1], CORPUS], stdout=subprocess.PIPE, text=True)
print(done.stdout)
lines = done.stdout.splitlines()
failed = {line.split()[1] for line in lines if line.startswith('FAIL ')}
if not lines or ' as expected' not in lines[-1]:
    sys.exit('the judge gave no verdict')
if failed != EXCEPTIONS:
    sys.exit('not as expected: %s' % ', '.join(sorted(failed ^ EXCEPTIONS)))
