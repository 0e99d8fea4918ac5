// SPDX-License-Identifier: GPL-2.0-or-later
/* Interposes libc's functions for I/O system calls. One call is one access, or two if it copies
 * from one descriptor to another. */
#include "preload/fd.h"
#include "preload/sandbox.h"
#include <aio.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/uio.h>
#include <unistd.h>

#define FD_CALL(type, name, params, args, op, requested) \
	EXPORT type name params \
	{ \
		__typeof__(name) *next = NEXT(#name); \
		type ret; \
		CALL(call); \
\
		call_fd(&call, op, fd, requested); \
		ret = next args; \
		call_end(&call, ret); \
		return ret; \
	}

#define READ(name, params, args) FD_CALL(ssize_t, name, params, args, APP_SPAN_READ, n)
#define WRITE(name, params, args) FD_CALL(ssize_t, name, params, args, APP_SPAN_WRITE, n)

READ(read, (int fd, void *buf, size_t n), (fd, buf, n))
READ(pread, (int fd, void *buf, size_t n, off_t at), (fd, buf, n, at))
READ(pread64, (int fd, void *buf, size_t n, off64_t at), (fd, buf, n, at))

WRITE(write, (int fd, const void *buf, size_t n), (fd, buf, n))
WRITE(pwrite, (int fd, const void *buf, size_t n, off_t at), (fd, buf, n, at))
WRITE(pwrite64, (int fd, const void *buf, size_t n, off64_t at), (fd, buf, n, at))

/* variants for programs built with _FORTIFY_SOURCE */
ssize_t __read_chk(int fd, void *buf, size_t n, size_t size);
ssize_t __pread_chk(int fd, void *buf, size_t n, off_t at, size_t size);
ssize_t __pread64_chk(int fd, void *buf, size_t n, off64_t at, size_t size);

READ(__read_chk, (int fd, void *buf, size_t n, size_t size), (fd, buf, n, size))
READ(__pread_chk, (int fd, void *buf, size_t n, off_t at, size_t size), (fd, buf, n, at, size))
READ(__pread64_chk, (int fd, void *buf, size_t n, off64_t at, size_t size), (fd, buf, n, at, size))

/* Returns true if a call at file offset @at may have failed before the kernel read the iovec array.
 * Then the address of the array may be invalid, and reading the array here could raise SIGSEGV. */
static bool array_is_unread(s64 at)
{
	switch (errno) {
	case EFAULT:
	case EBADF:
	case ESPIPE:
	case EPERM: /* a seccomp filter may return EPERM, EACCES or ENOSYS */
	case EACCES:
	case ENOSYS:
		return true;
	default:
		return (errno == EINVAL && at < 0) || !may_syscall();
	}
}

/* Returns the number of bytes that a failed call requested; 0: not known. @at is the file offset of
 * the call. */
static u64 iov_requested(const struct iovec *iov, int n, s64 at)
{
	u64 bytes = 0;

	if (n < 0 || n > IOV_MAX || array_is_unread(at))
		return 0;
	for (int i = 0; i < n; i++)
		if (__builtin_add_overflow(bytes, iov[i].iov_len, &bytes))
			return ~0ULL;
	return bytes;
}

#define IOV_CALL(name, op, params, args, at) \
	EXPORT ssize_t name params \
	{ \
		__typeof__(name) *next = NEXT(#name); \
		ssize_t ret; \
		CALL(call); \
\
		call_fd(&call, op, fd, 0); \
		ret = next args; \
		if (ret < 0 && call.counts) \
			call.requested = iov_requested(iov, n, at); \
		call_end(&call, ret); \
		return ret; \
	}

IOV_CALL(readv, APP_SPAN_READ, (int fd, const struct iovec *iov, int n), (fd, iov, n), 0)
IOV_CALL(preadv, APP_SPAN_READ, (int fd, const struct iovec *iov, int n, off_t at),
	 (fd, iov, n, at), at)
IOV_CALL(preadv64, APP_SPAN_READ, (int fd, const struct iovec *iov, int n, off64_t at),
	 (fd, iov, n, at), at)
IOV_CALL(preadv2, APP_SPAN_READ, (int fd, const struct iovec *iov, int n, off_t at, int flags),
	 (fd, iov, n, at, flags), at)
IOV_CALL(preadv64v2, APP_SPAN_READ, (int fd, const struct iovec *iov, int n, off64_t at, int flags),
	 (fd, iov, n, at, flags), at)

IOV_CALL(writev, APP_SPAN_WRITE, (int fd, const struct iovec *iov, int n), (fd, iov, n), 0)
IOV_CALL(pwritev, APP_SPAN_WRITE, (int fd, const struct iovec *iov, int n, off_t at),
	 (fd, iov, n, at), at)
IOV_CALL(pwritev64, APP_SPAN_WRITE, (int fd, const struct iovec *iov, int n, off64_t at),
	 (fd, iov, n, at), at)
IOV_CALL(pwritev2, APP_SPAN_WRITE, (int fd, const struct iovec *iov, int n, off_t at, int flags),
	 (fd, iov, n, at, flags), at)
IOV_CALL(pwritev64v2, APP_SPAN_WRITE,
	 (int fd, const struct iovec *iov, int n, off64_t at, int flags), (fd, iov, n, at, flags),
	 at)

/* Starts a call that copies from descriptor @from to @to. Starts a read access if @from is on
 * storage, and a write access if @to is on storage. If the call fails, they have 0 bytes. */
static void call_copy(struct call *c, int from, int to)
{
	bool reads = fd_counts(from), writes = fd_counts(to);

	if ((!reads && !writes) || !call_start(c))
		return;
	if (reads)
		call_access(c, APP_SPAN_READ, from, 0);
	if (writes)
		call_access(c, APP_SPAN_WRITE, to, 0);
}

#define COPY_CALL(name, params, args) \
	EXPORT ssize_t name params \
	{ \
		__typeof__(name) *next = NEXT(#name); \
		ssize_t ret; \
		CALL(call); \
\
		call_copy(&call, from, to); \
		ret = next args; \
		call_end(&call, ret); \
		return ret; \
	}

COPY_CALL(sendfile, (int to, int from, off_t *at, size_t n), (to, from, at, n))
COPY_CALL(sendfile64, (int to, int from, off64_t *at, size_t n), (to, from, at, n))
COPY_CALL(splice, (int from, off64_t *from_at, int to, off64_t *to_at, size_t n, unsigned flags),
	  (from, from_at, to, to_at, n, flags))
COPY_CALL(copy_file_range,
	  (int from, off64_t *from_at, int to, off64_t *to_at, size_t n, unsigned flags),
	  (from, from_at, to, to_at, n, flags))

#define FD_SYNC(name, params, args) \
	EXPORT int name params \
	{ \
		__typeof__(name) *next = NEXT(#name); \
		int ret; \
		CALL(call); \
\
		call_fd(&call, APP_SPAN_SYNC, fd, 0); \
		ret = next args; \
		call_end(&call, ret); \
		return ret; \
	}

FD_SYNC(fsync, (int fd), (fd))
FD_SYNC(fdatasync, (int fd), (fd))
FD_SYNC(sync_file_range, (int fd, off64_t at, off64_t n, unsigned flags), (fd, at, n, flags))

/* Counts syncfs() for any open descriptor. @fd may be any file of the file system, even a FIFO,
 * so its kind does not matter. */
EXPORT int syncfs(int fd)
{
	__typeof__(syncfs) *next = NEXT("syncfs");
	int ret;
	CALL(call);

	if (fd_is_open(fd) && call_start(&call))
		call_access(&call, APP_SPAN_SYNC, fd, 0);
	ret = next(fd);
	call_end(&call, ret);
	return ret;
}

/* Each msync() counts, although @start may not be the mapping of a file. To find out, libiospan
 * would have to search all mappings. */
EXPORT int msync(void *start, size_t n, int flags)
{
	__typeof__(msync) *next = NEXT("msync");
	int ret;
	CALL(call);

	if (call_start(&call))
		call_access(&call, APP_SPAN_SYNC, -1, 0);
	ret = next(start, n, flags);
	call_end(&call, ret);
	return ret;
}

EXPORT void sync(void)
{
	__typeof__(sync) *next = NEXT("sync");
	CALL(call);

	if (call_start(&call))
		call_access(&call, APP_SPAN_SYNC, -1, 0);
	next();
	call_end(&call, 0);
}

/* libc runs POSIX AIO in threads of its own, so libiospan does not see when a request ends. So it
 * counts only the number of these calls (head.async). If it counted their bytes without their time,
 * bytes per second would be wrong. */
#define ASYNC_CALL(name, params, args, requests) \
	EXPORT int name params \
	{ \
		__typeof__(name) *next = NEXT(#name); \
		int ret; \
		CALL(call); \
\
		if (call_start(&call)) \
			add(&area->head.async, requests); \
		ret = next args; \
		call_end(&call, 0); \
		return ret; \
	}

ASYNC_CALL(aio_read, (struct aiocb * cb), (cb), 1)
ASYNC_CALL(aio_read64, (struct aiocb64 * cb), (cb), 1)
ASYNC_CALL(aio_write, (struct aiocb * cb), (cb), 1)
ASYNC_CALL(aio_write64, (struct aiocb64 * cb), (cb), 1)
ASYNC_CALL(lio_listio, (int mode, struct aiocb *const *cbs, int n, struct sigevent *sig),
	   (mode, cbs, n, sig), n > 0 ? n : 0)
ASYNC_CALL(lio_listio64, (int mode, struct aiocb64 *const *cbs, int n, struct sigevent *sig),
	   (mode, cbs, n, sig), n > 0 ? n : 0)
