/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The processes of b_eff_io ("ranks") and what they are told to do, one step after the other.
 *
 *   beff        which steps, and what came of them
 *   beff-crew   ranks that are processes of this machine
 *   beff-rank   one rank's part in a step: repetitions, stamps, times
 *   beff_io     how it reaches the file, and the others
 *   beff_engine one of these, and who leads the ranks
 */
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
	enum beff_access written; /* by whom the file was written last, or is now */
	enum beff_type type;
	unsigned pattern;	       /* of BEFF_RUN */
	enum beff_extension extension; /* of BEFF_RUN by BEFF_READ */
	unsigned partition;	       /* its number: a part of the file's name */
	struct beff_shape shape;
	u64 time_ns;		     /* repeat for so long; 0: as often as the shape says */
	struct beff_hints_now hints; /* of BEFF_OPEN and BEFF_RUN */
};

/* The names of what may fail. */
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
	u64 start_ns, end_ns;		/* of the rank; and of all: */
	u64 ns;				/* from the first that starts to the first that ends, as
					 * they start and end at barriers */
	u64 io_ns, barrier_ns, sync_ns; /* rank 0's; barriers: and agreements */
	u64 errors;			/* chunks that were not what was written */
	u64 checked_bytes;
	int error; /* negative errno of call: */
	enum beff_call call;
};

/* What a rank did in a step. */
struct beff_part {
	struct beff_outcome out;
	struct row row; /* app layer: a call is an access */
};

/* What a rank has of a pattern: bytes of a chunk (l) and of a call (L), where its first chunk
 * lies, and the distance of the others. */
struct beff_extent {
	u64 l, call, at, stride;
};

/* What stays the same over all steps. */
struct beff_setup {
	char *dir;	/* of the files; for errors, as another may have its name */
	int fd;		/* the same, open in the first process */
	char *way;	/* a path to it that no rename changes */
	unsigned ranks; /* of the largest partition */
	u64 mpart;
	bool geometric;	      /* agree after 1, 2, 4, ... repetitions */
	bool shared_pointer;  /* type 1 has one; else it is like type 0 */
	bool collective;      /* two phases for scattered chunks */
	unsigned agents;      /* ranks that then write and read; 0: all */
	u64 collective_bytes; /* of each agent's buffer */
};

struct beff_rank {
	const struct beff_io *io;
	const struct beff_setup *setup;
	const struct beff_step *step;
	struct beff_outcome *out; /* its part */
	struct row *row;
	struct span *span;	    /* over all ranks */
	struct beff_shared *shared; /* NULL: ranks share no memory */
	const int *asked;	    /* not 0: to give up what time would end; rank 0's, or NULL */
	unsigned number;
	struct beff_extent extent;
	char *buffer; /* the largest L */
	char *agents; /* of all ranks, collective_bytes for each agent */
	void *engine; /* the engine's own */
};

struct beff_io {
	/* The ranks of the step will open a file together; not timed. NULL: nothing to do. */
	void (*join)(struct beff_rank *r);
	/* All return -errno; a rank that has failed does what others wait for, and no more. */
	int (*open)(struct beff_rank *r, const char *path);
	int (*close)(struct beff_rank *r);
	/* A pattern begins. NULL: nothing to do. */
	int (*view)(struct beff_rank *r);
	/* The rank's call that begins with its chunk @k, from or to its buffer. */
	int (*move)(struct beff_rank *r, bool write, u64 k);
	int (*sync)(struct beff_rank *r);
	void (*barrier)(struct beff_rank *r);
	/* What rank 0 says: @n. Between two barriers. */
	u64 (*agree)(struct beff_rank *r, u64 n);
};

/* Whoever leads the ranks. */
#define BEFF_LOOK_NS 20000000 /* at all else, while they work */
struct session;
struct beff_engine {
	const char *name;
	bool extends;		       /* does extensions */
	const char *(*untraced)(void); /* why its ranks cannot be in a session's groups;
					 * NULL, itself or what it says: they can */
	/* Can it be used in that directory, with these hints? -errno, printed. */
	int (*check)(const char *dir, const struct beff_hints *hints);
	int (*knows)(const struct beff_hint *hint); /* else -errno, printed; NULL: any */
	const char *(*version)(void); /* of what it is made with; NULL: it says nothing */
	/* Ranks that are ready, in the groups of @session, unless that is NULL, until end().
	 * NULL after an error was printed. */
	void *(*begin)(struct beff_setup *setup, const struct session *session);
	/* Does @step. Calls @poll(@arg) now and then, maybe from another thread; with what that
	 * returns, unless it is 0, the step is given up. 0 or -errno, printed. */
	int (*step)(void *ranks, const struct beff_step *step, int (*poll)(void *), void *arg,
		    struct beff_outcome *out, struct sum *app);
	void (*end)(void *ranks); /* NULL is fine */
};

extern const struct beff_engine beff_uring, beff_mpiio;

/* ---- ranks that are processes of this machine ---- */

#endif
