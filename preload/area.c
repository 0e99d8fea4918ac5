// SPDX-License-Identifier: GPL-2.0-or-later
/* The app area: how a program gets at it, and each thread's place in it. */
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

/* Functions that glibc has and other libcs may lack. Where they are missing, the loader must not
 * refuse the library, as that ends the program; see libc_is_known(). */
#pragma weak gnu_get_libc_version
int __register_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void), void *dso)
	__attribute__((weak));
extern void *__dso_handle __attribute__((visibility("hidden")));

/* The library knows the inside of glibc: libc_tid(). */
static bool libc_is_known(void)
{
	return gnu_get_libc_version && __register_atfork;
}

/* ---- mapping ---- */

/* Whoever records has room for it behind the area. */
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

/* The number may be the program's own by now, of any file: look before mapping,
 * as some devices mind it and a short file is deadly to touch. A BPF map has
 * no file type; a regular file serves for tests. */
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

/* A program on the way here closed all its descriptors (Python's subprocess
 * does): take a new one from the command, and leave it at the number that the
 * environment names, for those who are executed next, unless it is in use. */
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

/* The number in a variable of the environment, or -1. */
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
		if (me->places[i].slot)
			place_free(&me->places[i]);
	me->frame = NULL;
}

static u32 pid_namespace(void)
{
	struct stat st;

	return may_call() && !stat("/proc/self/ns/pid", &st) ? st.st_ino : 0;
}

/* Number of this thread, without a system call: libc notes it in a lock's owner. It is the
 * parent's in a child of vfork, and in a process that a bare system call made. */
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

/* 0: unknown. */
static u32 own_tid(void)
{
	if (!process->raw)
		return libc_tid();
	/* its child by vfork would get a number of its own for the parent's place */
	return may_call() && (u32)getpid() == process->pid ? syscall(SYS_gettid) : 0;
}

/* Namespace of the last process of this line of children. */
static u32 last_pidns;

static void identify(bool raw)
{
	if (raw)
		process->pid = may_call() ? getpid() : 0;
	else
		process->pid = libc_tid(); /* a child has one thread */
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

/* ---- places ---- */

static void slot_free(struct app_thread *t)
{
	slot_abandon(t);
	__atomic_store_n(&t->tid, 0, __ATOMIC_RELEASE);
}

void place_free(struct place *p)
{
	slot_free(p->slot);
	p->slot = NULL;
}

/* What bears our number is left from the program that ran here before exec, or
 * from a thread whose death nobody saw. */
static void slots_of_the_dead(u32 tid)
{
	for (u32 i = 0; i < APP_PROBES; i++) {
		struct app_thread *t = &area->threads[app_thread_slot(tid, i)];

		if (t->tid == tid && t->pidns == process->pidns)
			slot_free(t);
	}
}

/* The last stripe of rows is for all who could not get one of their own. */
#define SHARED_STRIPE (APP_STRIPES - 1)
#define ALONE_TRIES 8

/* Nobody has a slot of the same stripe? */
static bool alone(u32 slot)
{
	u32 stripe = slot % APP_STRIPES;

	if (stripe == SHARED_STRIPE)
		return false;
	for (u32 i = stripe; i < APP_THREADS; i += APP_STRIPES)
		if (i != slot && __atomic_load_n(&area->threads[i].tid, __ATOMIC_RELAXED))
			return false;
	return true;
}

static bool slot_take(struct place *p, u32 tid, u32 slot, bool want_alone)
{
	struct app_thread *t = &area->threads[slot];

	if (t->tid || (want_alone && !alone(slot)) ||
	    !__sync_bool_compare_and_swap(&t->tid, 0, tid))
		return false;
	/* of two who came at once, one at least sees the other now */
	if (want_alone && !alone(slot)) {
		__atomic_store_n(&t->tid, 0, __ATOMIC_RELEASE);
		return false;
	}
	t->stage = APP_IDLE;
	t->pidns = process->pidns;
	p->alone = want_alone;
	p->rows = area->rows[want_alone ? slot % APP_STRIPES : SHARED_STRIPE];
	p->slot = t;
	return true;
}

static bool slot_find(struct place *p, u32 tid)
{
	for (u32 i = 0; i < ALONE_TRIES; i++)
		if (slot_take(p, tid, app_thread_slot(tid, i), true))
			return true;
	for (u32 i = 0; i < APP_PROBES; i++)
		if (slot_take(p, tid, app_thread_slot(tid, i), false))
			return true;
	return false;
}

/* A child of vfork runs on its parent's stack and with its parent's variables, while the
 * parent stands still. It uses the place of the parent's thread. If it claims one, that place
 * has the parent's number: the parent goes on with it, and the kernel does not free it when
 * the child ends. posix_spawn() calls nothing of ours in its child. */
bool place_claim(struct place *p, struct self *me)
{
	int saved = errno;
	u32 tid = own_tid();
	bool found = false;

	if (tid) {
		if (process->pidns && !me->known)
			slots_of_the_dead(tid);
		me->known = true;
		found = slot_find(p, tid);
		pthread_setspecific(thread_key, me);
	}
	if (!found)
		add(&area->head.no_slot, 1);
	errno = saved;
	return found;
}

/* ---- start ---- */

/* In a child that libc's fork() or _Fork() made. */
static void child_start(void)
{
	int saved = errno;

	identify(false);
	process->epoch = now_ns() | 1;
	self_reset(&self);
	errno = saved;
}

/* Unlike fork(), it runs no handler in the child. */
EXPORT pid_t _Fork(void)
{
	__typeof__(_Fork) *next = NEXT("_Fork");
	pid_t pid = next();

	if (pid == 0 && area)
		child_start();
	return pid;
}

/* libc_tid() is no process number here: the first call may come from any thread. */
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

	if (!environ || !may_call()) /* libc has not begun itself, or a filter came before */
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
		dlerror(); /* not for the program to see */
	__atomic_store_n(&n->function, function, __ATOMIC_RELAXED);
	errno = saved;
	return function;
}

extern struct next __start_next_functions[] __attribute__((visibility("hidden")));
extern struct next __stop_next_functions[] __attribute__((visibility("hidden")));

__attribute__((constructor)) static void program_start(void)
{
	/* The linker sets both: the start and the end of one section. */
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
