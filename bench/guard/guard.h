/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opens the target of a benchmark, or refuses it.
 *
 *   directory  the guard opens an unnamed file in it, which the kernel removes when it is closed
 *   file       is written only with .destroy, and if nobody else has it open
 *   device     is written only with .destroy, and if nothing else uses it
 *
 * Each check examines the open inode, not a name, because another user may rename files
 * meanwhile. */
#ifndef IOSPAN_BENCH_GUARD_H
#define IOSPAN_BENCH_GUARD_H

#include <stdbool.h>
#include <sys/types.h>
#include "bpf/types.h"
#include "user/host/host.h"

enum guard_kind { GUARD_DIRECTORY, GUARD_FILE, GUARD_DEVICE };

struct guard_options {
	bool write;	       /* the load writes to the target */
	bool destroy;	       /* the data in the file or on the device may be lost */
	const char *signature; /* signatures that may be on the device, such as "ext4,dos" */
	bool direct;	       /* opens the target with O_DIRECT */
	/* Size that the load needs. If several files are opened in one directory, their total. */
	u64 bytes;
	const struct host *host; /* host to search for users of the target; NULL: this machine */
};

struct guard {
	enum guard_kind kind;
	int fd;	   /* descriptor of the target; a device stays claimed until it is closed */
	u64 bytes; /* size of a file or device; 0 for a directory */
};

/* Opens the target @path and checks it. Returns 0 or -errno; prints the error. */
int guard_open(const char *path, const struct guard_options *o, struct guard *g);
/* Does the same for a target that is already open as @at, with O_PATH. @path: its name for error
 * messages. */
int guard_open_at(const char *path, int at, const struct guard_options *o, struct guard *g);
void guard_close(struct guard *g);

#endif
