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

if not (os.path.exists(JUDGE) and os.path.exists(CORPUS)):
    print('skipped: ../shared/corpus is not here')
    sys.exit(77)
sys.exit(subprocess.run([sys.executable, JUDGE, sys.argv[1], CORPUS]).returncode)
