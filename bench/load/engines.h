/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Engines: how the requests of a load reach the storage. An engine is one file, engine-NAME.c, that
 * defines one const struct. A user chooses among those listed in engines.c and described in
 * ENGINES_HELP. */
#ifndef IOSPAN_LOAD_ENGINES_H
#define IOSPAN_LOAD_ENGINES_H

#include <stdbool.h>
#include "bpf/types.h"

struct worker;

/* A request in flight. The engine owns it from queue() until it appends it to w->ended. */
struct request {
	u64 start_ns; /* start of the latency */
	u64 offset;
	u32 bytes;
	int result; /* bytes, or a negative errno */
	u32 generation; /* generation of the worker's newest write when the request started (verify.h) */
	bool write;
	void *buffer;
};

/* Properties of an engine. An option that needs one is refused for an engine without it. */
enum engine_can {
	ENGINE_BATCH = 1,   /* takes several requests in one call */
	ENGINE_DEPTH = 2,   /* keeps requests in flight between calls */
	ENGINE_DATA = 4,    /* transfers data */
	ENGINE_CACHE = 8,   /* can use the page cache */
	ENGINE_DIRECT = 16, /* can bypass the page cache */
	ENGINE_RING = 32,   /* has the options of io_uring */
};

struct engine {
	const char *name;
	unsigned can; /* enum engine_can */
	/* Allocates w->engine, the engine's own state. Returns 0 or -errno; prints the error. */
	int (*open)(struct worker *w);
	/* Also called if open() failed or was not called. */
	void (*close)(struct worker *w);
	void (*queue)(struct worker *w, struct request *r);
	/* Submits the queued requests and waits until at least @min requests in flight have ended,
	 * at most until @until_ns (0: no limit). Appends the ended requests to w->ended. Returns 0
	 * or -errno; prints the error. */
	int (*reap)(struct worker *w, unsigned min, u64 until_ns);
};

extern const struct engine engine_uring, engine_psync, engine_mmap, engine_null;
extern const struct engine engine_nvme;	 /* replaces engine_uring for --passthrough */
extern const struct engine engine_sieve; /* for loads with .regions */

/* Returns the engine that a user chooses by @name, or NULL; prints the error. */
const struct engine *engine_named(const char *name);

/* The engines that a user chooses, for --help and errors. */
#define ENGINES_HELP \
	"uring (io_uring), psync (pread and pwrite), mmap (mapped file, buffered), null (no I/O)"

/* The reap() of engines that end a request in queue(). */
int engine_reap_none(struct worker *w, unsigned min, u64 until_ns);

#endif
