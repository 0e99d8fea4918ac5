/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opens what a benchmark works on, or says why it must not.
 *
 *   directory  an unnamed file in it, which is gone with its last descriptor however
 *              the program ends
 *   file       is read; written only with .destroy, and when nobody else has it open
 *   device     is read; written only with .destroy, and when nobody has a use for it
 *
 * Every check is of the inode that is then open, never of a name. */
#ifndef IOSPAN_BENCH_GUARD_H
#define IOSPAN_BENCH_GUARD_H

#include <stdbool.h>
#include <sys/types.h>
#include "bpf/types.h"
#include "user/host/host.h"

enum guard_kind { GUARD_DIRECTORY, GUARD_FILE, GUARD_DEVICE };

struct guard_options {
	bool write;		 /* the load writes */
	bool destroy;		 /* what is in the file or on the device may be lost */
	const char *signature;	 /* signatures on the device that may be, "ext4,dos" */
	bool direct;		 /* O_DIRECT */
	u64 bytes;		 /* that are needed: in a directory by all files together,
				 * which are to be opened before the first is written */
	const struct host *host; /* NULL: this one */
};

struct guard {
	enum guard_kind kind;
	int fd;	   /* for writing when .write; an exclusive claim on a device
				 * holds until it is closed */
	u64 bytes; /* size of the file or device; 0 in a directory */
};

/* 0, or -errno after one error was printed that says what is wrong and what to do. */
int guard_open(const char *path, const struct guard_options *o, struct guard *g);
/* Opens the target that is open as @at, O_PATH. @path is shown in errors. */
int guard_open_at(const char *path, int at, const struct guard_options *o, struct guard *g);
void guard_close(struct guard *g);

/* ---- between the guard's own files ---- */

/* Who uses the device, as a clause: "is mounted on '/data'". */
#define GUARD_WHY 512
struct guard_use {
	char why[GUARD_WHY];
	bool has_partitions;
};

/* True when @file, which is open as @fd, is a mount point itself, in the namespace of any process. */
struct stat;

#endif
