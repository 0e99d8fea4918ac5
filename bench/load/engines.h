/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Engines: the ways in which requests of a load reach the storage. Each file engine-NAME.c defines
 * one engine as a const struct. The user can choose the engines that engines.c lists and
 * ENGINES_HELP describes. */
#ifndef IOSPAN_LOAD_ENGINES_H
#define IOSPAN_LOAD_ENGINES_H

#include <stdbool.h>
#include "bpf/types.h"

struct worker;

/* One request. The engine owns it from queue() until reap() appends it to w->ended. */
struct request {
	u64 start_ns; /* time at which the latency starts */
	u64 offset;
	u32 bytes;
	int result; /* bytes transferred, or a negative errno */
	/* for --verify: number of writes that the worker had issued when this request started
	 * (verify.h) */
	u32 generation;
	bool write;
	void *buffer;
};

/* Abilities of an engine. iospan refuses an option that needs an ability which the engine lacks. */
enum engine_can {
	ENGINE_BATCH = 1,   /* the engine submits several requests in one call */
	ENGINE_DEPTH = 2,   /* the engine keeps requests in flight between calls */
	ENGINE_DATA = 4,    /* the engine transfers data */
	ENGINE_CACHE = 8,   /* the engine can use the page cache */
	ENGINE_DIRECT = 16, /* the engine can bypass the page cache */
	ENGINE_RING = 32,   /* the engine has the options of io_uring */
};

struct engine {
	const char *name;
	unsigned can; /* set of enum engine_can */
	/* Allocates w->engine, the state of the engine for one worker. Returns 0 or -errno; prints
	 * the error. */
	int (*open)(struct worker *w);
	/* Frees w->engine. The worker calls it even if open() failed or was not called. */
	void (*close)(struct worker *w);
	void (*queue)(struct worker *w, struct request *r);
	/* Submits the queued requests and waits until at least @min requests in flight have ended,
	 * at most until @until_ns (0: no limit). Appends the ended requests to w->ended. Returns 0
	 * or -errno; prints the error. */
	int (*reap)(struct worker *w, unsigned min, u64 until_ns);
};

extern const struct engine engine_uring, engine_psync, engine_mmap, engine_null;
extern const struct engine engine_nvme; /* used instead of engine_uring with --passthrough */
/* used for loads with non-contiguous regions (load_spec.regions) */
extern const struct engine engine_sieve;

/* Returns the engine that the user chose by @name. Returns NULL and prints an error if there is
 * none. */
const struct engine *engine_named(const char *name);

/* Names of the engines that the user can choose, for --help and error messages. */
#define ENGINES_HELP \
	"uring (io_uring), psync (pread and pwrite), mmap (mapped file, buffered), null (no I/O)"

/* reap() of the engines that end each request already in queue(). Does nothing and returns 0. */
int engine_reap_none(struct worker *w, unsigned min, u64 until_ns);

#endif
