// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads system data, the I/O of a system per interval, from the output of sysstat's commands
 * `iostat -t -o JSON` and `sadf -j -- -d -p`, which prints the files of sar. The system data gets a
 * column for each kind of amount, such as bytes read:
 *
 * {"sysstat": {"hosts": [{"nodename": ..., "statistics": [
 *   {"timestamp": "2026-01-31T12:00:00+0000", "disk": [
 *     {"disk_device": "sda", "r/s": 5.00, "w/s": 1.00, "rkB/s": 20.00, ...},
 * or, from sadf,
 *   {"timestamp": {"date": "2026-01-31", "time": "12:00:00", "utc": 1, "interval": 600}, "disk": [
 *     {"disk-device": "sda", "tps": 6.00, "rkB": 20.00, ...}, */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "user/base/err.h"
#include "user/base/out-read.h"
#include "user/base/out.h"
#include "tools/correlate/sources.h"
#include "tools/input/prometheus.h"

/* Rates that iostat (with or without -x) and sadf print. .name: name of the rate. .column: index in
 * columns[]. .unit: factor that converts the rate to bytes or operations per second. */
static const struct {
	const char *name;
	u32 column;
	double unit;
} values[] = {
	{ "rkB/s", 0, 1024 },	 { "kB_read/s", 0, 1024 },
	{ "rMB/s", 0, 1 << 20 }, { "MB_read/s", 0, 1 << 20 },
	{ "wkB/s", 1, 1024 },	 { "kB_wrtn/s", 1, 1024 },
	{ "wMB/s", 1, 1 << 20 }, { "MB_wrtn/s", 1, 1 << 20 },
	{ "r/s", 2, 1 },	 { "w/s", 3, 1 },
	{ "tps", 4, 1 },	 { "rkB", 0, 1024 },
	{ "wkB", 1, 1024 },
};
/* Maximum size of a file in bytes: enough for two days with a report per second on four disks. */
#define SYSSTAT_MAX (512 << 20)

#define VALUES (sizeof(values) / sizeof(*values))

/* Names of the columns of the system data. A column is made only if the first sample of the host
 * has its rate. */
static const char *const columns[] = { "read_bytes", "write_bytes", "read_ops", "write_ops",
				       "ops" };
#define COLUMNS_N 5

struct sysstat_source {
	const char *path;
	struct series_list hosts;
	struct series *to;	 /* the host that is being read; it is the last one in .hosts */
	const struct out *disks; /* disks of the sample that is being read */
	/* .column[i]: index in to->columns of the column with the name columns[i]. ~0: none */
	u32 column[COLUMNS_N];
	u32 samples, row;
	int ret;
};

static void find_columns(void *arg, const char *key, const struct out *disk)
{
	struct sysstat_source *s = arg;
	double v;

	for (size_t i = 0; i < VALUES; i++)
		if (s->column[values[i].column] == ~0U && out_get_f64(disk, values[i].name, &v)) {
			s->column[values[i].column] = s->to->columns_n;
			series_column(s->to, columns[values[i].column], true);
		}
}

static const char *disk_name(const struct out *disk)
{
	return out_get_str(disk, "disk_device") ?: out_get_str(disk, "disk-device");
}

struct whole_disk {
	const char *part;
	bool found;
};

static void find_whole_disk(void *arg, const char *key, const struct out *disk)
{
	const char *name = disk_name(disk);
	struct whole_disk *w = arg;
	size_t n = name ? strlen(name) : 0;
	const char *end = w->part + n;

	if (!n || strncmp(w->part, name, n))
		return;
	if (isdigit(name[n - 1]) && *end++ != 'p')
		return;
	w->found |= *end && !end[strspn(end, "0123456789")];
}

/* Returns true if @name is a partition of another disk in the sample @disks, such as sda1 or
 * nvme0n1p1. sar has partitions if sadc collected them. */
static bool is_partition(const struct out *disks, const char *name)
{
	struct whole_disk w = { .part = name };

	out_each(disks, find_whole_disk, &w);
	return w.found;
}

static void add_disk(void *arg, const char *key, const struct out *disk)
{
	const char *name = disk_name(disk);
	struct sysstat_source *s = arg;
	double v;

	if (name && !strncmp(name, "dev", 3) && isdigit(name[3]) && !s->ret)
		s->ret = error(-EINVAL,
			       "'%s' has numbers of disks, such as %s; use sadf -p for names",
			       s->path, name);
	if (!name || prometheus_stacked(name) || is_partition(s->disks, name))
		return;
	for (size_t i = 0; i < VALUES; i++) {
		u32 column = s->column[values[i].column];

		if (column != ~0U && out_get_f64(disk, values[i].name, &v) && v > 0)
			s->to->columns[column].values[s->row] += v * values[i].unit;
	}
}

/* Returns the end time of @sample, or NaN if the sample has no time in a known form. If sadf has
 * printed the length of the sample, also sets *@start_s to its start time. */
static double sample_times(const struct out *sample, double *start_s)
{
	const struct out *when = out_get(sample, "timestamp");
	const char *date = out_get_str(when, "date"), *time = out_get_str(when, "time");
	double end_s, utc, length_s;
	char text[64];

	if (!date || !time)
		return sources_time(out_get_str(sample, "timestamp"));
	snprintf(text, sizeof(text), "%sT%s%s", date, time,
		 out_get_f64(when, "utc", &utc) && utc ? "+0000" : "");
	end_s = sources_time(text);
	if (out_get_f64(when, "interval", &length_s) && length_s > 0)
		*start_s = end_s - length_s;
	return end_s;
}

/* Adds a report of iostat or a sample of sadf as an interval. The first report of iostat is not
 * added, because it covers the time since boot (without iostat -y). It only shows which rates
 * iostat prints. */
static void add_sample(void *arg, const char *key, const struct out *sample)
{
	const struct out *disks = out_get(sample, "disk");
	struct sysstat_source *s = arg;
	double start_s = NAN, end_s;

	if (s->ret || !disks)
		return;
	end_s = sample_times(sample, &start_s);
	if (isnan(end_s)) {
		s->ret = error(-EINVAL,
			       "'%s': sample %u has no timestamp, or one of an unknown "
			       "form; use S_TIME_FORMAT=ISO iostat -t, or sadf -j",
			       s->path, s->samples + 1);
		return;
	}
	if (!s->samples++) {
		out_each(disks, find_columns, s);
		if (isnan(start_s))
			return;
	}
	/* sadf rounds times and lengths to whole seconds. So an interval that seems to start within
	 * 1 s of the previous end starts at that end; NaN stands for this in series_add(). */
	if (s->to->n && fabs(start_s - s->to->end_s[s->to->n - 1]) <= 1)
		start_s = NAN;
	s->row = series_add(s->to, start_s, end_s);
	s->disks = disks;
	out_each(disks, add_disk, s);
}

static int no_disks(const char *path)
{
	return error(-EINVAL,
		     "'%s' has no disks in the form of 'iostat -o JSON' or 'sadf -j -- -d -p'",
		     path);
}

static void add_host(void *arg, const char *key, const struct out *host)
{
	const struct out *samples = out_get(host, "statistics");
	struct sysstat_source *s = arg;

	if (s->ret || !samples)
		return;
	s->to = series_list_add(&s->hosts);
	s->samples = 0;
	memset(s->column, 0xff, sizeof(s->column));
	out_each(samples, add_sample, s);
	if (!s->ret && !s->to->columns_n)
		s->ret = no_disks(s->path);
	if (!s->ret)
		s->ret = series_finish(s->to, s->path);
}

int series_read_sysstat(struct series *to, const char *path)
{
	struct sysstat_source s = { .path = path };
	struct out *doc = out_read_up_to(path, SYSSTAT_MAX);

	if (!doc)
		return -EINVAL;
	out_each(out_get(out_get(doc, "sysstat"), "hosts"), add_host, &s);
	out_free(doc);
	if (!s.ret && !s.hosts.n)
		s.ret = no_disks(path);
	return series_list_sum(to, &s.hosts, path, s.ret);
}
