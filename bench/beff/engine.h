/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The processes of b_eff_io, which it calls ranks. All ranks run one step after the other.
 *
 *   beff.c       chooses the steps and collects their results
 *   crew.c       ranks that are processes of this machine
 *   rank.c       the part of one rank in a step: repetitions, stamps, times
 *   beff_io      functions with which a rank accesses its file and waits for other ranks
 *   beff_engine  a struct beff_io, and the functions that start and lead its ranks */
#ifndef IOSPAN_BENCH_BEFF_ENGINE_H
#define IOSPAN_BENCH_BEFF_ENGINE_H

#include <sys/types.h>
#include "bench/beff/hints.h"
#include "bench/beff/layout.h"
#include "user/metric/metric.h"
#include "bpf/span-word.h"

enum beff_what { BEFF_OPEN, BEFF_RUN, BEFF_CLOSE, BEFF_CHECK };

struct beff_step {
	enum beff_what what;
	enum beff_access access;
	/* access method that last wrote the file, or writes it in this step */
	enum beff_access written;
	enum beff_type type;
	unsigned pattern;	       /* number of the pattern, for BEFF_RUN */
	enum beff_extension extension; /* extension of a BEFF_RUN with BEFF_READ */
	unsigned partition;	       /* number of the partition in the file's name */
	struct beff_shape shape;
	u64 time_ns;		     /* time limit in ns; 0: repeat as often as .shape specifies */
	struct beff_hints_now hints; /* hints for BEFF_OPEN and BEFF_RUN */
};

/* Calls that may fail, for error messages. */
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
	/* times of this rank; after beff_gather(), the least over all ranks */
	u64 start_ns, end_ns;
	u64 ns; /* end_ns - start_ns; all ranks start and end at barriers */
	/* times that rank 0 measured; barrier_ns includes agree() */
	u64 io_ns, barrier_ns, sync_ns;
	u64 errors; /* number of chunks that were not read as written */
	u64 checked_bytes;
	int error; /* negative errno of the call that failed (.call); 0: none */
	enum beff_call call;
};

/* The result of one rank in a step. */
struct beff_part {
	struct beff_outcome out;
	struct row row; /* counters of the app layer, where each call is an access */
};

/* The chunks of one rank in a pattern: bytes of a chunk (l), bytes of a call (L), offset of the
 * first chunk, distance between chunks. */
struct beff_extent {
	u64 l, call, at, stride;
};

/* Settings that are the same in all steps. */
struct beff_setup {
	char *dir;	/* name of the files' directory, for messages only: it may be renamed */
	int fd;		/* descriptor of the files' directory in the first process */
	char *path;	/* path of the files' directory that a rename does not change */
	unsigned ranks; /* number of ranks of the largest partition */
	u64 mpart;
	bool geometric; /* ranks agree after 1, 2, 4, ... repetitions (b_eff_io paper, section 5) */
	bool shared_pointer; /* type 1 has a shared file pointer; false: it is like type 0 */
	bool collective;     /* ranks exchange scattered chunks and transfer them together */
	/* with .collective: number of ranks that access the file (agents); 0: all */
	unsigned agents;
	u64 collective_bytes; /* with .collective: bytes of the buffer of each agent */
};

struct beff_rank {
	const struct beff_io *io;
	const struct beff_setup *setup;
	const struct beff_step *step;
	struct beff_outcome *out; /* result of this rank in the step */
	struct row *row;
	struct span *span;	    /* span over all ranks */
	struct beff_shared *shared; /* memory that the ranks share; NULL: none */
	/* If it is not 0, a step with a time limit ends. Only rank 0 reads it. May be NULL. */
	const int *stop;
	unsigned number;
	struct beff_extent extent;
	char *buffer; /* buffer for one call: its size is the largest L */
	char *agents; /* collective_bytes for each agent, in memory that all ranks share */
	void *engine; /* private state of the engine */
};

struct beff_io {
	/* Prepares the ranks of the step for opening a file together; not timed. May be NULL. */
	void (*join)(struct beff_rank *r);
	/* All functions with the result int return 0 or -errno. After an error, a rank only takes
	 * part in calls for which other ranks wait. */
	int (*open)(struct beff_rank *r, const char *path);
	int (*close)(struct beff_rank *r);
	/* Prepares the file for a pattern, before its first call. May be NULL. */
	int (*view)(struct beff_rank *r);
	/* Transfers the bytes of one call (L), starting with chunk @k of the rank. */
	int (*move)(struct beff_rank *r, bool write, u64 k);
	int (*sync)(struct beff_rank *r);
	void (*barrier)(struct beff_rank *r);
	/* Returns on all ranks the @n of rank 0. Ranks call it between two barriers. */
	u64 (*agree)(struct beff_rank *r, u64 n);
};

/* The functions that start the ranks and lead them through the steps. */
#define BEFF_POLL_NS 20000000 /* ns between calls of poll() while the ranks work */
struct session;
struct beff_engine {
	const char *name;
	bool extends; /* the engine supports the extensions */
	/* Returns the reason why the ranks cannot enter the session's cgroups; NULL: they can. May
	 * be NULL. */
	const char *(*untraced)(void);
	/* Checks that the engine can be used in @dir with @hints. Returns 0 or -errno; prints the
	 * error. */
	int (*check)(const char *dir, const struct beff_hints *hints);
	/* Checks the key and value of a hint. Returns 0 or -errno; prints the error. If it is NULL,
	 * all hints are valid. */
	int (*knows)(const struct beff_hint *hint);
	/* Returns the version of the MPI library as text. The pointer may be NULL. */
	const char *(*version)(void);
	/* Starts the ranks, in the cgroups of @session unless it is NULL. @setup must stay valid
	 * until end(). Returns the state of the engine, or NULL on error; prints the error. */
	void *(*begin)(struct beff_setup *setup, const struct session *session);
	/* Runs @step on all ranks. Calls @poll(@arg) regularly, possibly from another thread; if
	 * that returns an error, abandons the step and returns the error. Returns 0 or -errno;
	 * prints the error. */
	int (*step)(void *ranks, const struct beff_step *step, int (*poll)(void *), void *arg,
		    struct beff_outcome *out, struct sum *app);
	/* Ends the ranks. Does nothing if @ranks is NULL. */
	void (*end)(void *ranks);
};

extern const struct beff_engine beff_uring, beff_mpiio;

#endif
