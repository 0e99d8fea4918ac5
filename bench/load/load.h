/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The load generator. Its workload model is that of Chen and Patterson 1993, section 5
 * (uniqueBytes, sizeMean, readFrac, seqFrac, processNum). iospan adds the depth, batches, and the
 * times at which requests arrive.
 *
 *   stream   generates the requests of one process from a seed
 *   engine   issues requests to the storage
 *   verify   checks that reads return the data that were written
 *   worker   one process or thread, with its stream and counters
 *   load     all workers together, with the time in which any of them has a request in flight */
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

struct worker;

struct load_spec {
	struct stream_spec stream;
	const struct engine *engine;
	const char *sizes; /* argument of --size-dist; NULL: all requests have the same size */
	bool sizes_listed; /* .sizes is a list of sizes with weights, so stream.size is unused */
	bool buffered; /* requests use the page cache; unused by engines that transfer no data */
	/* class of the slowest disk among the targets, or the class that the user gave */
	enum class_kind class;
	bool class_given;
	/* true: the user did not give --unique-bytes, and a target is smaller than the default */
	bool unique_bytes_by_target;
	u64 procs, depth;
	u64 batch; /* maximum number of requests that one call submits */
	/* true: the value is the default for the class of the disk */
	bool depth_by_class, batch_by_class;
	/* true: each worker is a process; false: each worker is a thread of one process */
	bool processes;
	/* true: each worker opens the target itself, so each has a read-ahead state of its own */
	bool opened_each;
	/* for engine_sieve: the pieces of the file that the process reads */
	struct regions regions;
	/* number of requests of each worker; 0: no limit, the worker runs until LOAD_STOP */
	u64 requests;
	/* Requests per second of each worker, issued even if earlier requests are in flight (open
	 * loop). 0: a worker issues a new request when an earlier request ends (closed loop). */
	double rate;
	/* true: times between requests are distributed exponentially; false: they are equal */
	bool poisson;
	u64 think_ns; /* each worker pauses this long after each batch */
	/* .iopoll: the kernel polls the disk for completions. .sqpoll: a kernel thread polls the
	 * io_uring for new requests. */
	bool iopoll, sqpoll;
	/* Function that issues the requests of a worker, for instance those of a trace. The
	 * function must obey load.order, and may use .run_arg. NULL: worker_run() issues them. */
	void (*run)(struct worker *w);
	const void *run_arg;
	struct verify *verify; /* state of --verify; NULL: data that are read are not checked */
};

/* Counters of a worker besides those of struct row. */
struct load_counts {
	/* number of requests that transferred some bytes, but fewer than requested */
	u64 short_requests;
	/* number of requests of an open loop that were due but never issued */
	u64 late;
	u64 good_ns; /* end of the last request that transferred all its bytes */
	u64 ended_ns;
	int first_errno; /* error of the first request that failed; 0: none failed */
};

enum load_order { LOAD_WAIT, LOAD_RUN, LOAD_STOP };
enum worker_stage { WORKER_NEW, WORKER_WAITS, WORKER_RUNS, WORKER_ENDED };

/* A worker: a process or thread of the load. It is in shared memory, so that the caller sees its
 * counters. */
struct worker {
	struct row rows[2]; /* counters of reads and of writes, indexed by OP_READ and OP_WRITE */
	struct load_counts counts;
	u32 stage; /* enum worker_stage; the caller of load_start() reads it */
	const struct load_spec *spec;
	struct load *load;
	u64 number;
	/* The worker accesses part number .part of the target. Each part has unique_bytes. */
	u64 part;
	/* .fd: descriptor through which the worker accesses the target. .own_fd: the same
	 * descriptor if the worker itself opened it, and so must close it; otherwise 0. */
	int fd, own_fd;
	struct stream stream;
	void *engine;
	struct request *requests, **idle, **ended;
	unsigned idle_n, ended_n, in_flight;
	char *buffers; /* data buffers, buffer_bytes for each request */
	size_t buffer_bytes;
	u64 left;    /* number of requests that this worker has still to issue */
	u64 next_ns; /* the worker issues no request before this time */
	/* -errno if the worker ended because of an error, which it has printed; 0: no error */
	int error;
	pthread_t thread;
	pid_t pid;
} __attribute__((aligned(64)));

struct load {
	/* measures T, the time in which at least one worker has a request in flight */
	struct span span;
	u32 order;  /* enum load_order, which all workers obey */
	u32 failed; /* 1: a worker has already failed, and printed its error */
	/* the process that starts the workers and waits for them; 0: none */
	pid_t supervisor;
	/* for two-phase reads (sieve.h): workers read into .shared and wait for each other */
	struct barrier barrier;
	char *shared;
	struct load_spec spec;
	struct worker workers[];
};

/* Returns -ENOMEM if @bytes of memory for @what are not available. Prints the error, which ends
 * with @advice. Without this check, the OOM killer might end other programs. */
int load_check_memory(u64 bytes, const char *what, const char *advice);

/* Prepares a load, which load_start() starts. Worker i accesses the target with the descriptor
 * @fds[i % @n]. Returns NULL on failure; prints the error. */
struct load *load_new(const struct load_spec *spec, const int *fds, unsigned n);
/* Starts the load in the cgroup of @s (NULL: in the caller's cgroup). A supervisor process starts
 * the workers, and each worker waits for LOAD_RUN. If the caller dies, the kernel kills the
 * supervisor. A worker that cannot start ends with an error (see load_error()). Returns 0 or
 * -errno; prints the error. */
int load_start(struct load *l, const struct session *s);
void load_order(struct load *l, enum load_order order);
/* Returns true if each worker waits for an order or has ended, so that no request is in flight. */
bool load_waits(struct load *l);
bool load_is_done(struct load *l);
/* Returns true if any worker has ended. A worker at a barrier calls this function, because an ended
 * worker never arrives at the barrier. @load is a struct load. */
bool load_has_ended(const void *load);
/* Returns true at the first call for @l, and false at later calls. The caller prints its error only
 * if the result is true, because all workers may have the same error, such as a lack of memory. */
bool load_fails_first(struct load *l);
/* Resets all counters, for instance after the warm-up. Call it only if load_waits() is true. */
void load_forget(struct load *l);
/* Kills the workers if they run, and frees the load. Does nothing if @l is NULL. */
void load_free(struct load *l);

/* Adds the counters of all workers to @ops: those of reads to ops[OP_READ], those of writes to
 * ops[OP_WRITE]. Returns T at the time @now, modulo 2^44 ns (bpf/span-word.h). T is the time in
 * which at least one worker had a request in flight. */
u64 load_read(const struct load *l, struct sum ops[2], u64 now);
/* Returns the sums of the workers' counters. Each time in the result is the latest among the
 * workers. */
struct load_counts load_count(const struct load *l);
/* Returns the error of a worker that ended early; the worker has printed it. 0: there is none. */
int load_error(const struct load *l);

/* Sleeps until the order is no longer @order, or until @until_ns (0: no limit). */
void load_sleep(const struct load *l, enum load_order order, u64 until_ns);

#endif
