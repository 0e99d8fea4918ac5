// SPDX-License-Identifier: GPL-2.0-or-later
/* The kind of file behind a descriptor. The kernel is asked once; the answer is remembered until
 * the descriptor is closed or opened.
 *
 * A number is forgotten before its close, as another thread may get the number as soon as it is
 * free. It is forgotten again after an open, which also repairs a close that the library did not
 * see, such as a bare system call. A child of vfork shares this table with its parent, but not the
 * descriptors. So the child remembers nothing, and a number that it forgets is only queried again.
 */
#include "preload/fd.h"
#include "preload/sandbox.h"
#include "bpf/fsmagic.h"
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

#define FDS 65536 /* numbers above are queried at each call */

/* Each entry has the kind in its low bits, and above them the number of times that it was
 * forgotten. A query reads the entry first and stores its result only if the entry is unchanged,
 * so a result from before a close is never stored after it. */
enum kind { UNKNOWN, STORAGE, OTHER, DIRECTORY, KIND_MASK = 3 };
static u32 fds[FDS];
static int fds_top = -1; /* highest number ever queried */

bool fd_stat(int fd, struct statx *st)
{
	const int flags = AT_EMPTY_PATH | AT_STATX_DONT_SYNC;

	return !OWN_CALL(statx, fd, "", flags, STATX_BASIC_STATS, st);
}

static enum kind query(int fd)
{
	struct statfs fs;
	struct statx st;

	if (!fd_stat(fd, &st))
		return UNKNOWN;
	if (S_ISBLK(st.stx_mode))
		return STORAGE;
	if (!S_ISREG(st.stx_mode) && !S_ISDIR(st.stx_mode))
		return OTHER;
	/* A pseudo file system has neither a block device nor blocks. For all other files fstatfs()
	 * is avoided, as the server of a network file system would have to answer it. */
	if (!st.stx_dev_major && !st.stx_blocks && !OWN_CALL(fstatfs, fd, &fs) &&
	    fs_is_pseudo((u32)fs.f_type))
		return OTHER;
	return S_ISDIR(st.stx_mode) ? DIRECTORY : STORAGE;
}

static void raise_top(int fd)
{
	int top = __atomic_load_n(&fds_top, __ATOMIC_RELAXED);

	while (fd > top &&
	       !__atomic_compare_exchange_n(&fds_top, &top, fd, true, __ATOMIC_SEQ_CST,
					    __ATOMIC_RELAXED))
		;
}

static __attribute__((noinline)) enum kind query_and_remember(int fd, u32 entry)
{
	enum kind kind;

	if (!area && !area_start())
		return UNKNOWN;
	if (!may_syscall()) {
		add(&area->head.seccomp, 1);
		return UNKNOWN;
	}
	if (fd < FDS)
		raise_top(fd);
	kind = query(fd);
	if (fd < FDS && kind != UNKNOWN && !self_is_lent(&self))
		__sync_bool_compare_and_swap(&fds[fd], entry, entry | kind);
	return kind;
}

static enum kind fd_kind(int fd)
{
	u32 entry = 0;

	if (fd < 0)
		return UNKNOWN;
	if (fd < FDS) {
		entry = __atomic_load_n(&fds[fd], __ATOMIC_ACQUIRE);
		if (entry & KIND_MASK)
			return entry & KIND_MASK;
	}
	return query_and_remember(fd, entry);
}

bool fd_counts(int fd)
{
	return fd_kind(fd) == STORAGE;
}

bool fd_syncs(int fd)
{
	enum kind kind = fd_kind(fd);

	return kind == STORAGE || kind == DIRECTORY;
}

/* Call when @fd refers to another file from now on. The kind is remembered only if the library may
 * not query it later: a child of vfork shares this table with its parent, but not the file. */
static void fd_reset(int fd, enum kind kind)
{
	u32 old;

	if (fd < 0 || fd >= FDS)
		return;
	if (may_syscall() || self.epoch == EPOCH_LENT)
		kind = UNKNOWN;
	if (kind != UNKNOWN)
		raise_top(fd);
	old = __atomic_load_n(&fds[fd], __ATOMIC_RELAXED);
	while (!__atomic_compare_exchange_n(&fds[fd], &old, ((old | KIND_MASK) + 1) | kind, true,
					    __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
		;
}

void fd_forget(int fd)
{
	fd_reset(fd, UNKNOWN);
}

/* Makes no query: returns UNKNOWN if the kind is not remembered. */
static enum kind fd_known(int fd)
{
	if (fd < 0 || fd >= FDS)
		return UNKNOWN;
	return __atomic_load_n(&fds[fd], __ATOMIC_ACQUIRE) & KIND_MASK;
}

/* The file behind each number; valid while the number's entry is unchanged. */
static struct {
	u64 inode;
	u32 dev, entry;
} files[FDS];

static void query_file(int fd, struct file_at *to)
{
	struct statx st;

	if (may_syscall() && fd_stat(fd, &st)) {
		to->inode = st.stx_ino;
		to->dev = S_ISBLK(st.stx_mode) ? dev_number(st.stx_rdev_major, st.stx_rdev_minor) :
						 dev_number(st.stx_dev_major, st.stx_dev_minor);
	}
}

void fd_file(int fd, struct file_at *to)
{
	u32 entry;

	*to = (struct file_at){ .offset = TRACE_NO_OFFSET };
	if (fd < 0)
		return;
	if (fd >= FDS) {
		query_file(fd, to);
		return;
	}
	entry = __atomic_load_n(&fds[fd], __ATOMIC_ACQUIRE);
	if (__atomic_load_n(&files[fd].entry, __ATOMIC_ACQUIRE) == entry && files[fd].inode) {
		to->inode = files[fd].inode;
		to->dev = files[fd].dev;
		return;
	}
	query_file(fd, to);
	if (self_is_lent(&self))
		return;
	files[fd].inode = to->inode;
	files[fd].dev = to->dev;
	__atomic_store_n(&files[fd].entry, entry, __ATOMIC_RELEASE);
}

/* fds_query() goes beyond this number only up to the highest one that a call used. */
#define FDS_USUAL 1024

void fds_query(void)
{
	int top = __atomic_load_n(&fds_top, __ATOMIC_SEQ_CST);
	struct file_at file;

	for (int fd = 0; fd < FDS && (fd < FDS_USUAL || fd <= top); fd++)
		if (fd_counts(fd) && lanes)
			fd_file(fd, &file);
}

static void forget_range(unsigned first, unsigned last)
{
	int top = __atomic_load_n(&fds_top, __ATOMIC_SEQ_CST);

	for (unsigned fd = first; top >= 0 && fd <= last && fd <= (unsigned)top; fd++)
		fd_forget(fd);
}

static void forget_stream(FILE *fp)
{
	int saved = errno;

	if (fp)
		fd_forget(LIBC(fileno_unlocked)(fp));
	errno = saved;
}

/* ---- functions that close ---- */

#define CLOSES(type, name, params, args, forget) \
	EXPORT type name params \
	{ \
		__typeof__(name) *next = NEXT(#name); \
\
		forget; \
		return next args; \
	}

/* Not from <dirent.h>: it declares closedir() nonnull, so the compiler would drop the check. */
int dirfd(void *dir);

CLOSES(int, close, (int fd), (fd), fd_forget(fd))
CLOSES(int, close_range, (unsigned first, unsigned last, int flags), (first, last, flags),
       forget_range(first, last))
CLOSES(int, fclose, (FILE * fp), (fp), forget_stream(fp))
CLOSES(int, pclose, (FILE * fp), (fp), forget_stream(fp))
CLOSES(int, fcloseall, (void), (), forget_range(0, ~0u))
CLOSES(int, closedir, (void *dir), (dir), fd_forget(dir ? LIBC(dirfd)(dir) : -1))

EXPORT void closefrom(int first)
{
	__typeof__(closefrom) *next = NEXT("closefrom");

	forget_range(first < 0 ? 0 : first, ~0u);
	next(first);
}

/* ---- functions that open ---- */

/* @kind: known from the function or from the copied descriptor, without a query. */
#define OPENS(name, params, args, kind) \
	EXPORT int name params \
	{ \
		__typeof__(name) *next = NEXT(#name); \
		int opened = next args; \
\
		fd_reset(opened, kind); \
		return opened; \
	}

/* The caller passes a mode only if the call may create a file. */
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
		fd_forget(fd); \
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
OPENS(__open_2, (const char *path, int flags), (path, flags), UNKNOWN)
OPENS(__open64_2, (const char *path, int flags), (path, flags), UNKNOWN)
OPENS(__openat_2, (int dir, const char *path, int flags), (dir, path, flags), UNKNOWN)
OPENS(__openat64_2, (int dir, const char *path, int flags), (dir, path, flags), UNKNOWN)
OPENS(creat, (const char *path, mode_t mode), (path, mode), UNKNOWN)
OPENS(creat64, (const char *path, mode_t mode), (path, mode), UNKNOWN)
OPENS(dup, (int fd), (fd), fd_known(fd))
OPENS(dup2, (int from, int to), (from, to), fd_known(from))
OPENS(dup3, (int from, int to, int flags), (from, to, flags), fd_known(from))
OPENS(socket, (int domain, int type, int protocol), (domain, type, protocol), OTHER)
OPENS(accept, (int fd, struct sockaddr *addr, socklen_t *len), (fd, addr, len), OTHER)
OPENS(accept4, (int fd, struct sockaddr *addr, socklen_t *len, int flags), (fd, addr, len, flags),
      OTHER)
OPENS(eventfd, (unsigned start, int flags), (start, flags), OTHER)

#define OPENS_PAIR(name, params, args) \
	EXPORT int name params \
	{ \
		__typeof__(name) *next = NEXT(#name); \
		int ret = next args; \
\
		if (ret == 0) { \
			fd_reset(pair[0], OTHER); \
			fd_reset(pair[1], OTHER); \
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
		forget_stream(ret); \
		return ret; \
	}

OPENS_STREAM(fopen, (const char *path, const char *mode), (path, mode), )
OPENS_STREAM(fopen64, (const char *path, const char *mode), (path, mode), )
OPENS_STREAM(popen, (const char *command, const char *mode), (command, mode), )
/* freopen() closes the old file even if it cannot open the new one. */
OPENS_STREAM(freopen, (const char *path, const char *mode, FILE *fp), (path, mode, fp),
	     forget_stream(fp))
OPENS_STREAM(freopen64, (const char *path, const char *mode, FILE *fp), (path, mode, fp),
	     forget_stream(fp))

bool stream_counts(FILE *fp)
{
	int saved = errno, fd = LIBC(fileno_unlocked)(fp);

	errno = saved;
	return fd_counts(fd);
}
