/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the I/O of servers from Prometheus: the answer to a range query, from a file or from a URL.
 * A server is the value of the label "instance". The samples of a series are converted to amounts
 * of I/O per step of the query. */
#ifndef IOSPAN_INPUT_PROMETHEUS_H
#define IOSPAN_INPUT_PROMETHEUS_H

#include <stdbool.h>
#include <stddef.h>

#include "bpf/types.h"

#define PROMETHEUS_URL "prometheus:"   /* prefix of a URL that is given instead of a file */
#define PROMETHEUS_FILE "{\"status\":" /* first bytes of a saved answer */

struct prometheus_sample {
	u32 server, column; /* indexes of the names in struct prometheus */
	/* number of the series of Prometheus that the sample is from, in the order of the answer */
	u32 series;
	/* .is_total: the series is a counter, not a rate. .is_first: first sample of the series. */
	bool is_total, is_first;
	/* end of the query step that the sample covers, in seconds since 1970 */
	double end_s;
	/* amount of I/O in the step; NaN: unknown, because samples before this one are missing */
	double amount;
};

struct prometheus {
	char **servers, **columns;
	u32 servers_n, columns_n;
	/* Sorted by server, end and column. If a column has no data in a step, it has no sample for
	 * this step. */
	struct prometheus_sample *samples;
	size_t n;
	double step_s; /* time between two samples; 0: no series has two samples */
};

/* Time range of the query, for a URL that does not state it. NaN: unknown. */
struct prometheus_range {
	double start_s, end_s, step_s;
};

bool prometheus_is_url(const char *from);
/* Returns true if the disk is stacked on other disks, so that its I/O is also counted for those
 * disks. */
bool prometheus_stacked(const char *disk);

/* Reads @from, a file or PROMETHEUS_URL with a URL, into @p. A URL is fetched by curl(1).
 * Returns 0 or -errno; prints the error. The caller calls prometheus_release() even after an
 * error. */
int prometheus_read(struct prometheus *p, const char *from, const struct prometheus_range *range);
void prometheus_release(struct prometheus *p);

#endif
