/* SPDX-License-Identifier: GPL-2.0-or-later */
/* System calls and libc functions for libiospan's own use. libiospan calls libc's functions by
 * address. A call by name would run a function of that name in the program or in another preloaded
 * library. */
#ifndef IOSPAN_PRELOAD_SYSTEM_H
#define IOSPAN_PRELOAD_SYSTEM_H

#include "preload/preload.h"
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* A libc function that libiospan calls by address. All these functions are looked up when libiospan
 * is loaded, because dlsym() takes the dynamic linker's lock. Later, libiospan may run in a signal
 * handler or a forked child, which must not wait for the lock. */
struct next {
	void *function;
	const char *name;
	bool of_libc;
	/* All these structs are in section next_functions. The linker leaves no gaps between them,
	 * because the alignment is the size of the struct. */
} __attribute__((aligned(32)));
void *next_find(struct next *n);
void next_find_all(void);
/* Returns the symbol that libc's dlsym() finds, or NULL. Does not change the result of
 * dlerror(). */
void *symbol_in(void *handle, const char *name);

#define FIND(symbol, of_libc) \
	({ \
		static struct next next_row __attribute__((section("next_functions"), \
							   used)) = { NULL, symbol, of_libc }; \
		__atomic_load_n(&next_row.function, __ATOMIC_RELAXED) ?: next_find(&next_row); \
	})

/* The function named @symbol that the program would call if libiospan were not preloaded. It is in
 * libc or in another preloaded library. */
#define NEXT(symbol) FIND(symbol, false)

/* libc's own @function, even if another preloaded library also has one */
#define LIBC(function) ((__typeof__(function) *)FIND(#function, true))

/* Returns true if two strings are equal. libiospan does not call strcmp(), because the program may
 * define its own. */
static inline bool is_same(const char *a, const char *b)
{
	while (*a && *a == *b)
		a++, b++;
	return *a == *b;
}

/* Makes system call @n without libc. Returns -errno on failure. Does not change errno. */
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
/* Makes system call SYS_@name with up to 6 arguments. */
#define OWN_CALL(name, ...) OWN_CALL_PADDED(SYS_##name, ##__VA_ARGS__, 0, 0, 0, 0, 0, 0)

typedef int clock_fn(clockid_t clock, struct timespec *now);
/* The function by which libiospan reads the clock. It is set before the first call is counted.
 * Usually it is libc's clock_gettime(). If that would make a system call, it is
 * clock_by_system_call(). */
extern clock_fn *clock_read;
int clock_by_system_call(clockid_t clock, struct timespec *now);

static inline u64 now_ns(void)
{
	struct timespec t;

	clock_read(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

#endif
