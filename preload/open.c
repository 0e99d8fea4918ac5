// SPDX-License-Identifier: GPL-2.0-or-later
/* Interposed functions that open, close or receive descriptors. They keep the remembered kinds of
 * files (fd.c) correct. libiospan does not see a close by io_uring, or by a system call that the
 * program makes without libc. The remembered kind is then wrong, until one of these functions
 * returns the same number. */
#include "preload/open.h"
#include "preload/fd.h"
#include "preload/sandbox.h"
#include <pty.h>
#include <stdarg.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <utmp.h>

/* Returns the argument of fd_opened() for a copy of descriptor @from. FD_UNKNOWN makes
 * fd_opened() ask the kernel for the kind of file. If a seccomp filter forbids this system call,
 * returns the remembered kind of @from instead. */
static enum fd_kind kind_of_copy(int from)
{
	return may_syscall() ? FD_UNKNOWN : fd_known(from);
}

static int number_of(FILE *fp)
{
	int saved = errno, fd = fp ? LIBC(fileno_unlocked)(fp) : -1;

	errno = saved;
	return fd;
}

#define CLOSES(type, name, params, args, forget) \
	EXPORT type name params \
	{ \
		__typeof__(name) *next = NEXT(#name); \
\
		forget; \
		return next args; \
	}

/* Declared here, because <dirent.h> declares closedir() nonnull. The compiler would then remove the
 * test for NULL below. */
int dirfd(void *dir);

CLOSES(int, close, (int fd), (fd), fd_forget(fd))
CLOSES(int, close_range, (unsigned first, unsigned last, int flags), (first, last, flags),
       fd_forget_range(first, last))
CLOSES(int, fclose, (FILE * fp), (fp), fd_forget(number_of(fp)))
CLOSES(int, pclose, (FILE * fp), (fp), fd_forget(number_of(fp)))
CLOSES(int, fcloseall, (void), (), fd_forget_range(0, ~0u))
CLOSES(int, closedir, (void *dir), (dir), fd_forget(dir ? LIBC(dirfd)(dir) : -1))

EXPORT void closefrom(int first)
{
	__typeof__(closefrom) *next = NEXT("closefrom");

	fd_forget_range(first < 0 ? 0 : first, ~0u);
	next(first);
}

/* Defines an interposed function that returns a new descriptor. @kind is the kind of file that the
 * function opens. FD_UNKNOWN: the kind differs from call to call, so the kernel is asked. */
#define OPENS(name, params, args, kind) \
	EXPORT int name params \
	{ \
		__typeof__(name) *next = NEXT(#name); \
		int opened = next args; \
\
		fd_opened(opened, kind); \
		return opened; \
	}

/* for functions like open(), which have the parameter mode only if @flags require it */
#define OPENS_WITH_MODE(name, params, args) \
	EXPORT int name params \
	{ \
		int (*next)() = NEXT(#name); \
		mode_t mode = 0; \
		va_list ap; \
		int fd; \
\
		va_start(ap, flags); \
		if (__OPEN_NEEDS_MODE(flags)) \
			mode = va_arg(ap, mode_t); \
		va_end(ap); \
		fd = next args; \
		fd_opened(fd, FD_UNKNOWN); \
		return fd; \
	}

int __open_2(const char *path, int flags);
int __open64_2(const char *path, int flags);
int __openat_2(int dir, const char *path, int flags);
int __openat64_2(int dir, const char *path, int flags);

OPENS_WITH_MODE(open, (const char *path, int flags, ...), (path, flags, mode))
OPENS_WITH_MODE(open64, (const char *path, int flags, ...), (path, flags, mode))
OPENS_WITH_MODE(openat, (int dir, const char *path, int flags, ...), (dir, path, flags, mode))
OPENS_WITH_MODE(openat64, (int dir, const char *path, int flags, ...), (dir, path, flags, mode))
OPENS(__open_2, (const char *path, int flags), (path, flags), FD_UNKNOWN)
OPENS(__open64_2, (const char *path, int flags), (path, flags), FD_UNKNOWN)
OPENS(__openat_2, (int dir, const char *path, int flags), (dir, path, flags), FD_UNKNOWN)
OPENS(__openat64_2, (int dir, const char *path, int flags), (dir, path, flags), FD_UNKNOWN)
OPENS(creat, (const char *path, mode_t mode), (path, mode), FD_UNKNOWN)
OPENS(creat64, (const char *path, mode_t mode), (path, mode), FD_UNKNOWN)
OPENS(dup, (int fd), (fd), kind_of_copy(fd))
OPENS(dup2, (int from, int to), (from, to), kind_of_copy(from))
OPENS(dup3, (int from, int to, int flags), (from, to, flags), kind_of_copy(from))
OPENS(socket, (int domain, int type, int protocol), (domain, type, protocol), FD_OTHER)
OPENS(accept, (int fd, struct sockaddr *addr, socklen_t *len), (fd, addr, len), FD_OTHER)
OPENS(accept4, (int fd, struct sockaddr *addr, socklen_t *len, int flags), (fd, addr, len, flags),
      FD_OTHER)
OPENS(eventfd, (unsigned start, int flags), (start, flags), FD_OTHER)
OPENS(epoll_create, (int size), (size), FD_OTHER)
OPENS(epoll_create1, (int flags), (flags), FD_OTHER)
OPENS(inotify_init, (void), (), FD_OTHER)
OPENS(inotify_init1, (int flags), (flags), FD_OTHER)
OPENS(signalfd, (int fd, const sigset_t *set, int flags), (fd, set, flags), FD_OTHER)
OPENS(timerfd_create, (int clock, int flags), (clock, flags), FD_OTHER)
OPENS(posix_openpt, (int flags), (flags), FD_OTHER)
OPENS(memfd_create, (const char *name, unsigned flags), (name, flags), FD_UNKNOWN)
OPENS(shm_open, (const char *name, int flags, mode_t mode), (name, flags, mode), FD_UNKNOWN)
OPENS(open_by_handle_at, (int mount, struct file_handle *handle, int flags), (mount, handle, flags),
      FD_UNKNOWN)
OPENS(mkstemp, (char *path), (path), FD_UNKNOWN)
OPENS(mkstemp64, (char *path), (path), FD_UNKNOWN)
OPENS(mkostemp, (char *path, int flags), (path, flags), FD_UNKNOWN)
OPENS(mkostemp64, (char *path, int flags), (path, flags), FD_UNKNOWN)
OPENS(mkstemps, (char *path, int suffix), (path, suffix), FD_UNKNOWN)
OPENS(mkstemps64, (char *path, int suffix), (path, suffix), FD_UNKNOWN)
OPENS(mkostemps, (char *path, int suffix, int flags), (path, suffix, flags), FD_UNKNOWN)
OPENS(mkostemps64, (char *path, int suffix, int flags), (path, suffix, flags), FD_UNKNOWN)

static void fcntl_returned(int fd, int command, int ret)
{
	if (command == F_DUPFD || command == F_DUPFD_CLOEXEC)
		fd_opened(ret, kind_of_copy(fd));
}

#define FCNTL(name) \
	EXPORT int name(int fd, int command, ...) \
	{ \
		__typeof__(name) *next = NEXT(#name); \
		va_list ap; \
		void *arg; \
		int ret; \
\
		va_start(ap, command); \
		arg = va_arg(ap, void *); \
		va_end(ap); \
		ret = next(fd, command, arg); \
		fcntl_returned(fd, command, ret); \
		return ret; \
	}

FCNTL(fcntl)
FCNTL(fcntl64)

#define OPENS_PAIR(name, params, args) \
	EXPORT int name params \
	{ \
		__typeof__(name) *next = NEXT(#name); \
		int ret = next args; \
\
		if (ret == 0) { \
			fd_opened(pair[0], FD_OTHER); \
			fd_opened(pair[1], FD_OTHER); \
		} \
		return ret; \
	}

OPENS_PAIR(pipe, (int pair[2]), (pair))
OPENS_PAIR(pipe2, (int pair[2], int flags), (pair, flags))
OPENS_PAIR(socketpair, (int domain, int type, int protocol, int pair[2]),
	   (domain, type, protocol, pair))

#define OPENS_STREAM(name, params, args, before) \
	EXPORT FILE *name params \
	{ \
		__typeof__(name) *next = NEXT(#name); \
		FILE *ret; \
\
		before; \
		ret = next args; \
		fd_opened(number_of(ret), FD_UNKNOWN); \
		return ret; \
	}

OPENS_STREAM(fopen, (const char *path, const char *mode), (path, mode), )
OPENS_STREAM(fopen64, (const char *path, const char *mode), (path, mode), )
OPENS_STREAM(tmpfile, (void), (), )
OPENS_STREAM(tmpfile64, (void), (), )
OPENS_STREAM(popen, (const char *command, const char *mode), (command, mode), )
/* freopen() closes the old file even if it fails, so the kind is forgotten before the call. */
OPENS_STREAM(freopen, (const char *path, const char *mode, FILE *fp), (path, mode, fp),
	     fd_forget(number_of(fp)))
OPENS_STREAM(freopen64, (const char *path, const char *mode, FILE *fp), (path, mode, fp),
	     fd_forget(number_of(fp)))

#define RENUMBERS(name, params, args) \
	EXPORT int name params \
	{ \
		__typeof__(name) *next = NEXT(#name); \
		int ret = next args; \
\
		for (int i = 0; i <= STDERR_FILENO; i++) \
			fd_opened(i, FD_UNKNOWN); \
		return ret; \
	}

RENUMBERS(daemon, (int stay, int keep), (stay, keep))
RENUMBERS(login_tty, (int fd), (fd))
/* in the child, the terminal replaces descriptors 0 to 2 */
RENUMBERS(forkpty, (int *fd, char *name, const struct termios *modes, const struct winsize *size),
	  (fd, name, modes, size))

/* declared here, because <dirent.h> would also declare closedir() nonnull */
void *opendir(const char *path);

EXPORT void *opendir(const char *path)
{
	__typeof__(opendir) *next = NEXT("opendir");
	void *dir = next(path);

	fd_forget(dir ? LIBC(dirfd)(dir) : -1);
	return dir;
}

static void message_received(const struct msghdr *m)
{
	int fd;

	for (struct cmsghdr *c = CMSG_FIRSTHDR(m); c; c = CMSG_NXTHDR((struct msghdr *)m, c))
		for (size_t at = CMSG_LEN(0); at + sizeof(fd) <= c->cmsg_len; at += sizeof(fd)) {
			if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS)
				break;
			__builtin_memcpy(&fd, (const char *)c + at, sizeof(fd));
			fd_opened(fd, FD_UNKNOWN);
		}
}

EXPORT ssize_t recvmsg(int fd, struct msghdr *m, int flags)
{
	__typeof__(recvmsg) *next = NEXT("recvmsg");
	ssize_t ret = next(fd, m, flags);

	if (ret >= 0)
		message_received(m);
	return ret;
}

EXPORT int recvmmsg(int fd, struct mmsghdr *m, unsigned n, int flags, struct timespec *timeout)
{
	__typeof__(recvmmsg) *next = NEXT("recvmmsg");
	int ret = next(fd, m, n, flags, timeout);

	for (int i = 0; i < ret; i++)
		message_received(&m[i].msg_hdr);
	return ret;
}

/* system calls that return a new descriptor */
static const long opening[] = {
	SYS_openat,
	SYS_openat2,
	SYS_dup,
	SYS_dup3,
	SYS_memfd_create,
	SYS_accept,
	SYS_accept4,
	SYS_socket,
	SYS_eventfd2,
	SYS_signalfd4,
	SYS_timerfd_create,
	SYS_epoll_create1,
	SYS_inotify_init1,
	SYS_pidfd_open,
	SYS_pidfd_getfd,
	SYS_open_by_handle_at,
	SYS_fanotify_init,
	SYS_userfaultfd,
	SYS_io_uring_setup,
	SYS_perf_event_open,
#ifdef SYS_open
	SYS_open,
	SYS_creat,
	SYS_dup2,
#endif
};

void syscall_starts(long n, const long *a)
{
	if (n == SYS_close)
		fd_forget(a[0]);
	if (n == SYS_close_range)
		fd_forget_range(a[0], a[1]);
}

void syscall_returned(long n, const long *a, long ret)
{
	if (n == SYS_fcntl)
		fcntl_returned(a[0], a[1], ret);
	if (n == SYS_pipe2 && ret == 0)
		for (int i = 0; i < 2; i++)
			fd_opened(((const int *)a[0])[i], FD_OTHER);
	for (size_t i = 0; i < sizeof(opening) / sizeof(*opening); i++)
		if (n == opening[i])
			fd_opened(ret, FD_UNKNOWN);
}
