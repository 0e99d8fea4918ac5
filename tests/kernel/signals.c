// SPDX-License-Identifier: GPL-2.0-or-later
/* signals FILE: copies FILE to a full pipe by sendfile(), and interrupts this call by signals.
 * Prints the number of calls that the program made, their bytes and errors, and a lower bound for
 * the sum of their latencies. A call that never returned counts as an error:
 *
 *   {"read": [calls, bytes, errors], "at_least_ns": N} */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SIZE 4096
#define TIMES 5
#define APART_US 20000

static struct shared {
	long calls, bytes, errors;
	volatile int handled;
} * shared;
static long at_least_ns;
static int file, ends[2];
static sigjmp_buf back;

static void add(long ret)
{
	shared->calls++;
	shared->bytes += ret < 0 ? 0 : ret;
	shared->errors += ret < 0;
}

static void on_signal(int sig)
{
	shared->handled++;
}

/* A signal handler that makes calls itself. Its sendfile() has the same descriptors as the
 * interrupted sendfile(), but an invalid pointer, so it fails at once. */
static void on_signal_calls(int sig)
{
	char byte;

	add(pread(file, &byte, 1, 0));
	add(sendfile(ends[1], file, (off_t *)1, SIZE));
	shared->handled++;
}

static void on_signal_jumps(int sig)
{
	shared->handled++;
	siglongjmp(back, 1);
}

static void handle(int sig, void (*handler)(int), int flags)
{
	struct sigaction action = { .sa_handler = handler, .sa_flags = flags };

	sigaction(sig, &action, NULL);
}

static void victim_main(void)
{
	off_t offset = 0;
	long ret = 0;

	if (sigsetjmp(back, 1))
		_exit(0);
	do {
		ret = sendfile(ends[1], file, &offset, SIZE);
		add(ret);
	} while (ret < 0 && errno == EINTR);
	_exit(ret != SIZE);
}

static char state_of(pid_t pid)
{
	char path[64], line[256] = "", *end;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	f = fopen(path, "r");
	if (!f || !fgets(line, sizeof(line), f))
		err(1, "%s", path);
	fclose(f);
	end = strrchr(line, ')');
	return end ? end[2] : ' ';
}

static void wait_for(pid_t pid, char state)
{
	while (state_of(pid) != state)
		usleep(100);
}

static pid_t start(void)
{
	char page[SIZE] = "";
	pid_t pid;

	shared->handled = 0;
	if (pipe(ends) || fcntl(ends[1], F_SETFL, O_NONBLOCK))
		err(1, "pipe");
	while (write(ends[1], page, SIZE) > 0)
		;
	fcntl(ends[1], F_SETFL, 0);
	pid = fork();
	if (pid == 0)
		victim_main();
	wait_for(pid, 'S');
	return pid;
}

/* Sends @sig to the process, and waits until its handler has run. */
static void interrupt(pid_t pid, int sig)
{
	int before = shared->handled;

	kill(pid, sig);
	while (shared->handled == before)
		usleep(100);
}

static void end(pid_t pid)
{
	char page[SIZE];

	close(ends[1]);
	while (read(ends[0], page, SIZE) > 0)
		;
	close(ends[0]);
	waitpid(pid, NULL, 0);
}

static void interrupt_often(void (*handler)(int), int flags)
{
	pid_t pid;

	handle(SIGUSR1, handler, flags);
	pid = start();
	for (int i = 0; i < TIMES; i++) {
		interrupt(pid, SIGUSR1);
		wait_for(pid, 'S');
		if (flags & SA_RESTART) {
			usleep(APART_US);
			at_least_ns += APART_US * 1000L;
		}
	}
	end(pid);
}

/* Stops the process during its call, and then continues the process. With @handlers, SIGUSR1 and
 * SIGUSR2 arrive while the process is stopped. Their handlers run when it continues. */
static void interrupt_by_stop(bool handlers, int flags1, int flags2)
{
	pid_t pid;

	handle(SIGUSR1, on_signal, flags1);
	handle(SIGUSR2, on_signal, flags2);
	pid = start();
	kill(pid, SIGSTOP);
	wait_for(pid, 'T');
	if (handlers) {
		kill(pid, SIGUSR1);
		kill(pid, SIGUSR2);
	}
	kill(pid, SIGCONT);
	while (shared->handled < (handlers ? 2 : 0))
		usleep(100);
	wait_for(pid, 'S');
	end(pid);
}

static void leave_call(void (*handler)(int), int sig)
{
	pid_t pid;

	handle(SIGUSR1, handler, SA_RESTART);
	pid = start();
	kill(pid, sig);
	waitpid(pid, NULL, 0);
	end(pid);
	add(-1);
}

int main(int argc, char **argv)
{
	file = argc > 1 ? open(argv[1], O_RDONLY) : -1;
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	if (file < 0 || shared == MAP_FAILED)
		err(1, "%s", argc > 1 ? argv[1] : "no FILE");
	interrupt_often(on_signal, 0);
	interrupt_often(on_signal_calls, 0);
	interrupt_often(on_signal, SA_RESTART);
	interrupt_often(on_signal_calls, SA_RESTART);
	interrupt_by_stop(false, 0, 0);
	interrupt_by_stop(true, 0, SA_RESTART);
	interrupt_by_stop(true, SA_RESTART, 0);
	leave_call(on_signal_jumps, SIGUSR1);
	leave_call(SIG_DFL, SIGUSR1);
	leave_call(on_signal, SIGKILL);
	printf("{\"read\": [%ld, %ld, %ld], \"at_least_ns\": %ld}\n", shared->calls, shared->bytes,
	       shared->errors, at_least_ns);
	return 0;
}
