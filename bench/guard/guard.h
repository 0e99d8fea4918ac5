/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opens the target of a benchmark, or refuses it.
 *
 *   directory  opens an unnamed file in it, which the kernel removes with its last descriptor
 *   file       is written only with .destroy, and if nobody else has it open
 *   device     is written only with .destroy, and if nothing else uses it
 *
 * Every check applies to the open inode, never to a name. */
#ifndef IOSPAN_BENCH_GUARD_H
#define IOSPAN_BENCH_GUARD_H

#include <stdbool.h>
#include <sys/types.h>
#include "bpf/types.h"
#include "user/host/host.h"

enum guard_kind { GUARD_DIRECTORY, GUARD_FILE, GUARD_DEVICE };

struct guard_options {
	bool write;		 /* the load writes */
	bool destroy;		 /* the data in the file or on the device may be lost */
	const char *signature;	 /* allowed signatures on the device, "ext4,dos" */
	bool direct;		 /* O_DIRECT */
	u64 bytes;		 /* needed size; if several files are opened in one directory,
				 * their total */
	const struct host *host; /* NULL: this machine */
};

struct guard {
	enum guard_kind kind;
	int fd;	   /* writable if .write; a device stays claimed until fd is closed */
	u64 bytes; /* size of the file or device; 0 in a directory */
};

/* Returns 0 or -errno; prints the error. */
int guard_open(const char *path, const struct guard_options *o, struct guard *g);
/* As guard_open(), for a target that is open as @at with O_PATH. @path is only for errors. */
int guard_open_at(const char *path, int at, const struct guard_options *o, struct guard *g);
void guard_close(struct guard *g);

#endif
