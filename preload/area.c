// SPDX-License-Identifier: GPL-2.0-or-later
/* Maps the app area when a program starts. The app area is memory in which libiospan counts
 * accesses, and from which iospan reads the counters. */
#include "preload/thread.h"
#include "preload/fd.h"
#include "preload/sandbox.h"
#include <gnu/libc-version.h>
#include <limits.h>
#include <sys/mman.h>
#include <sys/stat.h>

struct app_area *area;

/* weak, because only glibc has this function: the loader of another libc would refuse libiospan and
 * end the program */
#pragma weak gnu_get_libc_version

/* Returns true if libc is glibc. libc_tid() needs glibc, because it reads a field inside glibc's
 * mutex. */
static bool libc_is_known(void)
{
	return gnu_get_libc_version && __register_atfork;
}

/* Maps @size bytes of @fd; NULL: failure. It does not call libc's mmap(), because the program may
 * have its own. */
static void *map(size_t size, int fd)
{
	long at = OWN_CALL(mmap, NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd);

	return at < 0 && at > -4096 ? NULL : (void *)at;
}

/* Maps the @n ring buffers (struct record_lane) that follow the app area in @fd. Returns NULL on
 * failure, or if there are none. */
static struct record_lane *lanes_map(int fd, u64 n)
{
	size_t size = sizeof(*area) + n * sizeof(*lanes);
	char *at;

	if (!n || n > APP_STRIPES || n & (n - 1))
		return NULL;
	at = map(size, fd);
	if (!at)
		return NULL;
	lanes_n = n;
	return (struct record_lane *)(at + sizeof(*area));
}

/* Maps @fd if it is the app area, else returns NULL. The program may use the descriptor number for
 * another file. To map a device may have side effects, and a read beyond the end of a short file
 * raises SIGBUS. So the file type and size are checked first. The app area is a BPF map, which has
 * no file type; in tests, it is a regular file. */
static struct app_area *area_map(int fd)
{
	struct app_area *a;
	struct statx st;

	if (!fd_stat(fd, &st))
		return NULL;
	if ((st.stx_mode & S_IFMT) && !(S_ISREG(st.stx_mode) && st.stx_size >= sizeof(*a)))
		return NULL;
	a = map(sizeof(*a), fd);
	if (!a)
		return NULL;
	if (a->head.magic == APP_MAGIC) {
		lanes = lanes_map(fd, __atomic_load_n(&a->head.lanes, __ATOMIC_RELAXED));
		return a;
	}
	OWN_CALL(munmap, a, sizeof(*a));
	return NULL;
}

/* Maps the app area if this program lacks its descriptor: a parent may close all descriptors before
 * exec, as Python's subprocess does. Copies descriptor @number from process @pid. The copy stays
 * open under the same number, so that programs that this program executes inherit it. If the number
 * is in use, the copy is closed. Returns NULL on failure. */
static struct app_area *area_fetch(pid_t pid, int number)
{
	int pidfd = OWN_CALL(pidfd_open, pid), fd, kept;
	struct app_area *a;

	if (pidfd < 0)
		return NULL;
	fd = OWN_CALL(pidfd_getfd, pidfd, number);
	OWN_CALL(close, pidfd);
	if (fd < 0)
		return NULL;
	a = area_map(fd);
	if (a && fd == number) {
		OWN_CALL(fcntl, fd, F_SETFD);
		return a;
	}
	kept = a ? (int)OWN_CALL(fcntl, fd, F_DUPFD, number) : -1;
	if (kept >= 0 && kept != number)
		OWN_CALL(close, kept);
	OWN_CALL(close, fd);
	return a;
}

char *env_find(const char *name)
{
	for (char **at = environ; at && *at; at++) {
		size_t n = 0;

		while (name[n] && (*at)[n] == name[n])
			n++;
		if (!name[n] && (*at)[n] == '=')
			return *at + n + 1;
	}
	return NULL;
}

/* Returns the value of environment variable @name; -1: it is missing or no number. */
static int env_number(const char *name)
{
	const char *c = env_find(name);
	long v = 0;

	if (!c || !*c)
		return -1;
	for (; *c; c++) {
		if (*c < '0' || *c > '9')
			return -1;
		v = v * 10 + *c - '0';
		if (v > INT_MAX)
			return -1;
	}
	return v;
}

bool area_start(void)
{
	static int started;
	int saved = errno, fd, pid;
	struct app_area *a = NULL;

	/* libiospan cannot start in these two cases: libc is not initialised yet (environ is NULL),
	 * or a seccomp filter forbids a system call that libiospan makes. */
	if (!environ || !may_syscall())
		return false;
	if (!libc_is_known())
		return false;
	if (__atomic_load_n(&started, __ATOMIC_RELAXED) ||
	    __atomic_exchange_n(&started, 1, __ATOMIC_RELAXED))
		return false;
	if (!clock_read)
		clock_read = LIBC(clock_gettime);
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

__attribute__((constructor)) static void program_start(void)
{
	next_find_all();
	if (!area)
		area_start();
	if (!area)
		return;
	for (int fd = 0; fd <= STDERR_FILENO; fd++)
		fd_counts(fd);
}
