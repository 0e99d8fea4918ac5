/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A load: the workload model of Chen and Patterson 1993 (uniqueBytes, sizeMean,
 * readFrac, seqFrac, processNum) with what modern devices need besides, and what came
 * of it.
 *
 *   stream   which requests: a stream per process, the same for the same seed
 *   engine   how they reach the storage: one file and one const struct each
 *   verify   is what is read what was written? (verify.h)
 *   worker   one process of the load: its stream through an engine, and what it counts
 *   load     all of them, with the span over all
 */
#ifndef IOSPAN_LOAD_H
#define IOSPAN_LOAD_H

#include <pthread.h>
#include <stdbool.h>
#include "bench/load/barrier.h"
#include "user/host/class.h"
#include "user/metric/metric.h"
#include "user/session/session.h"
#include "bench/load/sieve.h"
#include "bench/load/stream.h"

/* A request in flight. An engine owns it from queue() until it hands it back. */
struct request {
	u64 start_ns; /* latency counts from here */
	u64 offset;
	u32 bytes;
	int result;	/* bytes, or a negative errno */
	u32 generation; /* of the worker's newest write when this began (verify.h) */
	bool write;
	void *buffer;
};

struct worker;

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
	/* Makes what the worker needs; -errno after an error was printed. */
	int (*open)(struct worker *w);
	void (*close)(struct worker *w);
	void (*queue)(struct worker *w, struct request *r);
	/* Hands over what is queued and waits until at least @min of what is in flight have
	 * ended, but not beyond @until_ns (0: as long as it takes). Appends those that have
	 * to w->ended. 0, or -errno after an error was printed. */
	int (*reap)(struct worker *w, unsigned min, u64 until_ns);
};

extern const struct engine engine_uring, engine_psync, engine_mmap, engine_null;
extern const struct engine engine_nvme; /* engine_uring with .passthrough */

/* The engine of that name; NULL after an error was printed. */
const struct engine *engine_named(const char *name);

struct load_spec {
	struct stream_spec stream;
	const struct engine *engine;
	const char *sizes;     /* words for stream.sizes; NULL: all of one size */
	bool sizes_listed;     /* .sizes is a list with weights: stream.size has no meaning */
	bool buffered;	       /* not direct; of an engine without data: no meaning */
	enum class_kind class; /* of the slowest target */
	bool class_told;       /* it may be another */
	u64 procs, depth, batch;
	bool depth_by_class, batch_by_class; /* nobody asked for these */
	bool processes;			     /* else threads */
	bool opened_each;		     /* by each process for itself, read-ahead and all */
	struct regions regions; /* of the engine sieve, which the stream's data are in */
	u64 requests;		/* of each process; 0: until it is told to stop */
	double rate;		/* of each process, per second; 0: closed loop */
	bool poisson;		/* its arrivals; else at equal distances */
	u64 think_ns;		/* of each process, after each batch */
	bool iopoll, sqpoll;	/* of io_uring: poll for what has ended, and for what is to do */
	struct verify *verify;	/* NULL: what is read may be anything */
};

/* What is counted besides the rows. */
struct load_counts {
	u64 short_results; /* not all that was asked for, without an error */
	u64 late;	   /* due and never made: an open loop that did not keep up */
	u64 good_ns;	   /* when a request last did all that was asked for */
	u64 ended_ns;	   /* when nothing was in flight any more, the last time */
	int first_errno;   /* of the first request that failed; 0: none did */
};

/* What all workers are told to do, and how far each of them is. */
enum load_order { LOAD_WAIT, LOAD_RUN, LOAD_STOP };
enum worker_stage { WORKER_NEW, WORKER_WAITS, WORKER_RUNS, WORKER_ENDED };

/* Lives in memory that processes share. What it counts may be read by others while it
 * works. */
struct worker {
	struct row rows[2]; /* OP_READ, OP_WRITE */
	struct load_counts counts;
	u32 stage; /* enum worker_stage */
	const struct load_spec *spec;
	struct load *load;
	u64 number;
	u64 place;	/* which part of the target is its own */
	int fd, own_fd; /* own_fd: with .opened_each, or 0 */
	struct stream stream;
	void *engine; /* the engine's own */
	struct request *requests, **idle, **ended;
	unsigned idle_n, ended_n, in_flight;
	char *buffers; /* depth of them, one after the other */
	size_t buffer_bytes;
	u64 left;    /* requests that it may still make */
	u64 next_ns; /* open loop: when the next request is due */
	int error;   /* negative errno: why it ended before its time */
	pthread_t thread;
	pid_t pid;
} __attribute__((aligned(64)));

struct load {
	struct span span;	/* T over all workers */
	u32 order;		/* enum load_order */
	pid_t keeper;		/* the process whose threads or children the workers are */
	struct barrier barrier; /* of all workers, */
	char *shared;		/* and their buffers, for two phases */
	struct load_spec spec;
	struct worker workers[];
};

/* Number i of the workers is for descriptor @fds[i % @n]. NULL after an error was
 * printed. */
struct load *load_new(const struct load_spec *spec, const int *fds, unsigned n);
/* Starts the workers, in the group(s) of @s unless that is NULL, in a process of their own,
 * which does nothing but the load and ends with us. Once they are ready they wait; those
 * that cannot begin have ended, see load_error(). -errno: printed. */
int load_start(struct load *l, const struct session *s);
void load_order(struct load *l, enum load_order order);
/* After LOAD_WAIT: is nothing in flight any more? */
bool load_waits(struct load *l);
/* Have all ended, told to or not? */
bool load_is_done(struct load *l);
/* Has one? The others may wait for it. */
bool load_has_ended(const void *load);
/* What was counted so far does not count. Only while the load waits. */
void load_forget(struct load *l);
void load_free(struct load *l); /* ends it, if need be by force; NULL is fine */

/* Adds what has been counted so far to @ops, OP_READ and OP_WRITE apart. Returns T over
 * all, modulo 2^44 ns (bpf/span-word.h). */
u64 load_read(const struct load *l, struct sum ops[2], u64 now);
/* The same of all workers: sums, and the latest times. */
struct load_counts load_count(const struct load *l);
/* Why a worker ended before its time, a negative errno that was printed; 0: none did. */
int load_error(const struct load *l);

/* Sleeps while the order is @order, but not beyond @until_ns (0: as long as it is). */
void load_sleep(const struct load *l, enum load_order order, u64 until_ns);

#endif
