// SPDX-License-Identifier: GPL-2.0-or-later
/* Makes a load of many processes and threads:
 *
 *	family calls FILE N BYTES	makes N reads of BYTES bytes, nothing else
 *	family tree FILE		reads in children, threads, executed programs and orphans;
 *					prints the sum of all reads: {"reads": N, "bytes": N}
 *	family stuck FILE		kills a child in the middle of a read
 *	family after BYTES COMMAND...	kills COMMAND after it has read BYTES bytes from disks
 *	family killed FILE		kills pairs of children that read; prints how long that
 *					took, {"at_most_ns": N}, and idles for the same time
 *
 * T is the time with calls in flight. "stuck" and "after" print bounds for T of the killed process,
 * {"at_least_ns": N, "at_most_ns": N}: the time in its last call, and its lifetime. Then they idle.
 * If iospan does not end the call of the killed process, T includes this idle time and exceeds the
 * upper bound. */
#include <err.h>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "user/base/clock.h"

#define IDLE_US 300000
#define STUCK_US 50000
#define SIZE 4096
#define CHILDREN 3
#define KILLED_PAIRS 250

static struct counts {
	long reads, bytes;
} * counts; /* in shared memory; NULL in a program that the load executes */
static const char *file;

static void reads(long n, long bytes)
{
	static __thread char buf[1 << 16];
	int fd = open(file, O_RDONLY);

	if (fd < 0)
		err(1, "%s", file);
	for (long i = 0; i < n; i++)
		if (pread(fd, buf, bytes, i * bytes) != bytes)
			err(1, "pread");
	close(fd);
	if (!counts)
		return;
	__sync_fetch_and_add(&counts->reads, n);
	__sync_fetch_and_add(&counts->bytes, n * bytes);
}

static void note_reads_of_other(long n, long bytes)
{
	__sync_fetch_and_add(&counts->reads, n);
	__sync_fetch_and_add(&counts->bytes, n * bytes);
}

static void *thread_main(void *unused)
{
	reads(11, SIZE);
	return NULL;
}

static void threads(void)
{
	pthread_t t[2];

	for (int i = 0; i < 2; i++)
		if (pthread_create(&t[i], NULL, thread_main, NULL))
			errx(1, "no thread");
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
}

/* Makes a process that outlives its parent. @alive is the write end of a pipe. When this process
 * exits, the kernel closes @alive, so the reader of the pipe notices the exit. */
static void orphan(int alive)
{
	if (fork())
		return;
	setsid();
	for (int fd = 0; fd < 1024; fd++)
		if (fd != alive)
			close(fd);
	usleep(20000);
	reads(5, SIZE);
	_exit(0);
}

static void child_main(int i, const char *self, int alive)
{
	reads(7, SIZE);
	threads();
	if (i == 0) {
		note_reads_of_other(13, 512);
		execl(self, self, "calls", file, "13", "512", (char *)NULL);
		err(1, "%s", self);
	}
	if (i == 1)
		orphan(alive);
	exit(0);
}

static void spawn(char *self)
{
	char *argv[] = { self, "calls", (char *)file, "17", "512", NULL };
	pid_t pid;

	if (posix_spawn(&pid, self, NULL, NULL, argv, environ))
		errx(1, "cannot spawn");
	note_reads_of_other(17, 512);
	waitpid(pid, NULL, 0);
}

static void tree(char *self)
{
	int alive[2], status;
	char byte;

	if (pipe(alive))
		err(1, "pipe");
	counts = mmap(NULL, sizeof(*counts), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	for (int i = 0; i < CHILDREN; i++)
		if (fork() == 0)
			child_main(i, self, alive[1]);
	close(alive[1]);
	spawn(self);
	reads(19, SIZE);
	while (wait(&status) > 0)
		if (status)
			errx(1, "a child failed");
	if (read(alive[0], &byte, 1))
		errx(1, "the orphan wrote");
	printf("{\"reads\": %ld, \"bytes\": %ld}\n", counts->reads, counts->bytes);
}

static void end_of(pid_t pid, long born, long blocked)
{
	long killed = now_ns();

	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	printf("{\"at_least_ns\": %ld, \"at_most_ns\": %ld}\n", killed - blocked, now_ns() - born);
	usleep(IDLE_US);
}

struct trap {
	int uffd, to_parent;
};

static void *trap_main(void *arg)
{
	struct trap *t = arg;
	struct uffd_msg msg;

	if (read(t->uffd, &msg, sizeof(msg)) != sizeof(msg))
		err(1, "userfaultfd");
	/* report the page fault to the parent; nobody resolves it, so the read never ends */
	if (write(t->to_parent, "", 1) != 1)
		err(1, "write");
	pause();
	return NULL;
}

/* Reads into memory of a userfaultfd. Nobody resolves the page fault, so the read blocks until the
 * process is killed. */
static void victim(int to_parent)
{
	struct trap trap = { syscall(SYS_userfaultfd, O_CLOEXEC), to_parent };
	struct uffdio_api api = { .api = UFFD_API };
	char *page = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct uffdio_register reg = {
		.range = { (unsigned long)page, SIZE },
		.mode = UFFDIO_REGISTER_MODE_MISSING,
	};
	int fd = open(file, O_RDONLY);
	pthread_t t;

	if (fd < 0 || trap.uffd < 0 || ioctl(trap.uffd, UFFDIO_API, &api) ||
	    ioctl(trap.uffd, UFFDIO_REGISTER, &reg))
		_exit(1);
	pthread_create(&t, NULL, trap_main, &trap);
	if (read(fd, page, SIZE) != SIZE)
		_exit(1);
	_exit(0);
}

static void stuck(void)
{
	long born = now_ns(), blocked;
	int to_parent[2];
	char byte;
	pid_t pid;

	if (pipe(to_parent))
		err(1, "pipe");
	pid = fork();
	if (pid == 0)
		victim(to_parent[1]);
	close(to_parent[1]);
	if (read(to_parent[0], &byte, 1) != 1)
		exit(4); /* this kernel lacks userfaultfd, so the child has exited */
	blocked = now_ns();
	usleep(STUCK_US);
	end_of(pid, born, blocked);
}

/* Returns the number of bytes that the process has read from disks, as the kernel counts them. */
static long bytes_read(pid_t pid)
{
	char path[64], line[64];
	long bytes = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/io", pid);
	f = fopen(path, "r");
	if (!f)
		err(1, "%s", path);
	while (fgets(line, sizeof(line), f) && sscanf(line, "read_bytes: %ld", &bytes) != 1)
		;
	fclose(f);
	return bytes;
}

static void after(long bytes, char **argv)
{
	long born = now_ns();
	pid_t pid = fork();

	if (pid == 0) {
		execvp(argv[0], argv);
		err(127, "%s", argv[0]);
	}
	while (bytes_read(pid) < bytes)
		usleep(1000);
	end_of(pid, born, now_ns());
}

static pid_t start_reader(int fd)
{
	pid_t pid = fork();
	char byte;

	if (pid < 0)
		err(1, "fork");
	while (pid == 0)
		if (pread(fd, &byte, 1, 0) != 1)
			err(1, "pread");
	return pid;
}

/* Starts pairs of processes that read all the time, so that two CPUs may update T at once. Kills
 * each process, most likely in a read. */
static void killed(void)
{
	long born = now_ns(), at_most;
	int fd = open(file, O_RDONLY);
	pid_t pair[2];

	if (fd < 0)
		err(1, "%s", file);
	for (int i = 0; i < KILLED_PAIRS; i++) {
		for (int c = 0; c < 2; c++)
			pair[c] = start_reader(fd);
		usleep(400 + i * 37 % 400);
		for (int c = 0; c < 2; c++) {
			kill(pair[c], SIGKILL);
			waitpid(pair[c], NULL, 0);
		}
	}
	at_most = now_ns() - born;
	printf("{\"at_most_ns\": %ld}\n", at_most);
	usleep(at_most / 1000);
}

int main(int argc, char **argv)
{
	const char *what = argc > 2 ? argv[1] : "";

	file = argv[argc > 2 ? 2 : 0];
	if (!strcmp(what, "calls") && argc == 5)
		reads(atol(argv[3]), atol(argv[4]));
	else if (!strcmp(what, "tree"))
		tree(argv[0]);
	else if (!strcmp(what, "stuck"))
		stuck();
	else if (!strcmp(what, "killed"))
		killed();
	else if (!strcmp(what, "after") && argc > 3)
		after(atol(argv[2]), argv + 3);
	else
		errx(2,
		     "usage: family calls FILE N BYTES | tree FILE | stuck FILE | killed FILE | "
		     "after BYTES COMMAND...");
	return 0;
}
