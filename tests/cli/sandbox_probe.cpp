// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// Preloaded into the program, it plays the part of a hostile image's code: when PROBE_IMAGE is first read, it tries
// what a sandbox is there to refuse, and tells on standard error what came of it. PROBE_WITHOUT=landlock or seccomp
// makes the kernel appear to lack that.
#include <dlfcn.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

void tell(const char* what, bool done) {
  char line[64];
  const int length = std::snprintf(line, sizeof line, "probe: %s: %s\n", what, done ? "done" : strerrorname_np(errno));
  if (::write(STDERR_FILENO, line, static_cast<std::size_t>(length)) < 0) std::abort();
}

bool opens(const char* path, int flags) {
  const int fd = ::open(path, flags | O_CLOEXEC, 0600);
  if (fd >= 0) ::close(fd);
  return fd >= 0;
}

bool executes() {
  const pid_t child = ::fork();
  if (child == 0) {
    ::execl("/bin/true", "true", nullptr);
    ::_exit(errno);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  errno = WEXITSTATUS(status);
  return status == 0;
}

bool opens_socket() {
  const int fd = ::socket(AF_INET, SOCK_STREAM, 0);
  if (fd >= 0) ::close(fd);
  return fd >= 0;
}

bool queues_signal() {
  siginfo_t info{};
  info.si_code = SI_QUEUE;
  return ::syscall(SYS_rt_sigqueueinfo, ::getppid(), 0, &info) == 0;
}

bool moves(pid_t process) {
  cpu_set_t cores;
  return ::sched_getaffinity(process, sizeof cores, &cores) == 0 &&
         ::sched_setaffinity(process, sizeof cores, &cores) == 0;
}

bool shares_memory() {
  const int memory = ::shmget(IPC_PRIVATE, 1, 0600);
  if (memory >= 0) ::shmctl(memory, IPC_RMID, nullptr);
  return memory >= 0;
}

void try_everything(const char* image) {
  struct rlimit limit {};
  tell("read /etc/passwd", opens("/etc/passwd", O_RDONLY));
  tell("read elsewhere", opens(std::getenv("PROBE_ELSEWHERE"), O_RDONLY));
  tell("write elsewhere", opens("probe.new", O_WRONLY | O_CREAT));
  tell("write the image", opens(image, O_WRONLY));
  tell("list /", opens("/", O_RDONLY | O_DIRECTORY));
  tell("remove a file", ::unlink("probe.victim") == 0);
  tell("change a mode", ::chmod(image, 0600) == 0);
  tell("open a socket", opens_socket());
  tell("start a program", executes());
  tell("signal another process", ::kill(::getppid(), 0) == 0);
  tell("signal another thread", ::syscall(SYS_tgkill, ::getppid(), ::getppid(), 0) == 0);
  tell("queue a signal", queues_signal());
  tell("limit another process", ::prlimit(::getppid(), RLIMIT_NOFILE, nullptr, &limit) == 0);
  tell("slow another process", ::setpriority(PRIO_PROCESS, static_cast<id_t>(::getppid()), 0) == 0);
  tell("move another process", moves(::getppid()));
  tell("share memory", shares_memory());
  tell("be traced", ::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) == 0);
  tell("type into the terminal", ::ioctl(STDERR_FILENO, TIOCSTI, "x") == 0);
  tell("call what is too new", ::syscall(452, -1, "", 0, 0) == 0);
}

bool is(int fd, const char* path) {
  struct stat one {
  }, other{};
  return path && ::fstat(fd, &one) == 0 && ::stat(path, &other) == 0 && one.st_ino == other.st_ino;
}

bool lacks(const char* what) {
  const char* without = std::getenv("PROBE_WITHOUT");
  return without && std::strcmp(without, what) == 0;
}

std::atomic<bool> tried{false};

}  // namespace

extern "C" __attribute__((visibility("default"))) ssize_t read(int fd, void* to, std::size_t count) {
  static const auto real = reinterpret_cast<decltype(&read)>(::dlsym(RTLD_NEXT, "read"));
  const char* image = std::getenv("PROBE_IMAGE");
  if (!tried && is(fd, image) && !tried.exchange(true)) try_everything(image);
  return real(fd, to, count);
}

extern "C" __attribute__((visibility("default"))) long syscall(long number, ...) noexcept {
  static const auto real = reinterpret_cast<long (*)(long, ...)>(::dlsym(RTLD_NEXT, "syscall"));
  long a[6];
  std::va_list list;
  va_start(list, number);
  for (long& argument : a) argument = va_arg(list, long);
  va_end(list);
  const bool refused =
      (number == SYS_landlock_create_ruleset && lacks("landlock")) || (number == SYS_seccomp && lacks("seccomp"));
  if (!refused) return real(number, a[0], a[1], a[2], a[3], a[4], a[5]);
  errno = ENOSYS;
  return -1;
}
