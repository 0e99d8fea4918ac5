/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opens the target of a benchmark, unless that could destroy the data of another user:
 *
 *   directory  opens an unnamed file in the directory; closing the file removes it
 *   file       is written only if the user gave --destroy, and if nobody else has it open
 *   device     is written only if the user gave --destroy, and if nothing else uses it
 *
 * The checks examine the open inode, because another user may rename files meanwhile. */
#ifndef IOSPAN_BENCH_GUARD_H
#define IOSPAN_BENCH_GUARD_H

#include <stdbool.h>
#include <sys/types.h>
#include "bpf/types.h"
#include "user/host/host.h"

enum guard_kind { GUARD_DIRECTORY, GUARD_FILE, GUARD_DEVICE };

/* The amount of data of a load, and the option that sets it. Error messages suggest a smaller
 * amount. */
struct guard_amount {
	const char *option;  /* such as "--unique-bytes"; NULL: there is no such option */
	u64 processes;	     /* number of processes of the load, on all targets together */
	u64 bytes;	     /* bytes that each process accesses, a multiple of .align */
	u64 align, at_least; /* .at_least: smallest value of .bytes that the load allows */
};

struct guard_options {
	bool write;
	/* the user allows the loss of all data in the file or on the device */
	bool destroy;
	/* the user allows the loss of these signatures on the device, such as "ext4,dos" */
	const char *signature;
	bool direct;
	/* bytes that the load needs on this target; in a directory, the sum of all its files */
	u64 bytes;
	/* used in error messages; guard_options.bytes is a multiple of amount.bytes */
	struct guard_amount amount;
	/* the machine on which users of the target are searched; NULL: this machine */
	const struct host *host;
};

struct guard {
	enum guard_kind kind;
	/* descriptor of the target; until it is closed, a device stays reserved for iospan */
	int fd;
	u64 bytes; /* size of the target; 0 for a directory */
};

int guard_open(const char *path, const struct guard_options *o, struct guard *g);
/* Works like guard_open(), for a target that the caller has already opened as @at, with O_PATH.
 * @path is used only in error messages. */
int guard_open_at(const char *path, int at, const struct guard_options *o, struct guard *g);
void guard_close(struct guard *g);

#endif
