// SPDX-License-Identifier: GPL-2.0-or-later
/* The result of b_eff_io as JSON, and the log of finished patterns. A pattern repeats I/O calls
 * with one chunk size. Its type is the arrangement of the chunks in the files. */
#include "bench/beff/beff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/out-print.h"
#include "user/base/out-read.h"
#include "user/base/need.h"
#include "user/host/environment.h"
#include "user/base/num.h"
#include "user/base/out.h"
#include "user/show/show.h"
#include "user/show/show-json.h"

static const char *const deviations[] = {
	"each stamp also contains the rank and the access method",
	"the data between two stamps are random; iospan makes them before the timing starts",
	"the timing starts with the first process and ends when one process knows that all have "
	"finished; in 2.1, process 0 takes both times",
	"iospan creates the files in a directory of its own and removes them at the end of the "
	"run, "
	"not after the read",
	"iospan checks all bytes again after the last read; this time does not count",
	"iospan does not set MPI_MODE_UNIQUE_OPEN (paper, section 5)",
	NULL
};

static struct out *pattern_json(const struct beff *b, const struct beff_partition *p,
				enum beff_access access, unsigned pattern)
{
	const struct beff_cell *c = &p->cells[access][pattern];
	const struct beff_pattern *of = &beff_patterns[pattern];
	struct out *o = out_object();

	out_str(o, "chunk", beff_chunk_names[of->chunk]);
	out_u64(o, "chunk_bytes", beff_l(&p->shape, pattern));
	out_u64(o, "call_bytes", beff_call(&p->shape, pattern));
	out_u64(o, "units", of->units);
	out_u64(o, "scheduled_ns", beff_scheduled_ns(b, of->units));
	out_u64(o, "repetitions", c->of.repetitions);
	out_u64(o, "bytes", c->bytes);
	out_u64(o, "elapsed_ns", c->of.ns);
	out_u64(o, "io_ns", c->of.io_ns);
	out_u64(o, "barrier_ns", c->of.barrier_ns);
	out_u64(o, "sync_ns", c->of.sync_ns);
	out_f64(o, KEY_BANDWIDTH, beff_bandwidth(c->bytes, c->of.ns));
	out_u64(o, "errors", c->of.errors);
	out_share(o, "layers", c->layers);
	return o;
}

void beff_log(FILE *f, const struct beff *b, const struct beff_partition *p,
	      enum beff_access access, unsigned pattern)
{
	struct out *line = out_object();

	out_u64(line, "process_count", p->shape.ranks);
	out_str(line, "access_method", beff_access_names[access]);
	out_str(line, "type", beff_type_names[beff_patterns[pattern].type]);
	out_put(line, "pattern", pattern_json(b, p, access, pattern));
	out_json_line(f, line);
	out_free(line);
	fflush(f);
}

static struct out *type_json(const struct beff *b, const struct beff_partition *p,
			     enum beff_access access, enum beff_type type)
{
	const struct beff_total *t = &p->totals[access][type];
	struct out *o = out_object(), *patterns = out_array();

	out_str(o, "type", beff_type_names[type]);
	out_bool(o, "complete", t->done);
	out_u64(o, "open_ns", t->open_ns);
	out_u64(o, "close_ns", t->close_ns);
	out_u64(o, "bytes", t->bytes);
	out_u64(o, "elapsed_ns", t->ns);
	out_f64(o, KEY_BANDWIDTH, t->bandwidth);
	out_f64(o, "by_units_bytes_per_second", t->by_units);
	for (unsigned i = 0; i < BEFF_PATTERNS; i++)
		if (beff_patterns[i].type == type && p->cells[access][i].of.repetitions)
			out_append(patterns, pattern_json(b, p, access, i));
	out_put(o, "patterns", patterns);
	return o;
}

static struct out *access_json(const struct beff *b, const struct beff_partition *p,
			       enum beff_access access)
{
	struct out *o = out_object(), *types = out_array();

	out_str(o, "access_method", beff_access_names[access]);
	out_u64(o, "bytes", p->bytes[access]);
	out_f64(o, "memory_fraction", (double)p->bytes[access] / (b->memory * p->shape.ranks));
	out_u64(o, "scheduled_ns", beff_access_scheduled_ns(b, access));
	out_u64(o, "elapsed_ns", p->ns[access]);
	out_u64(o, "sync_ns", p->sync_ns[access]);
	out_f64(o, KEY_BANDWIDTH, beff_bandwidth(p->bytes[access], p->ns[access]));
	out_f64(o, "weighted_bytes_per_second", p->weighted[access]);
	for (enum beff_type type = 0; type < BEFF_TYPES; type++)
		if (p->totals[access][type].ns)
			out_append(types, type_json(b, p, access, type));
	out_put(o, "types", types);
	return o;
}

static struct out *extension_json(const struct beff_partition *p, enum beff_extension e, unsigned i)
{
	unsigned pattern = beff_find(beff_extension_type(e), beff_extended[i]);
	const struct beff_cell *c = &p->extended[e][i];
	struct out *o = out_object();

	out_u64(o, "process_count", p->shape.ranks);
	out_str(o, "extension", beff_extension_names[e]);
	out_str(o, "chunk", beff_chunk_names[beff_extended[i]]);
	out_u64(o, "chunk_bytes", beff_l(&p->shape, pattern));
	out_u64(o, "repetitions", c->of.repetitions);
	out_u64(o, "bytes", c->bytes);
	out_u64(o, "elapsed_ns", c->of.ns);
	out_f64(o, KEY_BANDWIDTH, beff_bandwidth(c->bytes, c->of.ns));
	out_u64(o, "errors", c->of.errors);
	out_share(o, "layers", c->layers);
	return o;
}

static struct out *extensions_json(const struct beff *b)
{
	struct out *list = out_array();

	for (unsigned i = 0; i < b->partitions_n; i++)
		for (enum beff_extension e = BEFF_RANDOM; e < BEFF_EXTENSIONS; e++)
			for (unsigned k = 0; k < BEFF_EXTENDED; k++)
				if (b->partitions[i].extended[e][k].of.repetitions)
					out_append(list, extension_json(&b->partitions[i], e, k));
	return list;
}

/* Makes JSON of the average bandwidth of each pattern type: (write + rewrite + 2 * read) / 4. Adds
 * the weighted mean of these averages over the types (b_eff_io paper, table 2). */
static struct out *average_json(const struct beff_partition *p)
{
	struct out *o = out_object(), *types = out_array();
	double of[BEFF_TYPES];

	for (enum beff_type i = 0; i < BEFF_TYPES; i++) {
		struct out *type = out_object();

		of[i] = (p->totals[BEFF_WRITE][i].bandwidth + p->totals[BEFF_REWRITE][i].bandwidth +
			 2 * p->totals[BEFF_READ][i].bandwidth) /
			4;
		out_str(type, "type", beff_type_names[i]);
		out_f64(type, KEY_BANDWIDTH, of[i]);
		out_append(types, type);
	}
	out_f64(o, "weighted_bytes_per_second", beff_weighted(of));
	out_put(o, "types", types);
	return o;
}

static struct out *partition_json(const struct beff *b, const struct beff_partition *p)
{
	struct out *o = out_object(), *accesses = out_object();

	out_u64(o, "process_count", p->shape.ranks);
	out_u64(o, "node_count", p->nodes);
	out_u64(o, "node_process_count", p->node_ranks);
	out_u64(o, "segment_bytes", p->shape.segment);
	out_u64(o, "filler_bytes", p->shape.filler);
	for (enum beff_access a = 0; a < BEFF_ACCESSES; a++)
		out_put(accesses, beff_access_names[a], access_json(b, p, a));
	out_put(o, "access_methods", accesses);
	out_put(o, "average", average_json(p));
	out_f64(o, "write_average_bytes_per_second", p->write_average);
	out_f64(o, "b_eff_io_2_bytes_per_second", p->value);
	out_f64(o, "b_eff_io_1_bytes_per_second", p->value_1);
	out_u64(o, "checked_bytes", p->checked_bytes);
	out_u64(o, "wrong_chunks", p->wrong);
	return o;
}

static struct out *criteria_json(const struct beff *b)
{
	struct out *list = out_array();

	for (unsigned i = 0; i < b->criteria_n; i++) {
		const struct beff_criterion *c = &b->criteria[i];
		struct out *o = out_object();

		out_str(o, "name", c->name);
		out_str(o, "description", c->text);
		out_f64(o, "value", c->value);
		out_f64(o, "at_least", c->at_most ? NAN : c->limit);
		out_f64(o, "at_most", c->at_most ? c->limit : NAN);
		out_bool(o, "met", beff_meets(c));
		out_bool(o, "decides", c->decides);
		out_append(list, o);
	}
	return list;
}

static struct out *hints_json(const struct beff_hints *h)
{
	struct out *list = out_array();

	for (unsigned i = 0; i < h->n; i++) {
		const struct beff_hint_line *l = &h->lines[i];
		struct out *o = out_object();

		out_u64_or_null(o, "process_count", l->ranks, l->ranks);
		out_str(o, "access_method", l->access < 0 ? NULL : beff_access_names[l->access]);
		out_str(o, "type", l->type < 0 ? NULL : beff_type_names[l->type]);
		out_str(o, "chunk", l->chunk < 0 ? NULL : beff_hint_chunks[l->chunk]);
		out_str(o, "hint_key", l->hint.key);
		out_str(o, "hint_value", l->hint.value);
		out_append(list, o);
	}
	return list;
}

static struct out *nodes_json(const struct beff_setup *s)
{
	struct out *list = out_array();

	for (unsigned i = 0; i < s->ranks; i++) {
		struct out *o;

		if (!beff_node_is_first(s->nodes, i))
			continue;
		o = out_object();
		out_str(o, "host", s->nodes[i].host);
		out_u64(o, "process_count", beff_node_ranks(s->nodes, s->ranks, i));
		out_u64(o, "cache_bytes", s->nodes[i].cache_bytes);
		out_append(list, o);
	}
	return list;
}

const char *beff_averages(const struct beff *b)
{
	return b->version_1 ? "1.x" : "2.x";
}

static void setup_json(struct out *doc, const struct beff *b)
{
	struct out *targets = out_array();

	out_str(doc, "definition", "2.1");
	out_str(doc, "averages", beff_averages(b));
	out_str(doc, "engine", b->engine->name);
	out_str(doc, "engine_version", b->engine->version ? b->engine->version() : NULL);
	out_append_str(targets, b->target);
	out_put(doc, "targets", targets);
	out_str(doc, "kept_directory", b->keep ? b->setup.dir : NULL);
	out_u64(doc, "scheduled_ns", b->seconds * SECOND);
	out_u64(doc, "partition_ns", b->partition_seconds * SECOND);
	out_u64(doc, "memory_bytes", b->memory);
	out_u64(doc, "mpart_bytes", b->setup.mpart);
	out_bool(doc, "rewrite_all", b->rewrite_all);
	out_bool(doc, "repeated", b->repeated);
	out_bool(doc, "geometric", b->setup.geometric);
	out_bool(doc, "shared_pointer", b->setup.shared_pointer);
	out_bool(doc, "collective_buffering", b->setup.collective);
	out_u64(doc, "cache_bytes", b->cache_bytes);
	out_put(doc, "nodes", nodes_json(&b->setup));
	out_str(doc, "hints_file", b->hints.path);
	out_put(doc, "hints", hints_json(&b->hints));
	out_words(doc, "deviations", (char *const *)deviations);
}

void beff_results_json(struct out *doc, const struct beff *b)
{
	struct out *partitions = out_array();

	for (unsigned i = 0; i < b->partitions_n; i++)
		out_append(partitions, partition_json(b, &b->partitions[i]));
	out_put(doc, "partitions", partitions);
	out_f64(doc, "b_eff_io_bytes_per_second", b->value);
	out_u64(doc, "process_count", b->partitions[b->best].shape.ranks);
	out_put(doc, "criteria", criteria_json(b));
	out_str(doc, "verdict", beff_verdict_names[b->verdict]);
	out_bool(doc, "valid", b->verdict == BEFF_VALID);
}

static const char *const end_words[] = {
	[BEFF_RUNS] = NULL,
	[BEFF_DONE] = "time",
	[BEFF_SIGNAL] = "interrupted",
	[BEFF_ERROR] = "error",
};

const char *beff_result_name(const struct beff *b)
{
	return b->engine->mpi_io ? "b_eff_io" : "b_eff_io_uring";
}

/* Returns the verdict as the end of a sentence, such as "valid for comparison of different
 * systems". The caller frees the text. */
static char *verdict_text(const struct beff *b)
{
	unsigned long long seconds = b->partition_seconds;

	switch (b->verdict) {
	case BEFF_VALID:
		return need_text("valid for comparison of different systems");
	case BEFF_SHORT:
		return need_text("compare it only with runs of %llu s for each partition", seconds);
	case BEFF_URING:
		return need_text("compare it only with runs by io_uring, not with b_eff_io");
	case BEFF_URING_SHORT:
		return need_text("compare it only with runs by io_uring of %llu s for each "
				 "partition, not with b_eff_io",
				 seconds);
	default:
		return need_text("not valid for comparison of different systems");
	}
}

/* Returns true if the page caches may hold a large part of the data of an access method. */
static bool fits_into_caches(const struct beff *b)
{
	for (unsigned i = 0; i < b->criteria_n; i++)
		if (strstr(b->criteria[i].name, "_caches") && !beff_meets(&b->criteria[i]))
			return true;
	return false;
}

static void put_conclusion(struct out *doc, const struct beff *b)
{
	unsigned ranks = b->partitions[b->best].shape.ranks;
	char rate[NUM_TEXT], *verdict = verdict_text(b);

	out_str(doc, "result_name", beff_result_name(b));
	if (isnan(b->value))
		out_strf(doc, "conclusion", "%s is unknown: the result is incomplete",
			 beff_result_name(b));
	else
		out_strf(doc, "conclusion", "%s is %s with %u process%s%s; %s", beff_result_name(b),
			 num_byte_rate_text(rate, b->value), ranks, num_word(ranks, "", "es"),
			 fits_into_caches(b) ? ", perhaps that of the page cache" : "", verdict);
	free(verdict);
}

static void notes_json(struct out *notes, const struct beff *b)
{
	if (b->untraced)
		out_append_strf(notes, "only the app layer is measured: %s", b->untraced);
	if (b->end != BEFF_DONE)
		out_append_strf(notes, "incomplete result: %s",
				b->end == BEFF_SIGNAL ? "interrupted" : "ended by an error");
}

struct out *beff_document(const struct beff *b)
{
	struct out *doc = out_object();

	out_str(doc, "iospan", VERSION);
	out_str(doc, "command", "bench beff");
	out_u64(doc, "elapsed_ns", b->elapsed_ns);
	put_conclusion(doc, b);
	setup_json(doc, b);
	out_bool(doc, "complete", b->end == BEFF_DONE);
	out_str(doc, "ended_by", end_words[b->end]);
	out_u64(doc, "check_ns", b->check_ns);
	beff_results_json(doc, b);
	out_put(doc, "extensions", extensions_json(b));
	out_str(doc, "untraced", b->untraced);
	if (b->traced && b->layers.m) {
		const struct report report = { .m = b->layers.m, .options = &b->layers.options };

		show_evidence_json(doc, &report);
	}
	notes_json(out_list(doc, "notes"), b);
	out_put(doc, "environment", environment(&this_host, b->target));
	return doc;
}
