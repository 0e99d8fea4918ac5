// SPDX-License-Identifier: GPL-2.0-or-later
/* Handles seccomp filters of the program. If a filter forbids a system call that libiospan makes,
 * the kernel may end the program. So libiospan makes no system call after the program has installed
 * such a filter. Before the installation, libiospan asks the kernel for the kind of file behind
 * each open descriptor. The app area is memory in which libiospan counts calls. iospan reads it. */
#include "preload/fd.h"
#include "preload/open.h"
#include "preload/sandbox.h"
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stdarg.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

u32 filters_refusing;
bool pidns_may_differ;

#if defined(__x86_64__)
#define OWN_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OWN_ARCH AUDIT_ARCH_AARCH64
#endif

#ifdef OWN_ARCH
static bool jumps(const struct sock_filter *f, u32 a)
{
	switch (BPF_OP(f->code)) {
	case BPF_JEQ:
		return a == f->k;
	case BPF_JGT:
		return a > f->k;
	case BPF_JGE:
		return a >= f->k;
	default: /* the only other operation is BPF_JSET */
		return a & f->k;
	}
}

/* Returns true if @filter allows system call @nr with any arguments. Returns false if this is not
 * certain: @filter reads arguments or has an unusual instruction. */
static bool filter_allows(const struct sock_fprog *filter, u32 nr)
{
	u32 a = 0;

	for (u32 pc = 0; pc < filter->len; pc++) {
		const struct sock_filter *f = &filter->filter[pc];

		if (f->code == (BPF_LD | BPF_W | BPF_ABS) &&
		    f->k <= offsetof(struct seccomp_data, arch))
			a = f->k ? OWN_ARCH : nr;
		else if (f->code == (BPF_ALU | BPF_AND | BPF_K))
			a &= f->k;
		else if (f->code == (BPF_JMP | BPF_JA))
			pc += f->k;
		else if (BPF_CLASS(f->code) == BPF_JMP && BPF_SRC(f->code) == BPF_K)
			pc += jumps(f, a) ? f->jt : f->jf;
		else
			return f->code == (BPF_RET | BPF_K) &&
				((f->k & SECCOMP_RET_ACTION_FULL) == SECCOMP_RET_ALLOW ||
				 (f->k & SECCOMP_RET_ACTION_FULL) == SECCOMP_RET_LOG);
	}
	return false;
}
#else
static bool filter_allows(const struct sock_fprog *filter, u32 nr)
{
	return false;
}
#endif

/* System calls that libiospan makes after it has started. If a filter forbids one, may_syscall() is
 * false from then on. */
static const u32 later_calls[] = {
	SYS_statx, SYS_fstatfs, SYS_lseek, SYS_getpid, SYS_gettid,
};

/* system call that libiospan makes only if the vDSO cannot read the clock */
static const u32 clock_calls[] = { SYS_clock_gettime };

/* System calls that libiospan makes when it starts in a program. A filter also applies to programs
 * that this program executes later. If it forbids one of these calls, libiospan counts nothing in
 * those programs. */
static const u32 start_calls[] = {
	SYS_mmap, SYS_munmap, SYS_madvise, SYS_fcntl, SYS_close, SYS_pidfd_open, SYS_pidfd_getfd,
};

static bool allows_all(const struct sock_fprog *filter, const u32 *calls, size_t n)
{
	while (n && filter_allows(filter, calls[n - 1]))
		n--;
	return !n;
}

#define ALLOWS(filter, calls) allows_all(filter, calls, sizeof(calls) / sizeof(*calls))

static bool clock_is_refused;

/* Returns true if the vDSO reads clock source @name without a system call. @name is the text from
 * sysfs, with a newline at the end. */
static bool source_is_in_vdso(const char *name)
{
	static const char *const sources[] = { "tsc\n", "kvm-clock\n", "arch_sys_counter\n",
					       "hyperv_clocksource_tsc_page\n" };

	for (size_t i = 0; i < sizeof(sources) / sizeof(*sources); i++)
		if (is_same(name, sources[i]))
			return true;
	return false;
}

static void clock_check_source(void)
{
	static const char path[] =
		"/sys/devices/system/clocksource/clocksource0/current_clocksource";
	int fd = OWN_CALL(openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
	char name[64] = "";

	if (fd < 0)
		return;
	if (OWN_CALL(read, fd, name, sizeof(name) - 1) > 0 && !source_is_in_vdso(name))
		clock_read = clock_by_system_call;
	OWN_CALL(close, fd);
}

/* Called before the program's prctl(). PR_SET_TSC may forbid this thread and its children to read
 * the time stamp counter, which the vDSO reads. Then libiospan reads the clock by a system call. */
static void clock_follow_prctl(long option, long mode)
{
	if (option != PR_SET_TSC || mode != PR_TSC_SIGSEGV)
		return;
	if (area && clock_is_refused)
		process_stop();
	clock_read = clock_by_system_call;
}

static void clock_follow_filter(const struct sock_fprog *filter)
{
	if (!filter || ALLOWS(filter, clock_calls))
		return;
	clock_is_refused = true;
	if (area && clock_read == clock_by_system_call)
		process_stop();
}

/* Makes libiospan count nothing in programs that this program executes. The environment has the
 * number of the app area's descriptor. This function makes the number invalid. It does so in place,
 * because setenv() would take a lock. */
static void exclude_executed_programs(void)
{
	char *number = env_find(APP_ENV_FD);

	if (number)
		*number = 'x';
}

/* Called before the program installs a filter. The filter may apply to other threads before this
 * thread returns. So libiospan makes no system call from now on, until after_filter() permits
 * it. */
static void before_filter(void)
{
	static bool filtered;

	if (area && may_syscall()) {
		if (!filtered)
			clock_check_source();
		filtered = true;
		fds_query();
	}
	__atomic_fetch_add(&filters_refusing, 1, __ATOMIC_SEQ_CST);
}

/* Called after the program has tried to install @filter or, if @filter is NULL, to enter strict
 * mode. @ret is below 0 if this failed. If the filter allows libiospan's system calls, libiospan
 * makes them from now on. Reading @filter is safe, because the kernel has just read it. */
static void after_filter(long ret, const struct sock_fprog *filter)
{
	bool later = ret < 0 || (filter && ALLOWS(filter, later_calls));
	bool start = ret < 0 || (filter && ALLOWS(filter, start_calls));
	bool refuses = !later || (!area && !start);

	if (ret >= 0)
		clock_follow_filter(filter);
	if (area && (!later || !start || process->epoch == EPOCH_STOPPED))
		exclude_executed_programs();
	if (!refuses)
		__atomic_fetch_sub(&filters_refusing, 1, __ATOMIC_SEQ_CST);
}

typedef long call_fn(long n, ...);

/* Evaluates @call between before_filter() and after_filter(), and has the value of @call. The
 * expression @call installs @filter. If @filter is NULL, @call enters strict mode. */
#define INSTALLS(call, filter) \
	({ \
		const struct sock_fprog *given = (filter); \
		u64 epoch; \
		long result; \
\
		before_filter(); \
		epoch = given ? 0 : clock_forbid(); \
		result = call; \
		after_filter(result, given); \
		if (!given && result) \
			clock_allow(epoch); \
		result; \
	})

static bool sets_seccomp(long option, long mode, long filter)
{
	return option == PR_SET_SECCOMP &&
		(mode == SECCOMP_MODE_STRICT || (mode == SECCOMP_MODE_FILTER && filter));
}

EXPORT int prctl(int option, ...)
{
	__typeof__(prctl) *next = NEXT("prctl");
	unsigned long a[4];
	va_list ap;

	va_start(ap, option);
	for (int i = 0; i < 4; i++)
		a[i] = va_arg(ap, unsigned long);
	va_end(ap);
	clock_follow_prctl(option, a[0]);
	if (!sets_seccomp(option, a[0], a[1]))
		return next(option, a[0], a[1], a[2], a[3]);
	return INSTALLS(next(option, a[0], a[1], a[2], a[3]),
			a[0] == SECCOMP_MODE_STRICT ? NULL : (void *)a[1]);
}

EXPORT long syscall(long n, ...)
{
	call_fn *next = NEXT("syscall");
	long a[6], ret;
	va_list ap;

	va_start(ap, n);
	for (int i = 0; i < 6; i++)
		a[i] = va_arg(ap, long);
	va_end(ap);
	if (n == SYS_prctl)
		clock_follow_prctl(a[0], a[1]);
	if (n == SYS_prctl && sets_seccomp(a[0], a[1], a[2]))
		return INSTALLS(next(n, a[0], a[1], a[2], a[3], a[4], a[5]),
				a[1] == SECCOMP_MODE_STRICT ? NULL : (void *)a[2]);
	if (n == SYS_seccomp && a[0] == SECCOMP_SET_MODE_STRICT)
		return INSTALLS(next(n, a[0], a[1], a[2], a[3], a[4], a[5]), NULL);
	if (n == SYS_seccomp && a[0] == SECCOMP_SET_MODE_FILTER && a[2])
		return INSTALLS(next(n, a[0], a[1], a[2], a[3], a[4], a[5]), (void *)a[2]);
	if (n == SYS_unshare || n == SYS_setns)
		pidns_may_differ = true;
	syscall_starts(n, a);
	ret = next(n, a[0], a[1], a[2], a[3], a[4], a[5]);
	syscall_returned(n, a, ret);
	return ret;
}

EXPORT int unshare(int flags)
{
	__typeof__(unshare) *next = NEXT("unshare");

	pidns_may_differ = true;
	return next(flags);
}

EXPORT int setns(int fd, int type)
{
	__typeof__(setns) *next = NEXT("setns");

	pidns_may_differ = true;
	return next(fd, type);
}
