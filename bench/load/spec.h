/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Converts the options of bench load into the specification of a load. */
#ifndef IOSPAN_LOAD_SPEC_H
#define IOSPAN_LOAD_SPEC_H

#include "bench/load/watch.h"

/* layers that BPF programs measure; the load itself measures the app layer */
#define LAYERS_BELOW (1U << LAYER_VFS | 1U << LAYER_DEVICE)

struct load_opts {
	struct load_spec spec; /* some options set its members; spec_make() sets the others */
	/* Options set only these members: .time_ns, .warm_up_ns, .round_ns, .until_ci and
	 * .steady. */
	struct watch_options how;
	uint64_t unique_bytes;
	double rate;
	const char *engine, *live, *signature, *class, *html;
	bool buffered, destroy, verify, json, csv, passthrough, align_given;
	unsigned layers;
};

/* Checks the options that do not depend on the engine. Returns 0 or -EUSAGE; prints the error. */
int spec_check(const struct load_opts *o);

/* Checks the options that depend on the engine, and completes o->spec. @names: the targets, ending
 * with NULL. @sizes must stay valid, because o->spec refers to it. Returns 0 or -EUSAGE; prints the
 * error. */
int spec_make(struct load_opts *o, char *const *names, struct size_table *sizes);

/* Returns the number of processes that use target @i of @n. */
uint64_t spec_processes_of(const struct load_spec *spec, unsigned i, unsigned n);

/* Reduces the amount of data so that it fits on the @n targets @names. Ignores directories among
 * the targets. If even one request would not fit, changes nothing; opening the target then
 * fails. */
void spec_fit_targets(struct load_spec *spec, char *const *names, unsigned n);

/* Returns true if @sizes is a list of sizes with weights, such as "4k:60,64k:40". */
bool spec_lists_sizes(const char *sizes);

#endif
