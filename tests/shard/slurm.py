# SPDX-License-Identifier: MIT
"""A Slurm of one node on the loopback interface, for the time of a test."""
import ctypes
import os
import pwd
import shutil
import signal
import socket
import subprocess
import time

PROGRAMS = {'munge': ['munged'], 'slurmctld': ['slurmctld'], 'slurmd': ['slurmd', 'slurmstepd'],
            'slurm-client': ['sbatch', 'srun', 'squeue', 'sinfo']}
PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER, CLONE_NEWUTS = 1, 36, 0x04000000
# Four CPUs, whatever the machine has: tasks of an array, and of a step, run at the same time.
CONFIGURATION = '''
ClusterName=gpuhisto
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
PlugStackConfig={folder}/plugstack.conf
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SchedulerType=sched/builtin
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
ReturnToService=2
NodeName={host} NodeAddr=127.0.0.1 CPUs=4 State=UNKNOWN
PartitionName=all Nodes={host} Default=YES MaxTime=1 State=UP
'''


class NotUp(Exception):
    """Slurm is not installed, or does not start here."""


def prctl(option, value):
    ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def die_with_the_test():
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def name_this_host_localhost():
    """For this process alone, if it may: the daemons listen where the host's name leads, and it may lead elsewhere."""
    if ctypes.CDLL(None).unshare(CLONE_NEWUTS) == 0:
        socket.sethostname('localhost')


def free_ports(count):
    sockets = [socket.create_server(('127.0.0.1', 0)) for _ in range(count)]
    ports = [opened.getsockname()[1] for opened in sockets]
    for opened in sockets:
        opened.close()
    return ports


def children():
    """The processes whose parent is this one, ended or not."""
    for pid in filter(str.isdigit, os.listdir('/proc')):
        try:
            with open('/proc/%s/stat' % pid) as file:
                parent = file.read().rpartition(')')[2].split()[1]
        except OSError:
            continue  # it has ended meanwhile
        if int(parent) == os.getpid():
            yield int(pid)


class Cluster:
    """with Cluster(FOLDER, ENVIRONMENT) as environment: what runs in that environment uses it. Raises NotUp."""

    def __init__(self, folder, environment):
        self.folder = folder
        outer = ('SLURM', 'SBATCH_', 'SRUN_', 'SQUEUE_', 'SINFO_')  # this test may itself be a job
        self.environment = {name: value for name, value in environment.items() if not name.startswith(outer)}
        self.environment.update(SLURM_CONF=folder + '/slurm.conf',
                                PATH=environment['PATH'] + ':/usr/sbin:/sbin')
        self.daemons = {}

    def __enter__(self):
        for package, names in PROGRAMS.items():
            for name in names:
                if not shutil.which(name, path=self.environment['PATH']):
                    raise NotUp('%s is not installed (package %s)' % (name, package))
        # A daemon's children that outlive it become this process's, which ends them.
        prctl(PR_SET_CHILD_SUBREAPER, 1)
        name_this_host_localhost()
        try:
            self.write_files()
            at = self.folder + '/munge.'
            self.start('munged', '--foreground', '--num-threads=2', '--origin=127.0.0.1', '--key-file=' + at + 'key',
                       '--socket=' + at + 'socket', '--pid-file=' + at + 'pid', '--log-file=' + at + 'log',
                       '--seed-file=' + at + 'seed')
            self.wait_until(lambda: os.path.exists(at + 'socket'), 'munged', 10)
            self.start('slurmctld', '-D')
            self.start('slurmd', '-D')
            self.wait_until(lambda: self.ask('sinfo', '-h', '-o', '%T') == 'idle', 'slurmd', 30)
        except BaseException:
            self.__exit__()
            raise
        return self.environment

    def __exit__(self, *_):
        for daemon in reversed(self.daemons.values()):
            daemon.terminate()
            try:
                daemon.wait(3)
            except subprocess.TimeoutExpired:
                pass
        while left := list(children()):
            for pid in left:
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)

    def write_files(self):
        os.chmod(self.folder, 0o711)  # munged wants its socket to be reachable
        for name in ('state', 'spool'):
            os.mkdir(os.path.join(self.folder, name))
        text = CONFIGURATION.format(host=socket.gethostname().split('.')[0], ports=free_ports(2), folder=self.folder,
                                    user=pwd.getpwuid(os.getuid()).pw_name)
        for name, content, mode in [('slurm.conf', text.encode(), 0o644), ('plugstack.conf', b'', 0o644),
                                    ('munge.key', os.urandom(64), 0o600)]:
            with open(os.path.join(self.folder, name), 'wb') as file:
                os.fchmod(file.fileno(), mode)
                file.write(content)

    def start(self, name, *arguments):
        with open('%s/%s.out' % (self.folder, name), 'wb') as output:
            self.daemons[name] = subprocess.Popen(
                [shutil.which(name, path=self.environment['PATH']), *arguments], env=self.environment, stdout=output,
                stderr=output, stdin=subprocess.DEVNULL, cwd=self.folder, start_new_session=True,
                preexec_fn=die_with_the_test)

    def wait_until(self, condition, slow, seconds):
        end = time.monotonic() + seconds
        while not condition():
            for name, daemon in self.daemons.items():
                if daemon.poll() is not None:
                    raise NotUp('%s ended: %s' % (name, self.last_line(name)))
            if time.monotonic() > end:
                raise NotUp('%s is not ready after %d s: %s' % (slow, seconds, self.last_line(slow)))
            time.sleep(0.1)

    def ask(self, *command):
        return subprocess.run(command, env=self.environment, capture_output=True, text=True, timeout=10).stdout.strip()

    def last_line(self, name):
        with open('%s/%s.out' % (self.folder, name), errors='replace') as file:
            return (file.read().strip().splitlines() or ['it said nothing'])[-1]
