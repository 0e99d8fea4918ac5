// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads samples of counters from the output of `iospan stat --json`, and from Prometheus. */
#include <math.h>
#include <string.h>

#include "user/base/err.h"
#include "user/base/out-read.h"
#include "tools/characterize/log-samples.h"
#include "tools/input/stat-lines.h"

#define TRANSFERS \
	(1U << COUNTER_READ_BYTES | 1U << COUNTER_READS | 1U << COUNTER_WRITE_BYTES | \
	 1U << COUNTER_WRITES)

struct stat_samples {
	struct log_samples *to;
	const char *path;
	u64 time_ns;
	int ret;
};

static void add_disk(void *arg, const char *key, const struct out *disk)
{
	struct stat_samples *s = arg;
	struct stat_disk d;
	u64 of[COUNTERS] = {};

	if (s->ret || !stat_disk_of(&d, disk) || !d.name)
		return;
	of[COUNTER_READ_BYTES] = d.bytes[0];
	of[COUNTER_WRITE_BYTES] = d.bytes[1];
	of[COUNTER_READS] = d.ops[0];
	of[COUNTER_WRITES] = d.ops[1];
	s->ret = log_samples_add(s->to, d.name, s->time_ns, of);
}

static int add_line(void *arg, const struct stat_line *line)
{
	struct stat_samples *s = arg;

	s->time_ns = line->start_ns;
	out_each(out_get(line->doc, "devices"), add_disk, s);
	return log_samples_full(s->path, s->ret);
}

int log_samples_read_stat(struct log_samples *s, const char *path)
{
	struct stat_samples all = { .to = s, .path = path };

	s->has = TRANSFERS;
	return stat_lines_each(path, add_line, &all);
}

/* ---- Prometheus ---- */

/* Returns the counter with the name @column of Prometheus's data; -1: it is none. */
static int counter_of(const char *column)
{
	for (int k = 0; k < COUNTERS; k++)
		if (!strcmp(column, counter_names[k]))
			return k;
	return !strcmp(column, "read_ops")   ? COUNTER_READS :
		!strcmp(column, "write_ops") ? COUNTER_WRITES :
					       -1;
}

/* Adds the samples *@i and later ones of the same server and time, as one sample. Moves *@i past
 * them. */
static int add_moment(struct log_samples *to, const struct prometheus *p, size_t *i)
{
	const struct prometheus_sample *first = &p->samples[*i], *s;
	double start_s = fmax(first->end_s - p->step_s, 0);
	u64 of[COUNTERS] = {};
	bool known = true;

	for (; *i < p->n; (*i)++) {
		int k;

		s = &p->samples[*i];
		if (s->server != first->server || s->end_s != first->end_s)
			break;
		k = counter_of(p->columns[s->column]);
		if (k < 0)
			continue;
		known &= !isnan(s->amount);
		of[k] += fmin(fmax(s->amount, 0), 0x1p63);
	}
	return known ? log_samples_add(to, p->servers[first->server], llround(start_s * 1e9), of) :
		       0;
}

int log_samples_read_prometheus(struct log_samples *s, const char *path,
				const struct prometheus_range *range)
{
	struct prometheus p;
	int ret = prometheus_read(&p, path, range);

	for (u32 c = 0; !ret && c < p.columns_n; c++)
		if (counter_of(p.columns[c]) >= 0)
			s->has |= 1U << counter_of(p.columns[c]);
	if (!ret && (s->has & TRANSFERS) != TRANSFERS)
		ret = error(-EINVAL,
			    "'%s' lacks one of read_bytes, read_ops, write_bytes, write_ops; see "
			    "COUNTERS in iospan-characterize(1)",
			    path);
	for (size_t i = 0; !ret && i < p.n;)
		ret = log_samples_full(path, add_moment(s, &p, &i));
	prometheus_release(&p);
	return ret;
}
