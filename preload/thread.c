// SPDX-License-Identifier: GPL-2.0-or-later
/* State of the process and of its threads. Also reserves and frees slots in the app area, the
 * memory in which libiospan counts calls and which iospan reads. While a thread is in a call, its
 * slot describes the access. */
#include "preload/thread.h"
#include "preload/fd.h"
#include "preload/sandbox.h"
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/stat.h>

struct process *process;
__thread struct self self;

static pthread_key_t thread_key;

extern void *__dso_handle __attribute__((visibility("hidden")));

static void thread_end(void *unused)
{
	struct self *me = &self;

	if (self_is_lent(me) || me->epoch != process->epoch)
		return;
	for (unsigned i = 0; i < CALL_ACCESSES; i++)
		if (me->claims[i].slot)
			slot_release(&me->claims[i]);
	me->frame = NULL;
}

static u32 pid_namespace(void)
{
	static const char path[] = "/proc/self/ns/pid";
	struct statx st;

	return may_syscall() && !OWN_CALL(statx, AT_FDCWD, path, 0, STATX_INO, &st) ? st.stx_ino :
										      0;
}

/* Returns the id of this thread without a system call: glibc stores it as the owner of a locked
 * recursive mutex. In two cases, it is the parent's id: in a child of vfork(), and in a process
 * that the program made by a system call without libc. */
static u32 libc_tid(void)
{
	pthread_mutex_t m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
	u32 tid;

	LIBC(pthread_mutex_lock)(&m);
	tid = m.__data.__owner;
	LIBC(pthread_mutex_unlock)(&m);
	return tid;
}

static u32 own_tid(const struct self *me)
{
	if (me->tid)
		return me->tid;
	if (!process->raw)
		return libc_tid();
	/* If getpid() differs, this process is a child of vfork(), and libiospan did not see the
	 * vfork(). Parent and child have the same variables. If the child reserved a slot, the
	 * parent would later use the same slot. So the child gets no id and no slot. */
	return may_syscall() && OWN_CALL(getpid) == process->pid ? OWN_CALL(gettid) : 0;
}

/* Inode of the last known pid namespace. It is not in *process, because the kernel clears *process
 * in a forked child. */
static u32 last_pidns;

static void identify(bool raw)
{
	if (raw)
		process->pid = may_syscall() ? OWN_CALL(getpid) : 0;
	else
		/* in a forked child, the id of its only thread is the pid */
		process->pid = libc_tid();
	process->raw = raw;
	process->pidns = last_pidns;
	if (raw || pidns_may_differ)
		process->pidns = pid_namespace();
	last_pidns = process->pidns;
}

/* true: process_stop() was called in this process or its parent */
static bool stopped;

static u64 new_epoch(void)
{
	return stopped ? EPOCH_STOPPED : now_ns() | 1;
}

void process_stop(void)
{
	stopped = true;
	process->epoch = EPOCH_STOPPED;
}

static void self_reset(struct self *me)
{
	u64 epoch = process->epoch == EPOCH_STOPPED ? 0 : process->epoch;

	*me = (struct self){ .epoch = epoch, .signal_stack = me->signal_stack };
}

/* State of a thread from before its vfork(). The parent restores it at its next call; see
 * self_lend(). */
static __thread struct self lender;

/* Saves the state of this thread before the thread calls vfork(). The child of vfork() uses its
 * parent's variables and stack until the child executes a program or exits. Then the parent
 * continues. So the thread's next call may come from the child or from the parent. The child
 * reserves slots under its own thread id, so that a BPF program can end its calls if the child is
 * killed. In posix_spawn(), the child calls no interposed function.
 *
 * Returns false if nothing was saved. For instance, a child of vfork() may call vfork() itself.
 * Then the saved state stays that of the first parent. The two children are distinguished by their
 * thread ids: self_is_lent() resets the state each time that the other child runs. */
static bool self_lend(void)
{
	struct self *me = &self;

	if (!area || me->epoch == EPOCH_NO_CLOCK || self_is_lent(me))
		return false;
	lender = *me;
	*me = (struct self){ .epoch = EPOCH_LENT, .signal_stack = me->signal_stack };
	return true;
}

static void self_take_back(struct self *me)
{
	lender.signal_stack = me->signal_stack;
	*me = lender;
}

/* The pid shows if this process is a child of vfork(). If a seccomp filter forbids getpid(), the
 * process is taken as the parent. */
bool self_is_lent(struct self *me)
{
	u32 tid;

	if (me->epoch != EPOCH_LENT || !process->epoch)
		return false;
	if (!may_syscall() || OWN_CALL(getpid) == process->pid) {
		self_take_back(me);
		return false;
	}
	tid = OWN_CALL(gettid);
	if (tid != me->tid)
		*me = (struct self){ .epoch = EPOCH_LENT,
				     .tid = tid,
				     .signal_stack = me->signal_stack };
	return true;
}

/* libc's vfork() must be called by a jump (JUMPS_ON). A call would leave a return address on the
 * stack, and the child would overwrite it. */
JUMPS_ON EXPORT pid_t vfork(void)
{
	__typeof__(vfork) *next = NEXT("vfork");

	self_lend();
	return next();
}

/* Unlike vfork(), clone() gives the child a stack of its own. So libc's clone() is called
 * normally. */
EXPORT int clone(int (*fn)(void *), void *stack, int flags, void *arg, ...)
{
	__typeof__(clone) *next = NEXT("clone");
	bool lent = (flags & (CLONE_VM | CLONE_VFORK | CLONE_SETTLS)) == (CLONE_VM | CLONE_VFORK) &&
		self_lend();
	void *more[3];
	va_list ap;
	int pid;

	va_start(ap, arg);
	for (int i = 0; i < 3; i++)
		more[i] = va_arg(ap, void *);
	va_end(ap);
	pid = next(fn, stack, flags, arg, more[0], more[1], more[2]);
	if (lent)
		self_take_back(&self);
	return pid;
}

bool self_renew(struct self *me)
{
	if (!process->epoch) {
		identify(true);
		__sync_val_compare_and_swap(&process->epoch, 0, new_epoch());
	}
	if (me->epoch == EPOCH_NO_CLOCK || process->epoch == EPOCH_STOPPED) {
		add(&area->head.seccomp, 1);
		return false;
	}
	if (self_is_lent(me) || me->epoch == process->epoch)
		return true;
	self_reset(me);
	return true;
}

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

/* Frees the slots that already have this thread's id. They are left from the program before an
 * exec, or from an exited thread with the same id. */
static void slots_free_stale(u32 tid)
{
	for (u32 i = 0; i < APP_PROBES; i++) {
		struct app_thread *t = &area->threads[app_thread_slot(tid, i)];

		if (t->tid == tid && t->pidns == process->pidns)
			slot_free(t);
	}
}

/* The app area has APP_STRIPES copies (stripes) of the counters. If a thread has a stripe of its
 * own, it needs no atomic additions, which take longer. All other threads share stripe
 * SHARED_STRIPE. */
#define SHARED_STRIPE (APP_STRIPES - 1)
#define EXCLUSIVE_PROBES 8

/* Returns true if no other thread uses the stripe (copy of the counters) that belongs to slot
 * number @slot. */
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
	/* Another thread may have reserved a slot of the same stripe (copy of the counters) at the
	 * same time. At least one of the two threads sees this here, and frees its slot. */
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

bool slot_claim(struct claim *c, struct self *me)
{
	int saved = errno;
	u32 tid = own_tid(me);
	bool found = false;

	if (tid) {
		if (process->pidns && !me->known)
			slots_free_stale(tid);
		me->known = true;
		found = slot_find(c, tid);
		LIBC(pthread_setspecific)(thread_key, me);
	}
	if (!found)
		add(&area->head.no_slot, 1);
	errno = saved; /* pthread_setspecific() may allocate memory and change errno */
	return found;
}

/* Gives a forked child its own identity. Runs in the child, called by libc's fork() or the
 * interposed _Fork(). */
static void child_start(void)
{
	identify(false);
	process->epoch = new_epoch();
	self_reset(&self);
}

/* libc's _Fork() does not run the handlers that __register_atfork() installed. So this function
 * calls child_start(). */
EXPORT pid_t _Fork(void)
{
	__typeof__(_Fork) *next = NEXT("_Fork");
	pid_t pid = next();

	if (pid == 0 && area)
		child_start();
	return pid;
}

/* Any thread may run this function, so it calls getpid(): libc_tid() is the pid only in the main
 * thread. */
bool process_start(void)
{
	const int flags = MAP_PRIVATE | MAP_ANONYMOUS;
	long at = OWN_CALL(mmap, NULL, sizeof(*process), PROT_READ | PROT_WRITE, flags, -1);

	if ((at < 0 && at > -4096) || OWN_CALL(madvise, at, sizeof(*process), MADV_WIPEONFORK) ||
	    LIBC(pthread_key_create)(&thread_key, thread_end) ||
	    __register_atfork(NULL, NULL, child_start, __dso_handle))
		return false;
	process = (struct process *)at;
	process->pid = OWN_CALL(getpid);
	process->pidns = last_pidns = pid_namespace();
	process->epoch = new_epoch();
	self_reset(&self);
	return true;
}
