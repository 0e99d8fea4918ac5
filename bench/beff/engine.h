/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The processes of b_eff_io ("ranks"). They run one step after the other.
 *
 *   beff.c       chooses the steps and collects their results
 *   crew.c       ranks that are processes of this machine
 *   rank.c       a rank's part in a step: repetitions, stamps, times
 *   beff_io      a rank's access to the file and to the other ranks
 *   beff_engine  a beff_io, and the leader of its ranks
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
	enum beff_access written; /* the access method that last wrote the file, or does now */
	enum beff_type type;
	unsigned pattern;	       /* only for BEFF_RUN */
	enum beff_extension extension; /* only for BEFF_RUN with BEFF_READ */
	unsigned partition;	       /* number in the file's name */
	struct beff_shape shape;
	u64 time_ns;		     /* time limit; 0: repeat as the shape specifies */
	struct beff_hints_now hints; /* only for BEFF_OPEN and BEFF_RUN */
};

/* Calls that may fail. */
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
	u64 start_ns, end_ns; /* times of this rank; after beff_gather() the least of all ranks */
	u64 ns;		      /* end_ns - start_ns; ranks start and end at barriers */
	u64 io_ns, barrier_ns, sync_ns; /* rank 0's; barrier_ns includes agree() */
	u64 errors;			/* chunks that were not read as written */
	u64 checked_bytes;
	int error; /* -errno of call */
	enum beff_call call;
};

/* A rank's result of a step. */
struct beff_part {
	struct beff_outcome out;
	struct row row; /* app layer: a call is an access */
};

/* A rank's chunks of a pattern: bytes of a chunk (l) and of a call (L), offset of the first chunk,
 * distance between chunks. */
struct beff_extent {
	u64 l, call, at, stride;
};

/* Constant over all steps. */
struct beff_setup {
	char *dir;	/* directory of the files, only for messages: it may be renamed */
	int fd;		/* the directory, open in the first process */
	char *path;	/* path of the directory that no rename changes */
	unsigned ranks; /* ranks of the largest partition */
	u64 mpart;
	bool geometric;	      /* agree after 1, 2, 4, ... repetitions (paper, section 5) */
	bool shared_pointer;  /* false: type 1 is like type 0 */
	bool collective;      /* scattered chunks are moved in two phases */
	unsigned agents;      /* number of ranks that then access the file; 0: all */
	u64 collective_bytes; /* buffer size of each agent */
};

struct beff_rank {
	const struct beff_io *io;
	const struct beff_setup *setup;
	const struct beff_step *step;
	struct beff_outcome *out; /* result of this rank */
	struct row *row;
	struct span *span;	    /* span over all ranks */
	struct beff_shared *shared; /* NULL: the ranks share no memory */
	const int
		*stop; /* not 0: end a step with a time limit. Only rank 0 reads it; may be NULL */
	unsigned number;
	struct beff_extent extent;
	char *buffer; /* size: the largest L */
	char *agents; /* shared by all ranks, collective_bytes for each agent */
	void *engine; /* private to the engine */
};

struct beff_io {
	/* Prepares the ranks of the step to open a file together; not timed. May be NULL. */
	void (*join)(struct beff_rank *r);
	/* These functions return 0 or -errno. After an error, a rank only takes part in the calls
	 * that other ranks wait for. */
	int (*open)(struct beff_rank *r, const char *path);
	int (*close)(struct beff_rank *r);
	/* Called at the start of a pattern. May be NULL. */
	int (*view)(struct beff_rank *r);
	/* Transfers one call (L bytes), from the rank's chunk @k on. */
	int (*move)(struct beff_rank *r, bool write, u64 k);
	int (*sync)(struct beff_rank *r);
	void (*barrier)(struct beff_rank *r);
	/* Returns rank 0's @n on all ranks. Called between two barriers. */
	u64 (*agree)(struct beff_rank *r, u64 n);
};

/* The leader of the ranks. */
#define BEFF_POLL_NS 20000000 /* interval of poll() while the ranks work */
struct session;
struct beff_engine {
	const char *name;
	bool extends; /* supports the extensions */
	/* Returns a reason if the ranks cannot be in the session's cgroups, else NULL. May be
	 * NULL. */
	const char *(*untraced)(void);
	/* Can the engine be used in @dir with these hints? Returns 0 or -errno; prints the error. */
	int (*check)(const char *dir, const struct beff_hints *hints);
	/* Is the hint valid? Returns 0 or -errno; prints the error. NULL: all hints are. */
	int (*knows)(const struct beff_hint *hint);
	const char *(*version)(void); /* returns the version of the library; may be NULL */
	/* Starts the ranks, in the cgroups of @session (may be NULL). @setup must stay valid until
	 * end(). Returns NULL on error, and prints it. */
	void *(*begin)(struct beff_setup *setup, const struct session *session);
	/* Runs @step. Calls @poll(@arg) regularly, possibly from another thread; if it returns an
	 * error, the step is abandoned with it. Returns 0 or -errno; prints the error. */
	int (*step)(void *ranks, const struct beff_step *step, int (*poll)(void *), void *arg,
		    struct beff_outcome *out, struct sum *app);
	void (*end)(void *ranks); /* accepts NULL */
};

extern const struct beff_engine beff_uring, beff_mpiio;

#endif
