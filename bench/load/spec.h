/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes the specification of a load from the options of bench load. */
#ifndef IOSPAN_LOAD_SPEC_H
#define IOSPAN_LOAD_SPEC_H

#include "bench/load/engines.h"
#include "bench/load/load.h"

#define LAYERS_BELOW (1U << LAYER_VFS | 1U << LAYER_DEVICE) /* the load counts the app layer */

struct load_opts {
	uint64_t unique_bytes, size, align, procs, depth, batch, requests, seed;
	uint64_t time, warm_up, round, think;
	double read, seq, zipf, rate, until_ci;
	const char *sizes, *engine, *live, *signature, *class;
	bool buffered, processes, poisson, steady, destroy, verify, json;
	unsigned layers;
	bool iopoll, sqpoll, passthrough;
};

/* Checks the options that do not depend on the engine. -EUSAGE, printed. */
int spec_check(const struct load_opts *o);

/* Checks the options with the engine, and makes @spec. @names: the targets. @sizes must outlive
 * @spec. -EUSAGE, printed. */
int spec_make(struct load_spec *spec, const struct load_opts *o, char *const *names,
	      struct size_table *sizes);

/* -ENOMEM, printed, if the memory for the buffers is not available. */
int spec_check_memory(const struct load_spec *spec);

/* Whether @sizes, of --size-dist, is a list of weights. */
bool spec_lists_sizes(const char *sizes);

#endif
