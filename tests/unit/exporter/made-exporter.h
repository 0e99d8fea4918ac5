/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes readings of the counters for tests of the exporter. Reads values in the exporter's
 * document. */
#ifndef IOSPAN_MADE_EXPORTER_H
#define IOSPAN_MADE_EXPORTER_H

#include <stdlib.h>
#include <string.h>

#include "user/exporter/exporter.h"
#include "tests/lib/harness.h"

#define S 1000000000ULL
#define MANY 100

static struct {
	struct measurement m;
	struct group_sum groups[MANY];
	char paths[MANY][40];
} made;

static inline void at(u64 seconds)
{
	made.m = (struct measurement){ .elapsed_ns = seconds * S, .groups = made.groups };
}

static inline struct group_sum *add(u64 id, const char *path, u64 accesses, u64 bytes)
{
	unsigned n = made.m.groups_n++;
	struct group_sum *g = &made.groups[n];

	*g = (struct group_sum){ .id = id, .path = strcpy(made.paths[n], path) };
	g->device.row.accesses = accesses;
	g->device.row.bytes = bytes;
	return g;
}

/* Returns the value of @sample, a counter's name with labels. -1: the document does not have it. */
static inline long long value(struct exporter *e, const char *sample)
{
	size_t size, length = strlen(sample);
	char *text = exporter_text(e, false, &size);
	long long n = -1;

	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
		if (!strncmp(line, sample, length) && line[length] == ' ')
			n = atoll(line + length + 1);
	free(text);
	return n;
}

#define OF(path, id) "{cgroup=\"" path "\",id=\"" id "\",namespace=\"\",pod=\"\",container=\"\""
#define LABELS(path, id) OF(path, id) ",layer=\"device\""
#define GROUP(path, id) "iospan_cgroup_accesses_total" LABELS(path, id) "}"
#define STATE(state) "iospan_cgroups{state=\"" state "\"}"

static inline struct exporter *exporter_with(u64 keep_s, u64 max_series)
{
	const struct exporter_limits limits = { .keep_ns = keep_s * S, .max_series = max_series };

	return exporter_new(1 << LAYER_DEVICE, &limits);
}

#endif
