/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A load by the workload model of Chen and Patterson 1993, section 5 (uniqueBytes, sizeMean,
 * readFrac, seqFrac, processNum). Depth, batches and arrivals are added for modern devices.
 *
 *   stream   generates the requests of one process from a seed
 *   engine   brings requests to the storage
 *   verify   checks that reads return what was written
 *   worker   one process or thread of the load, with its stream and its counters
 *   load     all workers, with the span over all of them
 */
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
	const char *sizes;     /* --size-dist; NULL: all requests have one size */
	bool sizes_listed;     /* .sizes is a list with weights; stream.size is unused */
	bool buffered;	       /* through the page cache; unused by engines without data */
	enum class_kind class; /* of the slowest target */
	bool class_given;      /* the user gave .class */
	u64 procs, depth, batch;
	bool depth_by_class, batch_by_class; /* defaults of the class (by-class.h) */
	bool processes;			     /* workers are processes, else threads */
	bool opened_each;		     /* each worker opens the target: own read-ahead */
	struct regions regions; /* for engine_sieve: where the data of the stream lie */
	u64 requests;		/* per worker; 0: until LOAD_STOP */
	double rate;		/* requests per second and worker; 0: closed loop */
	bool poisson;		/* Poisson arrivals, else at equal distances */
	u64 think_ns;		/* pause of a worker after each batch */
	bool iopoll, sqpoll;	/* io_uring polls for completions, for submissions */
	struct verify *verify;	/* NULL: reads are not checked */
};

/* Counters of a worker besides its rows. */
struct load_counts {
	u64 short_requests; /* requests that transferred too little, but something */
	u64 late;	    /* scheduled requests of an open loop that were never issued */
	u64 good_ns;	    /* time of the last complete request */
	u64 ended_ns;	    /* time at which the last request in flight ended */
	int first_errno;    /* of the first failed request; 0: none failed */
};

/* The order to all workers, and the progress of each. */
enum load_order { LOAD_WAIT, LOAD_RUN, LOAD_STOP };
enum worker_stage { WORKER_NEW, WORKER_WAITS, WORKER_RUNS, WORKER_ENDED };

/* In memory shared between processes, which may read the counters while the worker runs. */
struct worker {
	struct row rows[2]; /* OP_READ, OP_WRITE */
	struct load_counts counts;
	u32 stage; /* enum worker_stage */
	const struct load_spec *spec;
	struct load *load;
	u64 number;
	u64 part;	/* number of its part of the target, of unique_bytes */
	int fd, own_fd; /* own_fd: opened for .opened_each, or 0 */
	struct stream stream;
	void *engine; /* state of the engine */
	struct request *requests, **idle, **ended;
	unsigned idle_n, ended_n, in_flight;
	char *buffers; /* depth buffers of buffer_bytes */
	size_t buffer_bytes;
	u64 left;    /* requests still to issue */
	u64 next_ns; /* open loop: when the next request is due */
	int error;   /* negative errno if it ended early; the error was printed */
	pthread_t thread;
	pid_t pid;
} __attribute__((aligned(64)));

struct load {
	struct span span;	/* T over all workers */
	u32 order;		/* enum load_order */
	pid_t supervisor;	/* the parent process of the workers */
	struct barrier barrier; /* barrier of all workers, for two-phase reads (sieve.h) */
	char *shared;		/* buffers of all workers for two-phase reads */
	struct load_spec spec;
	struct worker workers[];
};

/* Worker i uses descriptor @fds[i % @n]. Returns NULL on failure; prints the error. */
struct load *load_new(const struct load_spec *spec, const int *fds, unsigned n);
/* Starts the workers below a supervisor process, in the cgroup of @s unless @s is NULL. The
 * supervisor dies with the caller. Workers that are ready wait for LOAD_RUN; workers that cannot
 * start have ended, see load_error(). Returns 0 or -errno; prints the error. */
int load_start(struct load *l, const struct session *s);
void load_order(struct load *l, enum load_order order);
/* After LOAD_WAIT: has everything in flight ended? */
bool load_waits(struct load *l);
/* Have all workers ended? */
bool load_is_done(struct load *l);
/* Has any worker ended? The others may wait for it at the barrier. */
bool load_has_ended(const void *load);
/* Resets the counters. Only while the load waits. */
void load_forget(struct load *l);
void load_free(struct load *l); /* kills a running load; NULL is ignored */

/* Adds the counters to @ops, indexed by OP_READ and OP_WRITE. Returns T over all workers, modulo
 * 2^44 ns (bpf/span-word.h). */
u64 load_read(const struct load *l, struct sum ops[2], u64 now);
/* Returns the sums and the latest times of all workers. */
struct load_counts load_count(const struct load *l);
/* Returns the error of a worker that ended early, which was printed; 0: none did. */
int load_error(const struct load *l);

/* Sleeps while the order is @order, at most until @until_ns (0: no limit). */
void load_sleep(const struct load *l, enum load_order order, u64 until_ns);

#endif
