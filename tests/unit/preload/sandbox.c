// SPDX-License-Identifier: GPL-2.0-or-later
/* Programs for seccomp.c. Their filters kill them if the preloaded library (libiospan.so) makes a
 * system call of its own. If the library cannot time a call, it reports the call as lost. */
#include <sys/stat.h>
#include <sys/wait.h>
#include "tests/unit/preload/seccomp-filter.h"

static char buf[100];

static void writes(int to, int n)
{
	while (n--)
		CHECK(write(to, buf, 10) == 10);
}

static void leave(void)
{
	syscall(SYS_exit, 0);
}

static void write_and_read(void)
{
	writes(fd, 7);
	for (int i = 0; i < 3; i++)
		CHECK(read(fd, buf, 100) == 100);
	leave();
}

/* Makes 2 writes, which the library counts. Then enters strict mode, in which the library cannot
 * read the clock. So the library loses later calls. */
static void strict(void)
{
	writes(fd, 2);
	CHECK(prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT) == 0);
	write_and_read();
}

static const int basic[] = { SYS_read, SYS_write, SYS_exit };

static void filter(void)
{
	filter_install(basic, COUNT(basic), 1, BY_PRCTL);
	write_and_read();
}

static void filter_newer(void)
{
	filter_install(basic, COUNT(basic), 1, BY_SECCOMP);
	write_and_read();
}

/* Installs the filter by a bare system call, which the library does not see. If the library then
 * makes a system call of its own, the filter kills the process. The library must count 3 writes to
 * a new file, 1 to a duplicate, 1 to a temporary file, and the calls of write_and_read(). */
static void filter_unseen(void)
{
	char path[] = "XXXXXX";
	int other = open("other", O_RDWR | O_CREAT, 0600), copy = dup(other), new = mkstemp(path);

	filter_install(basic, COUNT(basic), 1, BY_BARE_CALL);
	writes(other, 3);
	writes(copy, 1);
	writes(new, 1);
	write_and_read();
}

/* Some programs test for seccomp by a call that fails and installs no filter. The library must
 * count the writes after this call. */
static void probe(void)
{
	CHECK(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, NULL) < 0 && errno == EFAULT);
	CHECK(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, 8) < 0 && errno == EFAULT);
	writes(open("other", O_RDWR | O_CREAT, 0600), 2);
}

/* Installs a filter that forbids only reboot(), which nobody calls. So the library must time and
 * count all writes, and lose none. */
static void harmless(void)
{
	static const int refused[] = { SYS_reboot };

	filter_install(refused, COUNT(refused), 0, BY_SECCOMP);
	writes(open("other", O_RDWR | O_CREAT, 0600), 5);
}

/* One file is opened before the filter is installed. The library must count 5 writes to it, 3 of
 * them through a duplicate. Another file is opened later. 2 writes to it are lost, because the
 * library must not ask the kernel what kind of file it is. */
static void opens(void)
{
	static const int calls[] = {
		SYS_write, SYS_exit, SYS_openat, SYS_dup, SYS_pipe2,
#ifdef SYS_pipe
		SYS_pipe,
#endif
	};
	int pair[2];

	filter_install(calls, COUNT(calls), 1, BY_SECCOMP);
	writes(fd, 2);
	writes(dup(fd), 3);
	CHECK(pipe(pair) == 0);
	writes(pair[1], 1);
	writes(open("other", O_RDWR | O_CREAT, 0600), 2);
	leave();
}

static const int forking[] = { SYS_write,	    SYS_exit,	SYS_exit_group,
			       SYS_clone,	    SYS_clone3, SYS_wait4,
			       SYS_set_robust_list, SYS_rseq,	SYS_rt_sigprocmask };

/* Makes @n writes in the child (@pid is 0). The parent waits for the child. */
static void child_writes(pid_t pid, int n)
{
	int status;

	if (pid == 0) {
		writes(fd, n);
		_exit(0);
	}
	CHECK(pid > 0 && waitpid(pid, &status, 0) == pid && status == 0);
}

/* The library must count all writes: 2 in the parent, 3 in a child of fork(), and 4 in a child of
 * _Fork(). */
static void forks(void)
{
	filter_install(forking, COUNT(forking), 1, BY_PRCTL);
	writes(fd, 2);
	child_writes(fork(), 3);
	child_writes(_Fork(), 4);
}

/* Neither libc nor the library knows the child's thread id, so the 3 writes of the child are lost.
 * The library must count the 2 writes of the parent. */
static void raw_fork(void)
{
	filter_install(forking, COUNT(forking), 1, BY_PRCTL);
	writes(fd, 2);
	child_writes(syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0), 3);
}

static void *writer(void *unused)
{
	writes(fd, 3);
	return NULL;
}

static void counter_forbid(void)
{
	CHECK(prctl(PR_SET_TSC, PR_TSC_SIGSEGV, 0, 0, 0) == 0);
}

/* After counter_forbid(), reading the time stamp counter raises SIGSEGV. The library must count all
 * writes: 2 before the call, 2 after it, 3 by a thread and 4 by a child. */
static void no_counter(void)
{
	pthread_t t;

	writes(fd, 2);
	counter_forbid();
	writes(fd, 2);
	CHECK(pthread_create(&t, NULL, writer, NULL) == 0 && pthread_join(t, NULL) == 0);
	child_writes(fork(), 4);
}

/* The process makes 2 writes, which the library counts. Then the process forbids reading the time
 * stamp counter, and most system calls. So the library has no clock, and loses the next 3 writes of
 * this process and 4 writes of its child. */
static void no_clock(void)
{
	writes(fd, 2);
	counter_forbid();
	filter_install(forking, COUNT(forking), 1, BY_PRCTL);
	writes(fd, 3);
	child_writes(fork(), 4);
}

/* As in no_clock(), the library cannot read the time. Here, the seccomp filter is installed first;
 * then the process forbids reading the time stamp counter. */
static void no_clock_later(void)
{
	static const int refused[] = { SYS_clock_gettime };

	writes(fd, 2);
	filter_install(refused, COUNT(refused), 0, BY_PRCTL);
	writes(fd, 1);
	counter_forbid();
	writes(fd, 4);
}

static void executes(void)
{
	static const int refused[] = { SYS_madvise, SYS_fstatfs, SYS_pidfd_open };

	writes(fd, 2);
	filter_install(refused, COUNT(refused), 0, BY_SECCOMP);
	execl("/proc/self/exe", "preload/sandbox", "write", NULL);
	_exit(1);
}

static void only_writes(void)
{
	writes(fd, 2);
}

/* Installs the filter before all constructors run, including the library's constructor. The library
 * must then not start at all. */
static void filter_early(int argc, char **argv, char **envp)
{
	static const int refused[] = { SYS_madvise, SYS_newfstatat, SYS_pidfd_open };

	environ = envp;
	if (argc == 2 && !strcmp(argv[1], "early"))
		filter_install(refused, COUNT(refused), 0, BY_PRCTL);
}
__attribute__((section(".preinit_array"), used)) static void (*before_all)(int, char **,
									   char **) = filter_early;

static const struct mode modes[] = { { "strict", strict },
				     { "filter", filter },
				     { "filter-newer", filter_newer },
				     { "filter-unseen", filter_unseen },
				     { "probe", probe },
				     { "harmless", harmless },
				     { "opens", opens },
				     { "forks", forks },
				     { "raw-fork", raw_fork },
				     { "executes", executes },
				     { "write", only_writes },
				     { "early", only_writes },
				     { "no-counter", no_counter },
				     { "no-clock", no_clock },
				     { "no-clock-later", no_clock_later },
				     { NULL, NULL } };

int main(int argc, char **argv)
{
	return run_mode(modes, argc, argv);
}
