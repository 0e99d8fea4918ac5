// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads the measurements of an earlier run of b_eff_io from its JSON result. In this document, a
 * run has partitions (groups of processes). A partition has access methods (write, rewrite, read).
 * An access method has pattern types, such as "scatter". A type has patterns: series of calls with
 * one chunk size. */
#include "bench/beff/beff-read.h"

#include <string.h>

#include "user/base/err.h"
#include "user/base/out-read.h"
#include "user/base/out.h"
#include "bench/beff/compute.h"

struct reader {
	struct beff *b;
	struct beff_partition *partition;
	enum beff_access access;
	/* Position in the document. .types: number of pattern types that have been read for
	 * .access. .patterns: number of patterns that have been read in the current type. */
	unsigned types, patterns;
	bool good;
};

static void read_u64(struct reader *r, const struct out *from, const char *key, u64 *to)
{
	r->good &= out_get_u64(from, key, to);
}

static void read_pattern(void *arg, const char *key, const struct out *from)
{
	struct reader *r = arg;
	unsigned pattern = beff_find(r->types, BEFF_FIRST) + r->patterns++;
	struct beff_cell *c;

	if (pattern >= BEFF_PATTERNS || beff_patterns[pattern].type != r->types) {
		r->good = false;
		return;
	}
	c = &r->partition->cells[r->access][pattern];
	read_u64(r, from, "bytes", &c->bytes);
	read_u64(r, from, "elapsed_ns", &c->of.ns);
	read_u64(r, from, "io_ns", &c->of.io_ns);
	read_u64(r, from, "barrier_ns", &c->of.barrier_ns);
	read_u64(r, from, "sync_ns", &c->of.sync_ns);
	read_u64(r, from, "errors", &c->of.errors);
	read_u64(r, from, "repetitions", &c->of.repetitions);
	r->partition->shape.repetitions[pattern] = c->of.repetitions;
	beff_set_layers(c, out_keep(out_get(from, "layers")));
}

static void read_type(void *arg, const char *key, const struct out *from)
{
	struct reader *r = arg;
	struct beff_total *t;

	if (r->types == BEFF_TYPES) {
		r->good = false;
		return;
	}
	t = &r->partition->totals[r->access][r->types];
	read_u64(r, from, "open_ns", &t->open_ns);
	read_u64(r, from, "close_ns", &t->close_ns);
	t->done = out_is_true(from, "complete");
	r->patterns = 0;
	out_each(out_get(from, "patterns"), read_pattern, r);
	r->types++;
}

static void read_partition(void *arg, const char *key, const struct out *from)
{
	struct reader *r = arg;
	const struct out *accesses = out_get(from, "access_methods");
	struct beff_partition *p = &r->b->partitions[r->b->partitions_n];
	u64 ranks = 0;

	read_u64(r, from, "process_count", &ranks);
	r->good &= ranks > 0 && ranks <= BEFF_RANKS && r->b->partitions_n < BEFF_PARTITIONS;
	if (!r->good)
		return;
	r->b->partitions_n++;
	r->partition = p;
	p->shape.ranks = ranks;
	p->shape.mpart = r->b->setup.mpart;
	read_u64(r, from, "node_count", &p->nodes);
	read_u64(r, from, "node_process_count", &p->node_ranks);
	read_u64(r, from, "segment_bytes", &p->shape.segment);
	read_u64(r, from, "filler_bytes", &p->shape.filler);
	read_u64(r, from, "checked_bytes", &p->checked_bytes);
	read_u64(r, from, "wrong_chunks", &p->wrong);
	for (r->access = 0; r->access < BEFF_ACCESSES; r->access++) {
		const struct out *access = out_get(accesses, beff_access_names[r->access]);

		r->types = 0;
		out_each(out_get(access, "types"), read_type, r);
	}
}

int beff_read(struct beff *b, const char *path, const struct out *doc)
{
	const char *command = out_get_str(doc, "command"), *averages = out_get_str(doc, "averages");
	const char *engine = out_get_str(doc, "engine");
	u64 scheduled_ns = 0, partition_ns = 0;
	struct reader r = { .b = b, .good = command && !strcmp(command, "bench beff") };

	read_u64(&r, doc, "scheduled_ns", &scheduled_ns);
	read_u64(&r, doc, "partition_ns", &partition_ns);
	b->seconds = scheduled_ns / SECOND;
	b->partition_seconds = partition_ns / SECOND;
	read_u64(&r, doc, "memory_bytes", &b->memory);
	read_u64(&r, doc, "mpart_bytes", &b->setup.mpart);
	read_u64(&r, doc, "cache_bytes", &b->cache_bytes);
	b->engine = engine && !strcmp(engine, beff_mpiio.name) ? &beff_mpiio : &beff_uring;
	b->version_1 = averages && !strcmp(averages, "1.x");
	b->rewrite_all = out_is_true(doc, "rewrite_all");
	b->repeated = out_is_true(doc, "repeated");
	b->setup.shared_pointer = out_is_true(doc, "shared_pointer");
	b->end = out_is_true(doc, "complete") ? BEFF_DONE : BEFF_SIGNAL;
	out_each(out_get(doc, "partitions"), read_partition, &r);
	if (!r.good || !b->partitions_n)
		return error(-EINVAL, "'%s' is no result of bench beff", path);
	beff_compute(b);
	return 0;
}
