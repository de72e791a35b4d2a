#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""engines.py GPUHISTO NAME: runs the block NAME of docs/data-sets.md; its total must be that of one run. 77: skipped.

Those of Slurm run on a Slurm that is started for them (slurm.py)."""
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import slurm

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
NEEDS = {'parallel': 'parallel', 'mpi': 'mpirun'}
SLURM_SECONDS = 50  # for all of it, the start included
MERGE = 'gpuhisto merge --format json -o total.json [0-9].json'


def block(name):
    with open(os.path.join(SOURCE, 'docs', 'data-sets.md')) as page:
        return re.search(r'^```sh %s\n(.*?)^```' % name, page.read(), re.M | re.S).group(1)


def sh(script, environment):
    subprocess.run(['sh', '-e', '-c', script], env=environment, check=True, timeout=60)


def k8s(environment):
    for index in range(4):  # the engine is what sets the variable
        sh(block('k8s'), dict(environment, JOB_COMPLETION_INDEX=str(index)))
    sh(MERGE, environment)


def submit(tasks, environment):
    """Runs the tasks of the array, and says what they said."""
    job = subprocess.run(['sbatch', '--parsable', '--array=' + tasks, 'job.sh'], env=environment, check=True,
                         stdout=subprocess.PIPE, text=True).stdout.strip()
    while subprocess.run(['squeue', '-h', '-j', job], env=environment, check=True, stdout=subprocess.PIPE).stdout:
        time.sleep(0.1)
    sh('cat slurm-%s_*.out' % job, environment)


def slurm_array(environment):
    with open('job.sh', 'w') as file:
        file.write('#!/bin/sh\n' + block('slurm-array'))
    submit('1-4', environment)
    os.remove('3.json')
    left = subprocess.run(MERGE, shell=True, env=environment, stderr=subprocess.PIPE, text=True)
    if left.returncode != 1 or 'shards missing, of 4: 3' not in left.stderr:
        sys.exit('merge does not name the missing task: ' + left.stderr)
    submit('3', environment)
    sh(MERGE, environment)


def slurm_step(environment):
    sh(block('slurm'), environment)


def on_slurm(recipe, environment):
    def stop(number, _):
        sys.exit('stopped by %s' % signal.Signals(number).name)

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGALRM, stop)
    signal.alarm(SLURM_SECONDS)
    with tempfile.TemporaryDirectory() as folder:
        try:
            with slurm.Cluster(folder, environment) as inside:
                recipe(inside)
        except slurm.NotUp as error:
            print('skipped:', error)
            sys.exit(77)
        finally:
            signal.alarm(0)


ON_SLURM = {'slurm-array': slurm_array, 'slurm': slurm_step}


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
        if name in ON_SLURM:
            on_slurm(ON_SLURM[name], environment)
        elif name == 'k8s':
            k8s(environment)
        else:
            sh(block(name), environment)
        with open('total.json', 'rb') as file:
            got = file.read()
        os.chdir(SOURCE)
    if got != expected:
        sys.exit('the total differs from that of one run')


main()
