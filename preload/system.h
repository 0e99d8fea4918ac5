/* SPDX-License-Identifier: GPL-2.0-or-later */
/* System calls and functions of libc for the library's own use. The program, or another preloaded
 * library, may define functions with the names of libc's. Those would run in place of libc's, so
 * the library refers to none of them by name. */
#ifndef IOSPAN_PRELOAD_SYSTEM_H
#define IOSPAN_PRELOAD_SYSTEM_H

#include "preload/preload.h"
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* A function, looked up once. The constructor looks all of them up: dlsym() takes the dynamic
 * linker's lock, which a signal handler or a forked child must not wait for. A call before the
 * constructor looks up its own. */
struct next {
	void *function;
	const char *name;
	bool of_libc;
} __attribute__((aligned(32))); /* its size: the section is an array without gaps */
void *next_find(struct next *n);
void next_find_all(void);
/* libc's dlsym(). NULL: not found, and the program's dlerror() does not report it. */
void *symbol_in(void *handle, const char *name);

#define FIND(symbol, of_libc) \
	({ \
		static struct next next_row __attribute__((section("next_functions"), \
							   used)) = { NULL, symbol, of_libc }; \
		__atomic_load_n(&next_row.function, __ATOMIC_RELAXED) ?: next_find(&next_row); \
	})

/* The next definition of an interposed function: libc's, or one of another preloaded library. */
#define NEXT(symbol) FIND(symbol, false)

/* libc's own definition of a function. */
#define LIBC(function) ((__typeof__(function) *)FIND(#function, true))

/* Not strcmp(), which the program may define. */
static inline bool is_same(const char *a, const char *b)
{
	while (*a && *a == *b)
		a++, b++;
	return *a == *b;
}

/* Makes system call @n without libc. Returns -errno on failure, and leaves errno alone. */
static inline long own_call(long n, long a, long b, long c, long d, long e, long f)
{
#if defined(__x86_64__)
	register long r10 __asm__("r10") = d, r8 __asm__("r8") = e, r9 __asm__("r9") = f;
	long ret;

	__asm__ volatile("syscall"
			 : "=a"(ret)
			 : "a"(n), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
	return ret;
#elif defined(__aarch64__)
	register long x8 __asm__("x8") = n, x0 __asm__("x0") = a, x1 __asm__("x1") = b;
	register long x2 __asm__("x2") = c, x3 __asm__("x3") = d, x4 __asm__("x4") = e;
	register long x5 __asm__("x5") = f;

	__asm__ volatile("svc 0"
			 : "+r"(x0)
			 : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
			 : "memory");
	return x0;
#else
	int saved = errno;
	long ret = LIBC(syscall)(n, a, b, c, d, e, f);

	ret = ret < 0 ? -errno : ret;
	errno = saved;
	return ret;
#endif
}

#define OWN_CALL_PADDED(n, a, b, c, d, e, f, ...) \
	own_call(n, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))
/* The system call SYS_@name with up to 6 arguments. */
#define OWN_CALL(name, ...) OWN_CALL_PADDED(SYS_##name, ##__VA_ARGS__, 0, 0, 0, 0, 0, 0)

/* ---- the clock ---- */

typedef int clock_fn(clockid_t clock, struct timespec *now);
/* libc's clock_gettime(), which makes no system call if the vDSO supports the clock, or
 * clock_by_system_call(). Set before the area is mapped. */
extern clock_fn *clock_read;
int clock_by_system_call(clockid_t clock, struct timespec *now);

static inline u64 now_ns(void)
{
	struct timespec t;

	clock_read(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

#endif
