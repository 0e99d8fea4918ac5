/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the I/O of servers from Prometheus: the answer to a range query, from a file or from a
 * URL. A server is an instance, in Prometheus's words: the value of the label "instance". The
 * samples become amounts per step of the query. */
#ifndef IOSPAN_INPUT_PROMETHEUS_H
#define IOSPAN_INPUT_PROMETHEUS_H

#include <stdbool.h>
#include <stddef.h>

#include "bpf/types.h"

#define PROMETHEUS_URL "prometheus:"   /* precedes a URL, in place of a file name */
#define PROMETHEUS_FILE "{\"status\":" /* first bytes of a saved answer */

struct prometheus_sample {
	u32 server, column;	 /* indexes of the names in struct prometheus */
	u32 series;		 /* number of Prometheus's series, in the order of the answer */
	bool is_total, is_first; /* of a counter; first sample of its series */
	double end_s;		 /* end of the step, in seconds since 1970 */
	double amount;		 /* NaN: unknown, because samples are missing before this one */
};

struct prometheus {
	char **servers, **columns;
	u32 servers_n, columns_n;
	/* sorted by server, end and column; one for each column with data at that time */
	struct prometheus_sample *samples;
	size_t n;
	double step_s; /* time between two samples; 0: no series has two samples */
};

/* The time to ask a URL for, if the URL has no such parameters. NaN: unknown. */
struct prometheus_range {
	double start_s, end_s, step_s;
};

bool prometheus_is_url(const char *from);
/* Returns true if the disk is stacked on other disks, so that its I/O is also that of those. */
bool prometheus_stacked(const char *disk);

/* Reads @from, a file or PROMETHEUS_URL with a URL, into @p. A URL is fetched by curl(1).
 * Returns 0 or -errno; prints the error. The caller calls prometheus_release() even after an
 * error. */
int prometheus_read(struct prometheus *p, const char *from, const struct prometheus_range *range);
void prometheus_release(struct prometheus *p);

#endif
