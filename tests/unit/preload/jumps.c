// SPDX-License-Identifier: GPL-2.0-or-later
/* Interrupts I/O calls by a jump, signal, fork or cancellation. The preloaded library
 * (libiospan.so) counts the calls in memory shared with iospan. process.c checks the counters. */
#include <setjmp.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <ucontext.h>
#include "tests/unit/preload/seccomp-filter.h"

static int full[2];
static struct app_area *area;

/* Calls itself @levels times, and then makes @n reads. So the reads run on a deeper stack frame. */
static __attribute__((noinline)) void reads_deeper(int n, int levels)
{
	volatile char room[4096] = { 0 };

	if (levels)
		reads_deeper(n, levels - 1);
	else
		reads(n);
	(void)room[0];
}

/* Makes a read that blocks for ever: it copies from a file into a full pipe. */
static ssize_t blocked_read(void)
{
	return splice(fd, NULL, full[1], NULL, 100, 0);
}

static void fill_pipe(void)
{
	static char page[4096];

	CHECK(pipe2(full, O_NONBLOCK) == 0);
	while (write(full[1], page, sizeof(page)) > 0)
		;
	CHECK(errno == EAGAIN && fcntl(full[1], F_SETFL, 0) == 0);
}

/* ---- signals while a call is in flight ---- */

static pthread_t victim;
static volatile sig_atomic_t done;

static int inside(void)
{
	int n = 0;

	for (int i = 0; i < APP_THREADS; i++)
		n += *(volatile u32 *)&area->threads[i].stage == APP_INSIDE;
	return n;
}

static void *signaller(void *again)
{
	while (!inside())
		usleep(1000);
	do {
		pthread_kill(victim, SIGUSR1);
		usleep(20000);
	} while (again && !done);
	return NULL;
}

/* Sends SIGUSR1 to this thread while it makes a blocking call through the library. If the signal
 * arrives just before the system call, the system call still blocks. So if @again is not NULL, more
 * signals follow until signal_no_more(). */
static pthread_t signal_in_call(void (*fn)(int), int flags, void *again)
{
	struct sigaction sa = { .sa_handler = fn, .sa_flags = flags | SA_NODEFER };
	pthread_t t;

	victim = pthread_self();
	CHECK(sigaction(SIGUSR1, &sa, NULL) == 0);
	CHECK(pthread_create(&t, NULL, signaller, again) == 0);
	return t;
}

static void signal_no_more(pthread_t t)
{
	done = 1;
	pthread_join(t, NULL);
}

static volatile sig_atomic_t handled;

static sigjmp_buf env;
static void *builtin_env[5];

static void jump(int sig)
{
	siglongjmp(env, 1);
}

static void jump_unseen(int sig)
{
	__builtin_longjmp(builtin_env, 1);
}

static void jumped(void)
{
	pthread_t t = signal_in_call(jump, 0, NULL);

	if (!sigsetjmp(env, 1))
		blocked_read();
	reads_deeper(3, 4);
	pthread_join(t, NULL);
}

static ucontext_t context;

static void jump_to_context(int sig)
{
	done = 1;
	setcontext(&context);
}

static void jumped_to_context(void)
{
	pthread_t t = signal_in_call(jump_to_context, 0, NULL);

	getcontext(&context);
	if (!done)
		blocked_read();
	reads_deeper(3, 4);
	pthread_join(t, NULL);
}

static __attribute__((noinline)) void blocked_until_unseen_jump(void)
{
	if (!__builtin_setjmp(builtin_env))
		blocked_read();
}

static volatile sig_atomic_t jumps;

static void count_and_jump(int sig)
{
	jumps++;
	siglongjmp(env, 1);
}

static void jumped_often(void)
{
	struct sigaction sa = { .sa_handler = count_and_jump };
	struct itimerval every = { { 0, 300 }, { 0, 300 } }, never = {};

	CHECK(sigaction(SIGALRM, &sa, NULL) == 0);
	/* env must be set before the first signal */
	if (!sigsetjmp(env, 1))
		CHECK(setitimer(ITIMER_REAL, &every, NULL) == 0);
	while (jumps < 3000)
		reads(1);
	CHECK(setitimer(ITIMER_REAL, &never, NULL) == 0);
}

static void jumped_unseen(void)
{
	pthread_t t = signal_in_call(jump_unseen, 0, NULL);

	blocked_until_unseen_jump();
	reads(1);
	pthread_join(t, NULL);
}

static char alt_stack[65536];

static void alt_stack_use(char *stack)
{
	stack_t ss = { .ss_sp = stack, .ss_size = sizeof(alt_stack) };

	CHECK(sigaltstack(&ss, NULL) == 0);
}

static void read_in_handler(int sig)
{
	if (!handled++)
		reads(1);
}

static __attribute__((noinline)) void blocked_until_signal(void)
{
	pthread_t t = signal_in_call(read_in_handler, SA_ONSTACK, &t);

	CHECK(blocked_read() < 0 && errno == EINTR);
	signal_no_more(t);
}

/* The signal stack is a variable of this function, so its address is above the stack of the
 * interrupted call. */
static void nested_above(void)
{
	char stack[sizeof(alt_stack)];

	alt_stack_use(stack);
	blocked_until_signal();
}

static void nested_below(void)
{
	alt_stack_use(alt_stack);
	blocked_until_signal();
}

/* The seccomp filter allows only the system calls in the list, so the library may make no others.
 * The filter does not apply to the thread that sends the signals, because that thread starts
 * earlier. */
static void nested_under_filter(enum filter_way way)
{
	static const int calls[] = { SYS_splice, SYS_pread64, SYS_rt_sigreturn,
				     SYS_futex,	 SYS_munmap,  SYS_exit_group };
	char stack[sizeof(alt_stack)];
	pthread_t t;

	alt_stack_use(stack);
	t = signal_in_call(read_in_handler, SA_ONSTACK, &t);
	filter_install(calls, COUNT(calls), 1, way);
	CHECK(blocked_read() < 0 && errno == EINTR);
	signal_no_more(t);
	_exit(0);
}

static void nested_filtered(void)
{
	nested_under_filter(BY_PRCTL);
}

static void nested_unseen(void)
{
	nested_under_filter(BY_BARE_CALL);
}

/* The handler of the first signal interrupts a call, and makes another call on the signal stack.
 * The handler of the second signal interrupts that call, and jumps out of it. */
static void block_or_jump(int sig)
{
	if (handled++)
		jump_unseen(sig);
	blocked_read();
}

static void left_alt_stack(void)
{
	char stack[sizeof(alt_stack)];
	pthread_t t;

	alt_stack_use(stack);
	if (!__builtin_setjmp(builtin_env)) {
		t = signal_in_call(block_or_jump, SA_ONSTACK, NULL);
		raise(SIGUSR1);
	}
	reads(3);
	(void)t;
}

static pid_t forked;

static void interrupt_call(int sig)
{
}

/* fork() copies only the calling thread. The thread that sends the signals does not exist in the
 * child, so there a timer sends them. */
static void fork_in_handler(int sig)
{
	struct sigaction sa = { .sa_handler = interrupt_call };

	if (handled++) /* fork() must not be called again within fork() */
		return;
	forked = fork();
	if (!forked) {
		CHECK(sigaction(SIGALRM, &sa, NULL) == 0);
		ualarm(20000, 20000);
	}
}

/* The child continues in the middle of a call that its parent started. */
static void forked_in_call(void)
{
	pthread_t t = signal_in_call(fork_in_handler, 0, &t);

	CHECK(blocked_read() < 0 && errno == EINTR);
	reads(3);
	if (!forked)
		_exit(0);
	signal_no_more(t);
	CHECK(waitpid(forked, NULL, 0) == forked);
}

static int inside_of(pid_t pid)
{
	int n = 0;

	for (int i = 0; i < APP_THREADS; i++)
		n += area->threads[i].stage == APP_INSIDE && (int)area->threads[i].tid == pid;
	return n;
}

static void leave(int sig)
{
	if (inside_of(getpid()))
		_exit(0);
}

/* The child of vfork() exits during a call. Afterwards, the memory shared with iospan must show
 * @left calls of the child in flight. The library must count the 3 reads that the parent then
 * makes. */
static void vforked_and_left(int left)
{
	pid_t child;

	CHECK(signal(SIGALRM, leave) != SIG_ERR);
	child = vfork();
	if (child == 0) {
		ualarm(50000, 50000);
		blocked_read();
	}
	CHECK(waitpid(child, NULL, 0) == child);
	CHECK(inside() == left && inside_of(child) == left);
	reads_deeper(3, 4);
	CHECK(inside() == left && inside_of(child) == left);
}

/* Without `iospan run`, no BPF program ends the call of the exited child, so 1 call seems to be in
 * flight. */
static void vfork_left(void)
{
	vforked_and_left(1);
}

/* Under `iospan run`, a BPF program ends the call when the child exits, so no call is in flight. */
static void vfork_ended(void)
{
	vforked_and_left(0);
}

static void vfork_in_handler(int sig)
{
	if (handled++)
		return;
	forked = vfork();
	if (forked == 0) {
		reads(1);
		_exit(0);
	}
}

/* The library must count 1 read of the child, the interrupted read of the parent, and 3 more
 * reads. */
static void vforked_in_call(void)
{
	pthread_t t = signal_in_call(vfork_in_handler, 0, &t);

	CHECK(blocked_read() < 0 && errno == EINTR);
	signal_no_more(t);
	CHECK(waitpid(forked, NULL, 0) == forked);
	reads(3);
}

static void *block(void *unused)
{
	blocked_read();
	return NULL;
}

static void cancelled(void)
{
	pthread_t t;

	CHECK(pthread_create(&t, NULL, block, NULL) == 0);
	while (!inside())
		usleep(1000);
	CHECK(pthread_cancel(t) == 0 && pthread_join(t, NULL) == 0);
	reads(3);
}

static void blocked(void)
{
	blocked_read();
}

static const struct mode modes[] = { { "jump", jumped },
				     { "jump-context", jumped_to_context },
				     { "jump-often", jumped_often },
				     { "jump-unseen", jumped_unseen },
				     { "nested-above", nested_above },
				     { "nested-below", nested_below },
				     { "nested-filtered", nested_filtered },
				     { "nested-unseen", nested_unseen },
				     { "left-alt-stack", left_alt_stack },
				     { "fork-in-call", forked_in_call },
				     { "vfork-left", vfork_left },
				     { "vfork-ended", vfork_ended },
				     { "vfork-in-call", vforked_in_call },
				     { "cancel", cancelled },
				     { "blocked", blocked },
				     { NULL, NULL } };

int main(int argc, char **argv)
{
	area = mmap(NULL, sizeof(*area), PROT_READ, MAP_SHARED, area_number(), 0);
	CHECK(area != MAP_FAILED);
	fill_pipe();
	return run_mode(modes, argc, argv);
}
