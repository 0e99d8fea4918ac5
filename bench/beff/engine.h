/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The processes of b_eff_io, called ranks. A partition is a group of ranks, which run each step
 * together. In a step, they open, check or close their files, or run a pattern: repeated calls that
 * transfer chunks of one size. An access method is write, rewrite or read. An extension is a series
 * of accesses that the b_eff_io paper does not define. An agent is a rank that transfers data of
 * other ranks, too. A node is a machine on which ranks run.
 *
 *   beff.c       chooses the steps and collects their results
 *   crew.c       ranks that are processes of this machine
 *   rank.c       the work of one rank in a step: repeats I/O calls, marks the data, takes times
 *   beff_io      functions with which a rank accesses its file and waits for other ranks
 *   beff_engine  starts the ranks and gives them the steps */
#ifndef IOSPAN_BENCH_BEFF_ENGINE_H
#define IOSPAN_BENCH_BEFF_ENGINE_H

#include <sys/types.h>
#include "bench/beff/hints.h"
#include "bench/beff/layout.h"
#include "user/metric/metric.h"
#include "bpf/span-word.h"

struct beff_node {
	/* A node is identified by its boot id, which all containers of a machine share, and by its
	 * host name. Containers of one machine may have different host names. They are then
	 * different nodes, so the cache of each is counted. */
	char boot[40], host[64];
	u64 cache_bytes; /* bytes of file data that the page cache can hold */
};

enum beff_what { BEFF_OPEN, BEFF_RUN, BEFF_CLOSE, BEFF_CHECK };

struct beff_step {
	enum beff_what what;
	enum beff_access access;
	/* access method by which the data in the file were written, or are written in this step */
	enum beff_access written;
	enum beff_type type;
	unsigned pattern;
	/* extension that runs, if .what is BEFF_RUN */
	enum beff_extension extension;
	unsigned partition;
	struct beff_shape shape;
	/* time limit of the step in ns; 0: the step runs the repetitions in .shape instead */
	u64 time_ns;
	struct beff_hints_now hints; /* hints that apply if .what is BEFF_OPEN or BEFF_RUN */
};

enum beff_call {
	BEFF_CALL_OPEN,
	BEFF_CALL_WRITE,
	BEFF_CALL_READ,
	BEFF_CALL_SYNC,
	BEFF_CALL_CLOSE,
	BEFF_CALL_MEMORY
};

struct beff_outcome {
	u64 repetitions;
	/* Start and end of the step on this rank. beff_gather() takes the earliest start and the
	 * earliest end of all ranks. The earliest end is right, because a rank leaves the last
	 * barrier only after all ranks have finished. If the ranks have no common clock,
	 * beff_gather() takes the times of rank 0. */
	u64 start_ns, end_ns;
	/* end_ns - start_ns; nearly equal on all ranks, because the step starts and ends with a
	 * barrier */
	u64 ns;
	/* durations in ns, measured by rank 0. .io_ns: calls that read or write. .barrier_ns:
	 * barriers, including agree(). .sync_ns: sync calls. */
	u64 io_ns, barrier_ns, sync_ns;
	u64 errors; /* number of chunks with data that differ from the data that were written */
	u64 checked_bytes;
	/* -errno of the call that failed; its kind is in .call; 0: no call failed; 1: this rank
	 * opened the file, but another rank could not */
	int error;
	enum beff_call call;
};

struct beff_part {
	struct beff_outcome out;
	struct beff_node node;
	struct row row; /* counters of the app layer; each call of the rank is an access */
};

/* The chunks of one rank in a pattern. .l: bytes of a chunk. .call: bytes of a call. .at: file
 * offset of the first chunk. .stride: distance in bytes from the start of one chunk to the start of
 * the next. */
struct beff_extent {
	u64 l, call, at, stride;
};

struct beff_setup {
	/* name of the directory with the files; used only in messages, because a user may rename
	 * the directory */
	char *dir;
	int fd; /* descriptor of the directory .dir, for the process that starts the ranks */
	/* another path of the directory .dir, which stays valid even if a user renames it */
	char *path;
	unsigned ranks; /* number of ranks in the largest partition */
	/* node of each rank; before the ranks start, each element is the node of the process that
	 * starts them */
	struct beff_node *nodes;
	u64 mpart;
	/* true: the ranks check the time limit after 1, 2, 4, ... repetitions; false: after each
	 * repetition (b_eff_io paper, section 5) */
	bool geometric;
	/* true: in the type BEFF_SHARED, the ranks share a file pointer; false: this type runs like
	 * BEFF_SCATTER */
	bool shared_pointer;
	/* true: use collective buffering: the ranks copy scattered chunks to and from the agents,
	 * and the agents transfer large parts of the file */
	bool collective;
	/* number of agents, if .collective is true; 0: all ranks are agents */
	unsigned agents;
	u64 collective_bytes; /* size of each agent's buffer in bytes, if .collective is true */
};

struct beff_rank {
	const struct beff_io *io;
	const struct beff_setup *setup;
	const struct beff_step *step;
	struct beff_outcome *out;
	struct row *row;
	struct span *span;	    /* time in which at least one rank is in an I/O call */
	struct beff_shared *shared; /* memory that the ranks share; NULL: none */
	/* If *stop becomes nonzero, the step ends early. Only rank 0 reads *stop, and only in steps
	 * with a time limit. NULL: the step never ends early. */
	const int *stop;
	unsigned number;
	struct beff_extent extent;
	char *buffer; /* data of one call; the buffer is as large as the largest call */
	/* buffers of all agents, with setup->collective_bytes bytes each, in memory that the ranks
	 * share */
	char *agents;
	void *engine;
};

struct beff_io {
	/* Waits until all ranks of the step have arrived. A rank calls this before it opens a file,
	 * outside of the measured time. The pointer may be NULL. */
	void (*join)(struct beff_rank *r);
	/* Functions with the result int return 0 or -errno. After an error, a rank only makes the
	 * calls for which other ranks wait, such as barrier(). open() returns 1 if this rank opened
	 * the file, but another rank could not. */
	int (*open)(struct beff_rank *r, const char *path);
	int (*close)(struct beff_rank *r);
	/* Prepares the open file for a pattern, before the first transfer. NULL: there is nothing
	 * to prepare. */
	int (*view)(struct beff_rank *r);
	/* Transfers the data of one call. The call starts with chunk number @k of the rank. */
	int (*move)(struct beff_rank *r, bool write, u64 k);
	int (*sync)(struct beff_rank *r);
	void (*barrier)(struct beff_rank *r);
	/* Returns on all ranks the number @n that rank 0 has passed. If a rank has failed, may
	 * return 0. Call barrier() between two calls of agree(). */
	u64 (*agree)(struct beff_rank *r, u64 n);
};

/* interval in ns at which beff_engine.step() calls poll() */
#define BEFF_POLL_NS 20000000
struct session;
struct beff_engine {
	const char *name;
	/* true: the engine uses MPI-IO; only then may the result be called b_eff_io (paper, section
	 * 2.1) */
	bool mpi_io;
	/* Returns NULL if iospan can measure the ranks. Otherwise returns the reason why the ranks
	 * cannot run in a cgroup that iospan makes. If this callback is NULL, iospan can measure
	 * the ranks. */
	const char *(*untraced)(void);
	/* Checks that the engine works in the directory @dir with @hints. Returns 0 or -errno;
	 * prints the error. The pointer may be NULL. */
	int (*check)(const char *dir, const struct beff_hints *hints);
	/* Checks key and value of a hint. Returns 0 or -errno; prints the error. If the pointer is
	 * NULL, the engine accepts all hints. */
	int (*knows)(const struct beff_hint *hint);
	/* Returns the name and version of the MPI library. The pointer may be NULL. */
	const char *(*version)(void);
	/* Starts the ranks in the cgroups of @session. If @session is NULL, starts them in the
	 * cgroups of the caller. @setup must stay valid until end(). Returns the state of the
	 * engine, or NULL after an error, which it prints. */
	void *(*begin)(struct beff_setup *setup, const struct session *session);
	/* Runs @step on all ranks, and meanwhile calls @poll(@arg) every BEFF_POLL_NS. If @poll
	 * returns an error, ends the step early with this error. Returns 0 or -errno; prints the
	 * error. */
	int (*step)(void *ranks, const struct beff_step *step, int (*poll)(void *), void *arg,
		    struct beff_outcome *out, struct sum *app);
	/* Ends the ranks. Does nothing if @ranks is NULL. */
	void (*end)(void *ranks);
};

extern const struct beff_engine beff_uring, beff_mpiio;
extern const struct beff_io beff_uring_io;

struct beff_node beff_this_node(void);
/* In this and the next two functions, of[i] is the node of rank i. Returns true if no rank with a
 * lower number runs on the node of @rank. */
bool beff_node_is_first(const struct beff_node *of, unsigned rank);
/* Returns how many of the ranks 0 to @ranks - 1 run on the node of @rank. */
unsigned beff_node_ranks(const struct beff_node *of, unsigned ranks, unsigned rank);
/* Returns the bytes of file data that the page caches of all nodes can hold together. */
u64 beff_nodes_cache(const struct beff_node *of, unsigned ranks);

/* Combines the results @parts of all ranks. Stores the outcome of the step in @out, and the numbers
 * of the app layer in @app. @span has the time in which at least one rank was in an I/O call. If
 * @span is NULL, the ranks have no common clock, so the times of rank 0 are used. Returns 0 or the
 * -errno of the first rank that failed; prints the error. */
int beff_gather(const struct beff_setup *s, const struct beff_part *parts, unsigned ranks,
		const struct span *span, struct beff_outcome *out, struct sum *app);

/* Returns the size in bytes of the buffer in which a rank keeps the data of one call. */
u64 beff_buffer_bytes(const struct beff_setup *s);
/* Runs the step r->step on this rank. Stores results and errors in r->out. */
void beff_rank_step(struct beff_rank *r);

/* Implement .barrier and .agree of struct beff_io for ranks that are processes of this machine. */
void beff_barrier(struct beff_rank *r);
u64 beff_agree(struct beff_rank *r, u64 n);
/* Advances the shared file pointer by @bytes and returns its old value. Ranks advance the pointer
 * in the order of their numbers: a rank waits until all ranks with lower numbers have advanced it.
 * The step BEFF_OPEN sets the pointer to 0. */
u64 beff_take_pointer(struct beff_rank *r, u64 bytes);
u64 beff_agents_bytes(const struct beff_setup *s);

/* Implement .begin, .step and .end of struct beff_engine for ranks that are processes of this
 * machine. */
void *beff_crew_begin(struct beff_setup *setup, const struct session *session);
int beff_crew_step(void *crew, const struct beff_step *step, int (*poll)(void *), void *arg,
		   struct beff_outcome *out, struct sum *app);
void beff_crew_end(void *crew);

/* Runs b_eff_io on the processes (ranks) that mpirun started. Rank 0 calls @lead with @arg and the
 * number of ranks. @lead may use the engine beff_mpiio. */
int beff_mpi_run(int (*lead)(void *arg, unsigned ranks), void *arg);

#endif
