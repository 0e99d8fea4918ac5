/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An engine issues the requests of a load, for instance by pread(). engines.c lists the engines
 * that a user can choose. */
#ifndef IOSPAN_LOAD_ENGINES_H
#define IOSPAN_LOAD_ENGINES_H

#include <stdbool.h>
#include "bpf/types.h"

struct worker;

/* One request of a load. The engine owns it from queue() until reap() adds it to w->ended. */
struct request {
	u64 start_ns; /* the latency is measured from this time */
	u64 offset;
	u32 bytes;
	int result; /* number of bytes transferred, or a negative errno */
	/* for --verify: number of writes of the worker so far, including this one */
	u32 generation;
	/* for --verify: a write to the data was in flight when this request started */
	bool unchecked;
	bool write;
	void *buffer;
};

/* Abilities of an engine. If the engine lacks an ability, options that need it are refused. */
enum engine_can {
	ENGINE_BATCH = 1,   /* submits several requests in one call */
	ENGINE_DEPTH = 2,   /* can keep several requests in flight */
	ENGINE_DATA = 4,    /* transfers data */
	ENGINE_CACHE = 8,   /* can use the page cache */
	ENGINE_DIRECT = 16, /* can bypass the page cache (direct I/O) */
	ENGINE_RING = 32,   /* accepts the options of io_uring */
};

struct engine {
	const char *name;
	unsigned can; /* abilities of the engine, as bits of enum engine_can */
	/* Allocates the state of the engine, w->engine. Returns 0 or -errno; prints the error. */
	int (*open)(struct worker *w);
	/* Frees w->engine. The worker calls close() even if open() failed or was not called. */
	void (*close)(struct worker *w);
	void (*queue)(struct worker *w, struct request *r);
	/* Submits the queued requests. If @wait is true, then waits until a request in flight has
	 * ended, or until the time @until_ns (0: no limit). Adds all requests that have ended to
	 * w->ended. Returns 0 or -errno; prints the error. */
	int (*reap)(struct worker *w, bool wait, u64 until_ns);
};

extern const struct engine engine_uring, engine_psync, engine_mmap, engine_null;
extern const struct engine engine_nvme; /* used instead of engine_uring if --passthrough is given */
/* reads files in pieces with holes between them (load_spec.regions) */
extern const struct engine engine_sieve;

/* Returns the engine @name. If there is none, prints an error and returns NULL. */
const struct engine *engine_named(const char *name);

#define ENGINES_HELP \
	"uring (io_uring), psync (pread and pwrite), mmap (mapped file, buffered), null (no I/O)"

/* The reap() of an engine without asynchronous requests: each request has ended when queue()
 * returns. */
int engine_reap_none(struct worker *w, bool wait, u64 until_ns);

#endif
