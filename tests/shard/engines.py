#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""engines.py GPUHISTO NAME: runs the block NAME of docs/data-sets.md; its total must be that of one run. 77: skipped."""
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
NEEDS = {'parallel': 'parallel', 'mpi': 'mpirun'}
EACH = {'k8s': ('JOB_COMPLETION_INDEX', range(4)), 'slurm-array': ('SLURM_ARRAY_TASK_ID', range(1, 5))}


def block(name):
    with open(os.path.join(SOURCE, 'docs', 'data-sets.md')) as page:
        return re.search(r'^```sh %s\n(.*?)^```' % name, page.read(), re.M | re.S).group(1)


def sh(script, environment):
    subprocess.run(['sh', '-e', '-c', script], env=environment, check=True, timeout=60)


def main():
    program, name = os.path.abspath(sys.argv[1]), sys.argv[2]
    if name in NEEDS and not shutil.which(NEEDS[name]):
        print('skipped: %s is not installed' % NEEDS[name])
        sys.exit(77)
    draw = random.Random(7)
    environment = dict(os.environ, PATH=os.path.dirname(program) + ':' + os.environ['PATH'], HOME=os.getcwd(),
                       OMPI_ALLOW_RUN_AS_ROOT='1', OMPI_ALLOW_RUN_AS_ROOT_CONFIRM='1',
                       OMPI_MCA_rmaps_base_oversubscribe='1', OMPI_MCA_btl='self,vader', OMPI_MCA_oob_tcp_if_include='lo')
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        os.mkdir('photos')
        for i in range(11):
            with open('photos/%d.pgm' % i, 'wb') as file:
                file.write(b'P5 5 5 255\n' + draw.randbytes(25))
        expected = subprocess.run([program, 'stats', '-r', 'photos', '--total-only', '--format', 'json'],
                                  capture_output=True, check=True).stdout
        if name in EACH:  # the engine is what sets the variable
            variable, values = EACH[name]
            for value in values:
                sh(block(name), dict(environment, **{variable: str(value)}))
            sh('gpuhisto merge --format json -o total.json [0-9].json', environment)
        else:
            sh(block(name), environment)
        with open('total.json', 'rb') as file:
            got = file.read()
        os.chdir(SOURCE)
    if got != expected:
        sys.exit('the total differs from that of one run')


main()
