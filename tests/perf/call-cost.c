// SPDX-License-Identifier: GPL-2.0-or-later
/* Prints the CPU time of system calls and page faults in ns, on the last CPU, as JSON.
 * Each is measured in many short runs, and some of these are longer because of other programs. So
 * the 10th percentile of the runs is printed. */
#include <err.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define RUNS 201
#define CALLS 512
#define BYTES 4096

static int file, ends[2], sockets[2];
static char *pages, data[BYTES];

static void must(int done)
{
	if (!done)
		err(1, "call-cost");
}

static void call_getppid(void)
{
	for (int i = 0; i < CALLS; i++)
		getppid();
}

static void call_pread(void)
{
	for (int i = 0; i < CALLS; i++)
		must(pread(file, data, BYTES, 0) == BYTES);
}

static void fill_pipe(void)
{
	must(write(ends[1], data, CALLS) == CALLS);
}

static void read_pipe(void)
{
	for (int i = 0; i < CALLS; i++)
		must(read(ends[0], data, 1) == 1);
}

static void pass_message(void)
{
	struct iovec part = { data, 1 };
	struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1 };

	for (int i = 0; i < CALLS; i++) {
		must(sendmsg(sockets[1], &message, 0) == 1);
		must(recvmsg(sockets[0], &message, 0) == 1);
	}
}

static void fault(void)
{
	must(!madvise(pages, CALLS * BYTES, MADV_DONTNEED));
	for (int i = 0; i < CALLS; i++)
		pages[i * BYTES] = 1;
}

static const struct cost {
	const char *name;
	void (*run)(void), (*prepare)(void);
} costs[] = {
	{ "getppid", call_getppid, NULL }, { "pread", call_pread, NULL },
	{ "pipe", read_pipe, fill_pipe },  { "socket", pass_message, NULL },
	{ "fault", fault, NULL },
};

static void prepare(void)
{
	cpu_set_t last;

	CPU_ZERO(&last);
	CPU_SET(sysconf(_SC_NPROCESSORS_ONLN) - 1, &last);
	must(!sched_setaffinity(0, sizeof(last), &last));
	file = memfd_create("call-cost", 0);
	must(file >= 0 && !ftruncate(file, BYTES));
	must(!pipe(ends) && !socketpair(AF_UNIX, SOCK_STREAM, 0, sockets));
	pages = mmap(NULL, CALLS * BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
		     0);
	must(pages != MAP_FAILED && !madvise(pages, CALLS * BYTES, MADV_NOHUGEPAGE));
}

static double cpu_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * 1e9 + t.tv_nsec;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double per_call_ns(const struct cost *cost)
{
	double runs[RUNS];

	for (int i = 0; i < RUNS; i++) {
		if (cost->prepare)
			cost->prepare();
		double start = cpu_ns();
		cost->run();
		runs[i] = (cpu_ns() - start) / CALLS;
	}
	qsort(runs, RUNS, sizeof(*runs), by_value);
	return runs[RUNS / 10];
}

int main(void)
{
	const char *separator = "{";

	prepare();
	for (size_t i = 0; i < sizeof(costs) / sizeof(*costs); i++) {
		printf("%s\"%s\": %.1f", separator, costs[i].name, per_call_ns(&costs[i]));
		separator = ", ";
	}
	puts("}");
	return 0;
}
