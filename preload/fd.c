// SPDX-License-Identifier: GPL-2.0-or-later
/* Remembers the kind of file behind each descriptor. So libiospan knows without a system call if a
 * call on the descriptor is an access to storage. libiospan asks the kernel for the kind when the
 * descriptor is opened, or at its first access.
 *
 * libiospan forgets a kind before the program closes the descriptor, because another thread may get
 * the same number at once. It also forgets the kind after each open, in case it did not see a
 * close. A child of vfork() shares this table, but not the descriptors, so the child stores no
 * kinds. */
#include "preload/fd.h"
#include "preload/sandbox.h"
#include "bpf/fsmagic.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

/* Size of the table of kinds. For a higher descriptor number, libiospan asks the kernel at each
 * call. */
#define FDS 65536

/* Kind of file per descriptor number. The low bits of an element are an enum fd_kind. The other
 * bits count how often the kind was forgotten. They show if the descriptor was closed while
 * kind_of() asked the kernel. Then kind_of() does not store the kind of the closed file. */
#define KIND_MASK 3
static u32 fds[FDS];
static int fds_top = -1; /* highest descriptor number for which libiospan asked the kernel */

bool fd_stat(int fd, struct statx *st)
{
	const int flags = AT_EMPTY_PATH | AT_STATX_DONT_SYNC;

	return !OWN_CALL(statx, fd, "", flags, STATX_BASIC_STATS, st);
}

static enum fd_kind query(int fd)
{
	struct statfs fs;
	struct statx st;

	if (!fd_stat(fd, &st))
		return FD_UNKNOWN;
	if (S_ISBLK(st.stx_mode))
		return FD_STORAGE;
	if (!S_ISREG(st.stx_mode) && !S_ISDIR(st.stx_mode))
		return FD_OTHER;
	/* Only a file without a block device and without blocks can be a pseudo file. fstatfs() is
	 * called only for such a file, because it may wait for the server of a network file
	 * system. */
	if (!st.stx_dev_major && !st.stx_blocks && !OWN_CALL(fstatfs, fd, &fs) &&
	    fs_is_pseudo((u32)fs.f_type))
		return FD_OTHER;
	return S_ISDIR(st.stx_mode) ? FD_DIRECTORY : FD_STORAGE;
}

static void raise_top(int fd)
{
	int top = __atomic_load_n(&fds_top, __ATOMIC_RELAXED);

	while (fd > top &&
	       !__atomic_compare_exchange_n(&fds_top, &top, fd, true, __ATOMIC_SEQ_CST,
					    __ATOMIC_RELAXED))
		;
}

static __attribute__((noinline)) enum fd_kind query_and_remember(int fd, u32 entry)
{
	enum fd_kind kind;

	if (!area && !area_start())
		return FD_UNKNOWN;
	if (!may_syscall()) {
		add(&area->head.seccomp, 1);
		return FD_UNKNOWN;
	}
	if (fd < FDS)
		raise_top(fd);
	kind = query(fd);
	if (fd < FDS && kind != FD_UNKNOWN && !self_is_lent(&self))
		__sync_bool_compare_and_swap(&fds[fd], entry, entry | kind);
	return kind;
}

static enum fd_kind kind_of(int fd)
{
	u32 entry = 0;

	if (fd < 0)
		return FD_UNKNOWN;
	if (fd < FDS) {
		entry = __atomic_load_n(&fds[fd], __ATOMIC_ACQUIRE);
		if (entry & KIND_MASK)
			return entry & KIND_MASK;
	}
	return query_and_remember(fd, entry);
}

bool fd_counts(int fd)
{
	return kind_of(fd) == FD_STORAGE;
}

bool fd_syncs(int fd)
{
	enum fd_kind kind = kind_of(fd);

	return kind == FD_STORAGE || kind == FD_DIRECTORY;
}

static void fd_reset(int fd, enum fd_kind kind)
{
	u32 old;

	if (fd < 0 || fd >= FDS)
		return;
	/* A child of vfork() must not store kinds in its parent's table. If getpid() is forbidden,
	 * libiospan does not know if this is such a child. */
	if (self.epoch == EPOCH_LENT && (!may_syscall() || self_is_lent(&self)))
		kind = FD_UNKNOWN;
	if (kind != FD_UNKNOWN)
		raise_top(fd);
	old = __atomic_load_n(&fds[fd], __ATOMIC_RELAXED);
	while (!__atomic_compare_exchange_n(&fds[fd], &old, ((old | KIND_MASK) + 1) | kind, true,
					    __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
		;
}

void fd_forget(int fd)
{
	fd_reset(fd, FD_UNKNOWN);
}

void fd_forget_range(unsigned first, unsigned last)
{
	int top = __atomic_load_n(&fds_top, __ATOMIC_SEQ_CST);

	for (unsigned fd = first; top >= 0 && fd <= last && fd <= (unsigned)top; fd++)
		fd_forget(fd);
}

/* Asks the kernel for the kind now, because a seccomp filter may forbid the system call later.
 * libiospan does not see each installation of a filter. */
void fd_opened(int fd, enum fd_kind kind)
{
	struct file_at file;

	fd_reset(fd, kind);
	if (area && may_syscall() && fd >= 0 && fd < FDS && !self_is_lent(&self) && fd_counts(fd) &&
	    lanes)
		fd_file(fd, &file);
}

bool fd_is_open(int fd)
{
	return !may_syscall() || kind_of(fd) != FD_UNKNOWN;
}

enum fd_kind fd_known(int fd)
{
	if (fd < 0 || fd >= FDS)
		return FD_UNKNOWN;
	return __atomic_load_n(&fds[fd], __ATOMIC_ACQUIRE) & KIND_MASK;
}

/* Inode and device of the file behind each descriptor, used only if iospan records. They are valid
 * for descriptor i if files[i].entry equals fds[i]. */
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

/* fds_query() asks the kernel for all descriptors below FDS_USUAL. It also asks for higher ones, up
 * to fds_top, the highest descriptor for which libiospan has asked before. */
#define FDS_USUAL 1024

void fds_query(void)
{
	int top = __atomic_load_n(&fds_top, __ATOMIC_SEQ_CST);
	struct file_at file;

	for (int fd = 0; fd < FDS && (fd < FDS_USUAL || fd <= top); fd++)
		if (fd_counts(fd) && lanes)
			fd_file(fd, &file);
}

bool stream_counts(FILE *fp)
{
	int saved = errno, fd = LIBC(fileno_unlocked)(fp);

	errno = saved;
	return fd_counts(fd);
}
