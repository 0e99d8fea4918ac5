// SPDX-License-Identifier: GPL-2.0-or-later
/* What is behind a descriptor: asked once, then remembered until something that
 * opens or closes comes by.
 *
 * Forgotten are: numbers that are about to be closed - before, as another
 * thread may have the number again at once - and numbers that were just opened,
 * which mends what a close that we cannot see (a system call made directly)
 * left behind. A child of vfork has descriptors of its own but this table in
 * common with its parent: what it forgets is looked up again, and between vfork
 * and exec it should not use files at all.
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

#define FDS 65536 /* above that we look every time */

/* Each entry: a kind in the low bits, above it how often it was forgotten. Who
 * looks takes the entry first and stores only if it is the same still, so what
 * was seen before a close is never remembered after it. */
enum kind { UNKNOWN, STORAGE, OTHER, DIRECTORY, KIND_MASK = 3 };
static u32 fds[FDS];
static int fds_top = -1; /* highest number ever looked at */

/* As in area.c: a libc without it has no area. */
#pragma weak statx

bool fd_stat(int fd, struct statx *st)
{
	return !statx(fd, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_BASIC_STATS, st);
}

static enum kind look(int fd)
{
	struct statfs fs;
	struct statx st;

	if (!fd_stat(fd, &st))
		return UNKNOWN;
	if (S_ISBLK(st.stx_mode))
		return STORAGE;
	if (!S_ISREG(st.stx_mode) && !S_ISDIR(st.stx_mode))
		return OTHER;
	/* A pseudo file system has neither a block device nor blocks. Other files need no second
	 * call, which a file server would have to answer. */
	if (!st.stx_dev_major && !st.stx_blocks && !fstatfs(fd, &fs) &&
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

static __attribute__((noinline)) enum kind look_and_remember(int fd, u32 entry)
{
	int saved = errno;
	enum kind kind;

	if (!area && !area_start())
		return UNKNOWN;
	if (!may_call()) {
		add(&area->head.seccomp, 1);
		return UNKNOWN;
	}
	if (fd < FDS)
		raise_top(fd);
	kind = look(fd);
	if (fd < FDS && kind != UNKNOWN)
		__sync_bool_compare_and_swap(&fds[fd], entry, entry | kind);
	errno = saved;
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
	return look_and_remember(fd, entry);
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

/* Another file is behind the number from now on. Its kind is remembered only if the library may
 * not look later: a child of vfork has this table in common with its parent, but not the file. */
static void fd_is(int fd, enum kind kind)
{
	u32 old;

	if (fd < 0 || fd >= FDS)
		return;
	if (may_call())
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
	fd_is(fd, UNKNOWN);
}

/* The kind, if it is remembered. */
static enum kind fd_known(int fd)
{
	if (fd < 0 || fd >= FDS)
		return UNKNOWN;
	return __atomic_load_n(&fds[fd], __ATOMIC_ACQUIRE) & KIND_MASK;
}

/* What was found behind a number, while its entry was this one. */
static struct {
	u64 inode;
	u32 dev, entry;
} files[FDS];

static void look_for_file(int fd, struct file_at *to)
{
	int saved = errno;
	struct statx st;

	if (may_call() && fd_stat(fd, &st)) {
		to->inode = st.stx_ino;
		to->dev = S_ISBLK(st.stx_mode) ? dev_number(st.stx_rdev_major, st.stx_rdev_minor) :
						 dev_number(st.stx_dev_major, st.stx_dev_minor);
	}
	errno = saved;
}

void fd_file(int fd, struct file_at *to)
{
	u32 entry;

	*to = (struct file_at){ .offset = TRACE_NO_OFFSET };
	if (fd < 0)
		return;
	if (fd >= FDS) {
		look_for_file(fd, to);
		return;
	}
	entry = __atomic_load_n(&fds[fd], __ATOMIC_ACQUIRE);
	if (__atomic_load_n(&files[fd].entry, __ATOMIC_ACQUIRE) == entry && files[fd].inode) {
		to->inode = files[fd].inode;
		to->dev = files[fd].dev;
		return;
	}
	look_for_file(fd, to);
	files[fd].inode = to->inode;
	files[fd].dev = to->dev;
	__atomic_store_n(&files[fd].entry, entry, __ATOMIC_RELEASE);
}

/* Descriptors above this number are looked at only if a call used them before. */
#define FDS_USUAL 1024

void fds_look(void)
{
	int saved = errno, top = __atomic_load_n(&fds_top, __ATOMIC_SEQ_CST);
	struct file_at file;

	for (int fd = 0; fd < FDS && (fd < FDS_USUAL || fd <= top); fd++)
		if (fd_counts(fd) && lanes)
			fd_file(fd, &file);
	errno = saved;
}

static void forget_range(unsigned first, unsigned last)
{
	int top = __atomic_load_n(&fds_top, __ATOMIC_SEQ_CST);

	for (unsigned fd = first; top >= 0 && fd <= last && fd <= (unsigned)top; fd++)
		fd_forget(fd);
}

/* A stream may have no descriptor. */
static void forget_stream(FILE *fp)
{
	int saved = errno;

	if (fp)
		fd_forget(fileno_unlocked(fp));
	errno = saved;
}

/* ---- what closes ---- */

#define CLOSES(type, name, params, args, forget) \
	EXPORT type name params \
	{ \
		__typeof__(name) *next = NEXT(#name); \
\
		forget; \
		return next args; \
	}

/* Not from <dirent.h>, which has it that NULL never comes. */
int dirfd(void *dir);

CLOSES(int, close, (int fd), (fd), fd_forget(fd))
CLOSES(int, close_range, (unsigned first, unsigned last, int flags), (first, last, flags),
       forget_range(first, last))
CLOSES(int, fclose, (FILE * fp), (fp), forget_stream(fp))
CLOSES(int, pclose, (FILE * fp), (fp), forget_stream(fp))
CLOSES(int, fcloseall, (void), (), forget_range(0, ~0u))
CLOSES(int, closedir, (void *dir), (dir), fd_forget(dir ? dirfd(dir) : -1))

EXPORT void closefrom(int first)
{
	__typeof__(closefrom) *next = NEXT("closefrom");

	forget_range(first < 0 ? 0 : first, ~0u);
	next(first);
}

/* ---- what opens ---- */

/* @kind is that of the file, as far as it is known without a look. */
#define OPENS(name, params, args, kind) \
	EXPORT int name params \
	{ \
		__typeof__(name) *next = NEXT(#name); \
		int opened = next args; \
\
		fd_is(opened, kind); \
		return opened; \
	}

/* The mode is there only when a file may be made. */
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
			fd_is(pair[0], OTHER); \
			fd_is(pair[1], OTHER); \
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
/* Closes the old file, even when the new one cannot be opened. */
OPENS_STREAM(freopen, (const char *path, const char *mode, FILE *fp), (path, mode, fp),
	     forget_stream(fp))
OPENS_STREAM(freopen64, (const char *path, const char *mode, FILE *fp), (path, mode, fp),
	     forget_stream(fp))

bool stream_counts(FILE *fp)
{
	int saved = errno, fd = fileno_unlocked(fp);

	errno = saved;
	return fd_counts(fd);
}
