/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The load generator. The workload model is that of Chen and Patterson 1993, section 5
 * (uniqueBytes, sizeMean, readFrac, seqFrac, processNum). Depth, batches and arrivals are added for
 * modern devices.
 *
 *   stream   generates the requests of one process from a seed
 *   engine   issues requests to the storage
 *   verify   checks that reads return the data that were written
 *   worker   one process or thread of the load, with its stream and its counters
 *   load     all workers, with the span over all of them */
#ifndef IOSPAN_LOAD_H
#define IOSPAN_LOAD_H

#include <pthread.h>
#include <stdbool.h>
#include "bench/load/barrier.h"
#include "bench/load/engines.h"
#include "user/host/class.h"
#include "user/metric/metric.h"
#include "user/session/session.h"
#include "bench/load/sieve.h"
#include "bench/load/stream.h"

struct load_spec {
	struct stream_spec stream;
	const struct engine *engine;
	const char *sizes; /* argument of --size-dist; NULL: all requests have one size */
	bool sizes_listed; /* .sizes is a list of sizes with weights, and stream.size is unused */
	bool buffered; /* requests use the page cache; ignored by engines that transfer no data */
	enum class_kind class; /* disk class of the slowest target, or the one that the user gave */
	bool class_given;      /* the user gave .class */
	u64 procs, depth, batch;
	/* depth, batch were set to the defaults of the disk's class */
	bool depth_by_class, batch_by_class;
	bool processes;	  /* workers are processes; false: threads */
	bool opened_each; /* each worker opens the target itself, and so has its own read-ahead */
	struct regions regions; /* for engine_sieve: where the data of a process lie in the file */
	u64 requests;		/* requests of each worker; 0: no limit, run until LOAD_STOP */
	double rate;		/* requests per second of each worker; 0: closed loop */
	bool poisson; /* arrivals of an open loop are a Poisson process; false: equal distances */
	u64 think_ns; /* pause of a worker after each batch, in ns */
	bool iopoll, sqpoll; /* io_uring polls for completions (iopoll), for submissions (sqpoll) */
	struct verify *verify; /* state of --verify; NULL: reads are not checked */
};

/* Counters of a worker that struct row does not have. */
struct load_counts {
	u64 short_requests; /* requests that transferred some bytes, but not all */
	u64 late;	    /* requests of an open loop that were due but never issued */
	u64 good_ns;	    /* time at which a request last transferred all its bytes */
	u64 ended_ns;	    /* time at which the last request in flight ended */
	int first_errno;    /* errno of the first failed request; 0: none failed */
};

/* The order that the caller gives to all workers, and the state of each worker. */
enum load_order { LOAD_WAIT, LOAD_RUN, LOAD_STOP };
enum worker_stage { WORKER_NEW, WORKER_WAITS, WORKER_RUNS, WORKER_ENDED };

/* One process or thread of the load. It is in memory that processes share, so that the caller can
 * read the counters while the worker runs. */
struct worker {
	struct row rows[2]; /* counters, indexed by OP_READ and OP_WRITE */
	struct load_counts counts;
	u32 stage; /* state of the worker, an enum worker_stage */
	const struct load_spec *spec;
	struct load *load;
	u64 number;
	/* The target is divided into parts of unique_bytes; this is the number of the worker's
	 * part. */
	u64 part;
	int fd, own_fd; /* own_fd: the descriptor that .opened_each asks for; 0: none */
	struct stream stream;
	void *engine; /* state of the engine, allocated by its open() */
	struct request *requests, **idle, **ended;
	unsigned idle_n, ended_n, in_flight;
	char *buffers; /* one buffer of buffer_bytes for each request */
	size_t buffer_bytes;
	u64 left;    /* number of requests still to issue */
	u64 next_ns; /* time before which the worker issues no request */
	int error;   /* negative errno if the worker ended early; it has printed the error */
	pthread_t thread;
	pid_t pid;
} __attribute__((aligned(64)));

struct load {
	struct span span;	/* T over all workers */
	u32 order;		/* current order, an enum load_order */
	pid_t supervisor;	/* process that starts the workers and waits for them */
	struct barrier barrier; /* where all workers meet during two-phase reads (sieve.h) */
	char *shared;		/* buffers of all workers for two-phase reads */
	struct load_spec spec;
	struct worker workers[];
};

/* Makes a load that is not started yet. Worker i uses the open target @fds[i % @n]. Returns NULL on
 * failure; prints the error. */
struct load *load_new(const struct load_spec *spec, const int *fds, unsigned n);
/* Starts a supervisor process, which starts the workers in the cgroup of @s (NULL: in the
 * caller's). The kernel kills the supervisor if the caller dies. Each worker then waits for
 * LOAD_RUN, or has ended because it could not start (see load_error()). Returns 0 or -errno; prints
 * the error. */
int load_start(struct load *l, const struct session *s);
void load_order(struct load *l, enum load_order order);
/* Returns true if each worker waits for an order or has ended. No request is in flight then. */
bool load_waits(struct load *l);
/* Returns true if all workers have ended. */
bool load_is_done(struct load *l);
/* Returns true if any worker has ended. @load: the struct load. A worker that waits at the barrier
 * for others checks this. */
bool load_has_ended(const void *load);
/* Resets the counters of all workers. Call it only while load_waits() returns true. */
void load_forget(struct load *l);
/* Kills the workers if they still run, and frees the load. Does nothing if @l is NULL. */
void load_free(struct load *l);

/* Adds the counters of all workers to @ops, indexed by OP_READ and OP_WRITE. Returns T over all
 * workers at the time @now, modulo 2^44 ns (bpf/span-word.h). */
u64 load_read(const struct load *l, struct sum ops[2], u64 now);
/* Returns the counters of all workers as one: sums of counts, and the latest times. */
struct load_counts load_count(const struct load *l);
/* Returns the error of a worker that ended early, which has printed it. Returns 0 if no worker
 * did. */
int load_error(const struct load *l);

/* Sleeps while the order is @order, at most until @until_ns (0: no limit). */
void load_sleep(const struct load *l, enum load_order order, u64 until_ns);

#endif
