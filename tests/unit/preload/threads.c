// SPDX-License-Identifier: GPL-2.0-or-later
/* Makes I/O calls in threads and child processes. The preloaded library (libiospan.so) counts the
 * calls in the app area, memory that it shares with iospan. process.c checks that all are
 * counted. */
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include "tests/unit/preload/preloaded.h"

static pthread_barrier_t all_there;

static void *reader(void *together)
{
	reads(1);
	if (together)
		pthread_barrier_wait(&all_there);
	reads(1008);
	if (together)
		pthread_barrier_wait(&all_there);
	return NULL;
}

static void run_threads(int n, void *together)
{
	pthread_t t[n];

	pthread_barrier_init(&all_there, NULL, n);
	for (int i = 0; i < n; i++)
		CHECK(pthread_create(&t[i], NULL, reader, together) == 0);
	for (int i = 0; i < n; i++)
		pthread_join(t[i], NULL);
}

static void threads(void)
{
	run_threads(8, NULL);
}

static void crowd(void)
{
	run_threads(100, &all_there);
}

static pthread_key_t key;

static void read_at_end(void *unused)
{
	reads(1);
}

static void *late_reader(void *unused)
{
	reads(1);
	pthread_setspecific(key, &key);
	return NULL;
}

/* Makes reads in a destructor of thread data, after the library's own destructor has run for this
 * thread. */
static void late(void)
{
	pthread_t t;

	CHECK(pthread_key_create(&key, read_at_end) == 0);
	CHECK(pthread_create(&t, NULL, late_reader, NULL) == 0);
	pthread_join(t, NULL);
}

static void child_reads(pid_t pid, int n)
{
	CHECK(pid >= 0);
	if (pid == 0) {
		reads(n);
		_exit(0);
	}
	CHECK(waitpid(pid, NULL, 0) == pid);
}

static void forks(void)
{
	reads(3);
	child_reads(fork(), 5);
	child_reads(_Fork(), 7);
	child_reads(syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0), 11);
	reads(2);
}

static void become(const char *mode)
{
	execl("/proc/self/exe", "preload/threads", mode, NULL);
	_exit(1);
}

/* The thread makes @before reads before vfork(). With @before > 0, the library already knows the
 * thread at the vfork(). */
static void vforks(int before)
{
	int status;
	pid_t pid;

	reads(before);
	pid = vfork();
	if (pid == 0) {
		reads(1);
		become("reads");
	}
	CHECK(pid > 0 && waitpid(pid, &status, 0) == pid && status == 0);
	reads(5);
}

static void vfork_after(void)
{
	vforks(1);
}

static void vfork_before(void)
{
	vforks(0);
}

static void only_reads(void)
{
	reads(3);
}

static void closed(void)
{
	reads(1);
	CHECK(close(area_number()) == 0);
	become("reopened");
}

/* Checks that the app area's descriptor is open again, although the previous program closed it. */
static void reopened(void)
{
	CHECK(fcntl(area_number(), F_GETFD) == 0);
	reads(1);
	unsetenv(APP_ENV_PID);
	become("reads");
}

static void taken(void)
{
	CHECK(dup2(fd, area_number()) == area_number());
	become("still-taken");
}

static void still_taken(void)
{
	struct stat ours, theirs;

	CHECK(fstat(fd, &ours) == 0 && fstat(area_number(), &theirs) == 0);
	CHECK(ours.st_ino == theirs.st_ino);
	reads(1);
}

static void executes(void)
{
	reads(1);
	become("reads");
}

static const struct mode modes[] = { { "threads", threads },
				     { "crowd", crowd },
				     { "late", late },
				     { "forks", forks },
				     { "vfork-after", vfork_after },
				     { "vfork-before", vfork_before },
				     { "reads", only_reads },
				     { "closed", closed },
				     { "reopened", reopened },
				     { "taken", taken },
				     { "still-taken", still_taken },
				     { "executes", executes },
				     { NULL, NULL } };

int main(int argc, char **argv)
{
	return run_mode(modes, argc, argv);
}
