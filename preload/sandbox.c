// SPDX-License-Identifier: GPL-2.0-or-later
/* Seccomp: a system call of the library that the program's filter forbids would end the
 * program. The library sees each filter when the program installs it, and evaluates it for
 * the calls that the library makes. If the filter refuses one of them, the library looks at
 * all descriptors first and makes no system call from then on. */
#include "preload/fd.h"
#include "preload/sandbox.h"
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stdarg.h>
#include <stdlib.h>
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

/* ---- what a filter allows ---- */

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
	default: /* BPF_JSET */
		return a & f->k;
	}
}

/* Does @filter allow system call @nr, whatever its arguments? A filter that looks at them,
 * or has instructions that real filters do without, counts as one that refuses. */
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

/* Calls that the library makes after its start. libc's statx() makes the second one if the kernel
 * has no first. */
static const u32 later_calls[] = {
	SYS_statx, SYS_newfstatat,  SYS_fstatfs, SYS_fcntl,
	SYS_lseek, SYS_sigaltstack, SYS_getpid,	 SYS_gettid,
};

/* Those that it makes in addition when a program starts. */
static const u32 start_calls[] = {
	SYS_mmap, SYS_munmap, SYS_madvise, SYS_close, SYS_pidfd_open, SYS_pidfd_getfd,
};

static bool allows_all(const struct sock_fprog *filter, const u32 *calls, size_t n)
{
	while (n && filter_allows(filter, calls[n - 1]))
		n--;
	return !n;
}

#define ALLOWS(filter, calls) allows_all(filter, calls, sizeof(calls) / sizeof(*calls))

/* ---- entering seccomp ---- */

/* Programs that are executed under this filter must not use the area: the library stays
 * inert when the number is none. */
static void children_stay_out(void)
{
	char *number = getenv(APP_ENV_FD);

	if (number)
		*number = 'x';
}

/* Before the kernel is asked to install a filter. Another thread may get it at once. */
static void before_filter(void)
{
	if (area && may_call()) {
		fds_look();
		signal_stack_look();
	}
	__atomic_fetch_add(&filters_refusing, 1, __ATOMIC_SEQ_CST);
}

/* @filter is NULL in strict mode. If the call succeeded, the kernel has read the filter, so
 * it can be read here. */
static void after_filter(long ret, const struct sock_fprog *filter)
{
	bool refuses = ret >= 0 && !(filter && ALLOWS(filter, later_calls));

	if (area && ret >= 0 && (refuses || !ALLOWS(filter, start_calls)))
		children_stay_out();
	if (!refuses)
		__atomic_fetch_sub(&filters_refusing, 1, __ATOMIC_SEQ_CST);
}

typedef long call_fn(long n, ...);

/* Makes a call that installs a filter, or strict mode if @filter is NULL. */
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
	if (!sets_seccomp(option, a[0], a[1]))
		return next(option, a[0], a[1], a[2], a[3]);
	return INSTALLS(next(option, a[0], a[1], a[2], a[3]),
			a[0] == SECCOMP_MODE_STRICT ? NULL : (void *)a[1]);
}

EXPORT long syscall(long n, ...)
{
	call_fn *next = NEXT("syscall");
	long a[6];
	va_list ap;

	va_start(ap, n);
	for (int i = 0; i < 6; i++)
		a[i] = va_arg(ap, long);
	va_end(ap);
	if (n == SYS_prctl && sets_seccomp(a[0], a[1], a[2]))
		return INSTALLS(next(n, a[0], a[1], a[2], a[3], a[4], a[5]),
				a[1] == SECCOMP_MODE_STRICT ? NULL : (void *)a[2]);
	if (n == SYS_seccomp && a[0] == SECCOMP_SET_MODE_STRICT)
		return INSTALLS(next(n, a[0], a[1], a[2], a[3], a[4], a[5]), NULL);
	if (n == SYS_seccomp && a[0] == SECCOMP_SET_MODE_FILTER && a[2])
		return INSTALLS(next(n, a[0], a[1], a[2], a[3], a[4], a[5]), (void *)a[2]);
	if (n == SYS_unshare || n == SYS_setns)
		pidns_may_differ = true;
	return next(n, a[0], a[1], a[2], a[3], a[4], a[5]);
}

/* ---- namespaces: of a child's number ---- */

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
