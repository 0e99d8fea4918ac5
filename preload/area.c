// SPDX-License-Identifier: GPL-2.0-or-later
/* The app area: how a program maps it, and how each thread claims slots in it. */
#include "preload/area.h"
#include "preload/fd.h"
#include "preload/sandbox.h"
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <gnu/libc-version.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

struct app_area *area;
struct process *process;
__thread struct self self;

static pthread_key_t thread_key;

/* Weak, as other libcs lack these functions of glibc: with a strong reference their loader would
 * refuse the library and thereby end the program. See libc_is_known(). */
#pragma weak gnu_get_libc_version
int __register_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void), void *dso)
	__attribute__((weak));
extern void *__dso_handle __attribute__((visibility("hidden")));

/* libc_tid() reads a field inside glibc's mutex. */
static bool libc_is_known(void)
{
	return gnu_get_libc_version && __register_atfork;
}

/* ---- mapping ---- */

/* Maps the @n record lanes that follow the area while accesses are recorded. */
static struct record_lane *lanes_map(int fd, u64 n)
{
	size_t size = sizeof(*area) + n * sizeof(*lanes);
	char *at;

	if (!n || n > APP_STRIPES || n & (n - 1))
		return NULL;
	at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (at == MAP_FAILED)
		return NULL;
	lanes_n = n;
	return (struct record_lane *)(at + sizeof(*area));
}

/* The program may have reused the descriptor's number for any file of its own, so the type is
 * checked first: mapping a device may have side effects, and touching a mapping beyond the end of
 * a file raises SIGBUS. A BPF map has no file type; tests use a regular file. */
static struct app_area *area_map(int fd)
{
	struct app_area *a;
	struct statx st;

	if (!fd_stat(fd, &st))
		return NULL;
	if ((st.stx_mode & S_IFMT) && !(S_ISREG(st.stx_mode) && st.stx_size >= sizeof(*a)))
		return NULL;
	a = mmap(NULL, sizeof(*a), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (a == MAP_FAILED)
		return NULL;
	if (a->head.magic == APP_MAGIC) {
		lanes = lanes_map(fd, __atomic_load_n(&a->head.lanes, __ATOMIC_RELAXED));
		return a;
	}
	munmap(a, sizeof(*a));
	return NULL;
}

/* If a parent process closed all descriptors, as Python's subprocess does, gets a new one from
 * process @pid. The descriptor stays open at the number that the environment names, for programs
 * that this one executes, unless that number is in use. */
static struct app_area *area_fetch(pid_t pid, int number)
{
	int pidfd = syscall(SYS_pidfd_open, pid, 0), fd, kept;
	struct app_area *a;

	if (pidfd < 0)
		return NULL;
	fd = syscall(SYS_pidfd_getfd, pidfd, number, 0);
	syscall(SYS_close, pidfd);
	if (fd < 0)
		return NULL;
	a = area_map(fd);
	if (a && fd == number) {
		fcntl(fd, F_SETFD, 0);
		return a;
	}
	kept = a ? fcntl(fd, F_DUPFD, number) : -1;
	if (kept >= 0 && kept != number)
		syscall(SYS_close, kept);
	syscall(SYS_close, fd);
	return a;
}

/* Returns -1 if the variable is missing or not a number. */
static int env_number(const char *name)
{
	const char *text = getenv(name);
	char *end;
	long v;

	if (!text || *text < '0' || *text > '9')
		return -1;
	v = strtol(text, &end, 10);
	return *end || v > INT_MAX ? -1 : v;
}

/* ---- threads ---- */

static void thread_end(void *unused)
{
	struct self *me = &self;

	if (me->epoch != process->epoch)
		return;
	for (unsigned i = 0; i < CALL_ACCESSES; i++)
		if (me->claims[i].slot)
			slot_release(&me->claims[i]);
	me->frame = NULL;
}

static u32 pid_namespace(void)
{
	struct stat st;

	return may_syscall() && !stat("/proc/self/ns/pid", &st) ? st.st_ino : 0;
}

/* Id of this thread without a system call: glibc stores it as the owner of a recursive mutex. In
 * a child of vfork, and in a process made by a bare system call, it is still the parent's. */
static u32 libc_tid(void)
{
	pthread_mutex_t m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
	u32 tid;

	pthread_mutex_lock(&m);
	tid = m.__data.__owner;
	pthread_mutex_unlock(&m);
	pthread_mutex_destroy(&m);
	return tid;
}

/* Returns 0 if the id is unknown. */
static u32 own_tid(void)
{
	if (!process->raw)
		return libc_tid();
	/* not in a vfork child, which would claim the parent's slot under an id of its own */
	return may_syscall() && (u32)getpid() == process->pid ? syscall(SYS_gettid) : 0;
}

/* The parent's pid namespace in a new child: unlike *process, this word survives a fork. */
static u32 last_pidns;

static void identify(bool raw)
{
	if (raw)
		process->pid = may_syscall() ? getpid() : 0;
	else
		process->pid = libc_tid(); /* a new child has one thread; its id is the pid */
	process->raw = raw;
	process->pidns = last_pidns;
	if (raw || pidns_may_differ)
		process->pidns = pid_namespace();
	last_pidns = process->pidns;
}

static void self_reset(struct self *me)
{
	*me = (struct self){ .epoch = process->epoch, .signal_stack = me->signal_stack };
}

bool self_renew(struct self *me)
{
	int saved = errno;

	if (me->epoch == EPOCH_NO_CLOCK) {
		add(&area->head.seccomp, 1);
		return false;
	}
	if (!process->epoch) {
		identify(true);
		__sync_val_compare_and_swap(&process->epoch, 0, now_ns() | 1);
	}
	self_reset(me);
	errno = saved;
	return true;
}

/* ---- slots ---- */

static void slot_free(struct app_thread *t)
{
	slot_abandon(t);
	__atomic_store_n(&t->tid, 0, __ATOMIC_RELEASE);
}

void slot_release(struct claim *c)
{
	slot_free(c->slot);
	c->slot = NULL;
}

/* Slots that already bear this thread's id were left by the program that ran before exec, or by a
 * thread that died without being noticed. */
static void slots_free_stale(u32 tid)
{
	for (u32 i = 0; i < APP_PROBES; i++) {
		struct app_thread *t = &area->threads[app_thread_slot(tid, i)];

		if (t->tid == tid && t->pidns == process->pidns)
			slot_free(t);
	}
}

/* Threads without a stripe of rows of their own share the last one. */
#define SHARED_STRIPE (APP_STRIPES - 1)
#define EXCLUSIVE_PROBES 8

/* No other thread has a slot that maps to the same stripe? */
static bool stripe_is_free(u32 slot)
{
	u32 stripe = slot % APP_STRIPES;

	if (stripe == SHARED_STRIPE)
		return false;
	for (u32 i = stripe; i < APP_THREADS; i += APP_STRIPES)
		if (i != slot && __atomic_load_n(&area->threads[i].tid, __ATOMIC_RELAXED))
			return false;
	return true;
}

static bool slot_try(struct claim *c, u32 tid, u32 slot, bool exclusive)
{
	struct app_thread *t = &area->threads[slot];

	if (t->tid || (exclusive && !stripe_is_free(slot)) ||
	    !__sync_bool_compare_and_swap(&t->tid, 0, tid))
		return false;
	/* Two threads may have claimed slots of one stripe at the same time. At least one of them
	 * sees the other now. */
	if (exclusive && !stripe_is_free(slot)) {
		__atomic_store_n(&t->tid, 0, __ATOMIC_RELEASE);
		return false;
	}
	t->stage = APP_IDLE;
	t->pidns = process->pidns;
	c->exclusive = exclusive;
	c->rows = area->rows[exclusive ? slot % APP_STRIPES : SHARED_STRIPE];
	c->slot = t;
	return true;
}

static bool slot_find(struct claim *c, u32 tid)
{
	for (u32 i = 0; i < EXCLUSIVE_PROBES; i++)
		if (slot_try(c, tid, app_thread_slot(tid, i), true))
			return true;
	for (u32 i = 0; i < APP_PROBES; i++)
		if (slot_try(c, tid, app_thread_slot(tid, i), false))
			return true;
	return false;
}

/* A child of vfork runs on its suspended parent's stack and variables, and so uses the slot of the
 * parent's thread. A slot that the child claims bears the parent's id: the parent continues to use
 * it, and the kernel does not free it when the child exits. In posix_spawn(), the child calls no
 * interposed function. */
bool slot_claim(struct claim *c, struct self *me)
{
	int saved = errno;
	u32 tid = own_tid();
	bool found = false;

	if (tid) {
		if (process->pidns && !me->known)
			slots_free_stale(tid);
		me->known = true;
		found = slot_find(c, tid);
		pthread_setspecific(thread_key, me);
	}
	if (!found)
		add(&area->head.no_slot, 1);
	errno = saved;
	return found;
}

/* ---- start ---- */

/* Runs in a child made by libc's fork() or _Fork(). */
static void child_start(void)
{
	int saved = errno;

	identify(false);
	process->epoch = now_ns() | 1;
	self_reset(&self);
	errno = saved;
}

/* Unlike fork(), _Fork() does not run the handlers of __register_atfork(). */
EXPORT pid_t _Fork(void)
{
	__typeof__(_Fork) *next = NEXT("_Fork");
	pid_t pid = next();

	if (pid == 0 && area)
		child_start();
	return pid;
}

/* Uses getpid(), not libc_tid(): the first call may be made by any thread. */
static bool process_start(void)
{
	process = mmap(NULL, sizeof(*process), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		       -1, 0);
	if (process == MAP_FAILED || madvise(process, sizeof(*process), MADV_WIPEONFORK) ||
	    pthread_key_create(&thread_key, thread_end) ||
	    __register_atfork(NULL, NULL, child_start, __dso_handle))
		return false;
	process->pid = getpid();
	process->pidns = last_pidns = pid_namespace();
	process->epoch = now_ns() | 1;
	self_reset(&self);
	return true;
}

bool area_start(void)
{
	static int started;
	int saved = errno, fd, pid;
	struct app_area *a = NULL;

	/* libc is not initialised yet, or a seccomp filter is in force already */
	if (!environ || !may_syscall())
		return false;
	if (!libc_is_known())
		return false;
	if (__atomic_load_n(&started, __ATOMIC_RELAXED) ||
	    __atomic_exchange_n(&started, 1, __ATOMIC_RELAXED))
		return false;
	fd = env_number(APP_ENV_FD);
	pid = env_number(APP_ENV_PID);
	if (fd >= 0)
		a = area_map(fd);
	if (fd >= 0 && pid > 0 && !a)
		a = area_fetch(pid, fd);
	if (a && !process_start())
		a = NULL;
	if (a) {
		add(&a->head.programs, 1);
		__atomic_store_n(&area, a, __ATOMIC_RELEASE);
	}
	errno = saved;
	return a;
}

void *next_find(struct next *n)
{
	int saved = errno;
	void *function = dlsym(RTLD_NEXT, n->name);

	if (!function)
		dlerror(); /* or the program's next dlerror() would return our failure */
	__atomic_store_n(&n->function, function, __ATOMIC_RELAXED);
	errno = saved;
	return function;
}

extern struct next __start_next_functions[] __attribute__((visibility("hidden")));
extern struct next __stop_next_functions[] __attribute__((visibility("hidden")));

__attribute__((constructor)) static void program_start(void)
{
	/* The linker defines both symbols, at the start and the end of one section. */
	/* cppcheck-suppress comparePointers */
	for (struct next *n = __start_next_functions; n < __stop_next_functions; n++)
		if (!n->function)
			next_find(n);
	if (!area)
		area_start();
	if (!area)
		return;
	for (int fd = 0; fd <= STDERR_FILENO; fd++)
		fd_counts(fd);
}
