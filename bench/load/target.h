/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opens the targets of a load (files or devices, or files made in a directory), and fills new files
 * with data. */
#ifndef IOSPAN_LOAD_TARGET_H
#define IOSPAN_LOAD_TARGET_H

#include "bench/guard/guard.h"
#include "bench/load/verify.h"

/* A file or device that a load uses. The last element of a list of targets has the name NULL. */
struct target {
	const char *name;
	struct guard guard;
	u64 bytes; /* the load uses this many bytes of the target, from its start */
};

/* Returns the size of the file or device; UINT64_MAX for a directory, or if it is unknown. */
u64 target_room(const char *name);
/* Sets @bytes to the size of the file or device @target. If @target is a directory, sets it to 80 %
 * of the free space. Returns 0 or -errno; prints the error. */
int room_on_target(const char *target, u64 *bytes);

/* Returns how many bytes the page cache can hold with the memory limit @limit (0: no limit). */
u64 room_in_cache(u64 limit);
/* Returns the alignment in bytes of offsets for direct I/O on @fd; 0: unknown, or no direct I/O. */
u64 target_direct_unit(int fd);

/* Returns the unit of offsets and sizes of requests to target @name, in bytes. With the page cache
 * (@buffered), it is 1. Otherwise, it is the alignment of direct I/O, usually the logical block
 * size of the disk. TARGET_PAGE: the alignment is unknown. */
#define TARGET_PAGE 4096
u64 target_unit(const char *name, bool buffered);
/* Opens the target @name. The load uses at most its first @bytes bytes. Returns 0 or -errno; prints
 * the error. */
int target_open(struct target *t, const char *name, u64 bytes, const struct guard_options *o);
/* Fills target number @number with data that cannot be compressed. If @v is not NULL, writes the
 * data that --verify expects. Stops at the time @until_ns (0: no limit), and then reduces t->bytes
 * to the bytes that were filled. Returns 0 on success. If a signal is pending, returns -EINTR
 * without a message. After an error, prints it and returns -errno. */
int target_fill(struct target *t, u64 number, const struct verify *v, u64 until_ns);

/* Opens the targets @names, a list that ends with NULL. The load uses @bytes[i] of target i. Fills
 * new files with data. If @v is not NULL (--verify), fills all targets. Returns NULL if a signal is
 * pending, or after an error, which it prints. */
struct target *targets_open(char *const *names, const u64 *bytes, const struct guard_options *o,
			    const struct verify *v);
/* Closes all targets of the list and frees it. Does nothing if @t is NULL. */
void targets_close(struct target *t);

#endif
