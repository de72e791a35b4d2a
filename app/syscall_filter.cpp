// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// Written out instead of made by libseccomp, which would lengthen every start (0.1 of 3.5 ms), wanted or not, and
// cannot say "whatever is newer than this list".
#include "syscall_filter.hpp"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <bit>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace gpuhisto::app {
namespace {

#if defined(__x86_64__)
constexpr unsigned kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr unsigned kArchitecture = AUDIT_ARCH_AARCH64;
#elif defined(__riscv) && __riscv_xlen == 64
constexpr unsigned kArchitecture = AUDIT_ARCH_RISCV64;
#else
constexpr unsigned kArchitecture = 0;
#endif

// Landlock knows nothing of changes of mode, owner, times and attributes, so those by name are here; those of a file
// that is open are needed for outputs.
constexpr unsigned kRefused[] = {
    SYS_execve, SYS_execveat,
    // other machines, other processes
    SYS_socket, SYS_socketpair, SYS_connect, SYS_bind, SYS_listen, SYS_accept, SYS_accept4, SYS_ptrace,
    SYS_process_vm_readv, SYS_process_vm_writev, SYS_process_madvise, SYS_move_pages, SYS_migrate_pages, SYS_kill,
    SYS_tkill, SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo, SYS_pidfd_open, SYS_pidfd_getfd, SYS_pidfd_send_signal,
    SYS_kcmp, SYS_setpriority, SYS_ioprio_set, SYS_sched_setaffinity, SYS_sched_setattr, SYS_sched_setparam,
    SYS_sched_setscheduler,
    // what processes share
    SYS_shmget, SYS_shmat, SYS_shmctl, SYS_semget, SYS_semop, SYS_semtimedop, SYS_semctl, SYS_msgget, SYS_msgsnd,
    SYS_msgrcv, SYS_msgctl, SYS_mq_open, SYS_mq_unlink,
    // the machine
    SYS_reboot, SYS_sethostname, SYS_setdomainname, SYS_settimeofday, SYS_clock_settime, SYS_clock_adjtime,
    SYS_adjtimex, SYS_swapon, SYS_swapoff, SYS_acct, SYS_syslog, SYS_quotactl, SYS_vhangup,
    // files, past Landlock
    SYS_fchmodat, SYS_fchownat, SYS_utimensat, SYS_truncate, SYS_setxattr, SYS_lsetxattr, SYS_removexattr,
    SYS_lremovexattr, SYS_open_by_handle_at, SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot, SYS_unshare, SYS_setns,
    SYS_move_mount, SYS_open_tree, SYS_fsopen, SYS_fsmount, SYS_mount_setattr,
#ifdef __x86_64__
    SYS_chmod, SYS_chown, SYS_lchown, SYS_utime, SYS_utimes, SYS_futimesat, SYS_iopl, SYS_ioperm,
#endif
    // doors into the kernel that have often stood open
    SYS_bpf, SYS_perf_event_open, SYS_userfaultfd, SYS_io_uring_setup, SYS_io_uring_enter, SYS_add_key, SYS_request_key,
    SYS_keyctl, SYS_init_module, SYS_finit_module, SYS_delete_module, SYS_kexec_load, SYS_personality};

// What kernels have learned since: as if this one had not. All architectures give new calls the same numbers; those of
// x32, a second set on x86-64, are above them.
constexpr unsigned kFirstUnknown = 452;

constexpr sock_filter kRefuse = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM);
constexpr sock_filter kHasNot = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS);
constexpr sock_filter kAllow = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);

constexpr sock_filter load(std::size_t offset) {
  return BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<unsigned>(offset));
}
/// Skips the next instruction unless what was loaded passes the test.
constexpr sock_filter only_if(unsigned test, unsigned value) { return BPF_JUMP(BPF_JMP | test | BPF_K, value, 0, 1); }

/// Where the lower half of an argument is.
constexpr std::size_t argument(std::size_t index) {
  return offsetof(seccomp_data, args) + index * sizeof(std::uint64_t) +
         (std::endian::native == std::endian::big ? sizeof(unsigned) : 0);
}

/// Of a call whose first argument is a process: this one alone may be meant.
void allow_for_itself(std::vector<sock_filter>& code, unsigned number, bool by_zero) {
  const auto self = static_cast<unsigned>(::getpid());
  std::vector<sock_filter> checks = {load(argument(0)), only_if(BPF_JEQ, self), kAllow};
  if (by_zero) checks.insert(checks.end(), {only_if(BPF_JEQ, 0), kAllow});
  checks.push_back(kRefuse);
  code.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, static_cast<unsigned char>(checks.size())));
  code.insert(code.end(), checks.begin(), checks.end());
}

std::vector<sock_filter> filter() {
  std::vector<sock_filter> code = {load(offsetof(seccomp_data, arch)),
                                   BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, kArchitecture, 1, 0),
                                   kRefuse,
                                   load(offsetof(seccomp_data, nr)),
                                   only_if(BPF_JGE, kFirstUnknown),
                                   kHasNot};
  for (const unsigned number : kRefused) code.insert(code.end(), {only_if(BPF_JEQ, number), kRefuse});
  allow_for_itself(code, SYS_tgkill, false);    // abort()
  allow_for_itself(code, SYS_prlimit64, true);  // of the C library, for stacks
  // What is typed into the terminal that the program was started from would be run by the shell.
  code.insert(code.end(), {BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_ioctl, 1, 0), kAllow, load(argument(1)),
                           only_if(BPF_JEQ, TIOCSTI), kRefuse, only_if(BPF_JEQ, TIOCLINUX), kRefuse, kAllow});
  return code;
}

}  // namespace

bool refuse_system_calls() {
  if (kArchitecture == 0) {
    errno = ENOSYS;
    return false;
  }
  std::vector<sock_filter> code = filter();
  const sock_fprog program{static_cast<unsigned short>(code.size()), code.data()};
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) == 0;
}

}  // namespace gpuhisto::app
