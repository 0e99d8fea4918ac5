// SPDX-License-Identifier: GPL-2.0-or-later
/* A load for seccomp.c: programs under a seccomp filter that kills them if the library makes a
 * system call that the program itself does not make. */
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

/* Makes 7 writes and 3 reads. */
static void write_and_read(void)
{
	writes(fd, 7);
	for (int i = 0; i < 3; i++)
		CHECK(read(fd, buf, 100) == 100);
	leave();
}

/* Makes 2 writes, which count, and then enters strict mode, in which calls do not count. */
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

/* Installs the filter so that the library does not see it. The library must make no system call:
 * for 3 writes to a file that no call has used, 1 to a duplicated descriptor, 1 to a temporary
 * file, and then write_and_read(). */
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

/* Probes for seccomp by a call that fails. This must change nothing: 2 writes to a file that is
 * opened afterwards count. */
static void probe(void)
{
	CHECK(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, NULL) < 0 && errno == EFAULT);
	CHECK(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, 8) < 0 && errno == EFAULT);
	writes(open("other", O_RDWR | O_CREAT, 0600), 2);
}

/* Installs a filter that refuses only a call that nobody makes. This must change nothing. */
static void harmless(void)
{
	static const int refused[] = { SYS_reboot };

	filter_install(refused, COUNT(refused), 0, BY_SECCOMP);
	writes(open("other", O_RDWR | O_CREAT, 0600), 5);
}

/* Makes 5 writes to a file that was opened before the filter, 3 of them by a duplicate, and 2 to
 * one opened afterwards. */
static void opens(void)
{
	static const int calls[] = {
		SYS_write, SYS_exit, SYS_openat, SYS_dup, SYS_pipe2, SYS_pipe
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

/* Makes @n writes if @pid is 0, which means in the child. The parent waits for the child. */
static void child_writes(pid_t pid, int n)
{
	int status;

	if (pid == 0) {
		writes(fd, n);
		_exit(0);
	}
	CHECK(pid > 0 && waitpid(pid, &status, 0) == pid && status == 0);
}

/* Makes 2 writes, and 3 and 4 by children of fork() and _Fork() of libc. */
static void forks(void)
{
	filter_install(forking, COUNT(forking), 1, BY_PRCTL);
	writes(fd, 2);
	child_writes(fork(), 3);
	child_writes(_Fork(), 4);
}

/* Forks by the bare system call. libc does not know the thread id of such a child, so neither does
 * the library: 2 writes of the parent count, 3 of the child are lost. */
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

/* From now on, reading the processor's time stamp counter raises SIGSEGV, also in threads and
 * children that are created later. Makes 2 writes before that, 2 after it, 3 by a thread and 4 by a
 * child. */
static void no_counter(void)
{
	pthread_t t;

	writes(fd, 2);
	counter_forbid();
	writes(fd, 2);
	CHECK(pthread_create(&t, NULL, writer, NULL) == 0 && pthread_join(t, NULL) == 0);
	child_writes(fork(), 4);
}

/* The time stamp counter is forbidden, and a filter forbids the system call that reads the time: 2
 * writes count, 3 and 4 are lost. */
static void no_clock(void)
{
	writes(fd, 2);
	counter_forbid();
	filter_install(forking, COUNT(forking), 1, BY_PRCTL);
	writes(fd, 3);
	child_writes(fork(), 4);
}

/* As no_clock(), but the filter is installed before the counter is forbidden. */
static void no_clock_later(void)
{
	static const int refused[] = { SYS_clock_gettime };

	writes(fd, 2);
	filter_install(refused, COUNT(refused), 0, BY_PRCTL);
	writes(fd, 1);
	counter_forbid();
	writes(fd, 4);
}

/* The filter is active when this program executes another one. In that one, the library must make
 * no system call. */
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

/* Installs the filter before all constructors, so that the library must not start. */
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
