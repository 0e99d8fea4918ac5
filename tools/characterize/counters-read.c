// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads samples of counters of I/O servers: CSV, the output of mmpmon -p and of `iospan stat
 * --json`, and data of Prometheus. */
#include "tools/characterize/counters-read.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "user/base/csv.h"
#include "user/base/err.h"
#include "user/base/need.h"
#include "user/base/num.h"
#include "user/base/out-read.h"
#include "tools/characterize/log-samples.h"
#include "tools/import/import.h"
#include "tools/input/prometheus.h"
#include "tools/input/stat-lines.h"

struct reading {
	struct log_samples *samples;
	struct csv csv;
	bool any, is_mmpmon;
	char kind[16]; /* first word of the mmpmon lines that are read, such as "_fs_io_s_" */
};

enum { TIME_NS, TIME_S, SERVER, FIRST_COUNTER };

struct logged {
	u64 time_ns, of[COUNTERS];
	const char *server;
};

static const char *name(int column)
{
	static const char *const names[] = { "time_ns", "time_s", "server" };

	if (column < FIRST_COUNTER)
		return names[column];
	column -= FIRST_COUNTER;
	return column < COUNTERS ? counter_names[column] : NULL;
}

static const char *take(void *to, int column, const char *cell)
{
	struct logged *row = to;

	switch (column) {
	case TIME_NS:
		return csv_number(cell, &row->time_ns);
	case TIME_S:
		return csv_seconds(cell, &row->time_ns);
	case SERVER:
		row->server = cell;
		return *cell ? NULL : "a name";
	}
	return csv_number(cell, &row->of[column - FIRST_COUNTER]);
}

static const char *const wanted[] = {
	"server", "read_bytes", "reads", "write_bytes", "writes", NULL,
};
static const struct csv_format format = { name, wanted, take };

static int add_row(struct import *im, struct log_samples *s, const struct logged *row)
{
	int ret = log_samples_add(s, row->server, row->time_ns, row->of);

	return ret == -E2BIG ? import_refuse(im, "more than %u lines", SAMPLES_MAX) :
		ret	     ? import_refuse(im, "more than %u servers", SERVERS_MAX) :
			       0;
}

/* ---- output of mmpmon -p, the monitor of GPFS (Spectrum Scale) ---- */

static const struct {
	const char *key;
	enum counter counter;
} mmpmon_counters[] = {
	{ "_br_", COUNTER_READ_BYTES }, { "_bw_", COUNTER_WRITE_BYTES }, { "_oc_", COUNTER_OPENS },
	{ "_cc_", COUNTER_CLOSES },	{ "_rdc_", COUNTER_READS },	 { "_wc_", COUNTER_WRITES },
};
#define MMPMON_COUNTERS (sizeof(mmpmon_counters) / sizeof(*mmpmon_counters))

struct mmpmon {
	const char *node, *fs;
	u64 of[COUNTERS], s, us, failed;
	/* Keys that the line has. Bit i is set for element i of mmpmon_counters[]. The next three
	 * bits stand for the keys of .s (seconds), .us (microseconds) and .failed (result). */
	unsigned seen;
};

/* Stores the value of @key. Returns false if the counter, time or result has a value that is not a
 * number. */
static bool take_key(struct mmpmon *m, const char *key, const char *value)
{
	const struct {
		const char *key;
		u64 *to;
	} others[] = { { "_t_", &m->s }, { "_tu_", &m->us }, { "_rc_", &m->failed } };

	if (!strcmp(key, "_nn_"))
		m->node = value;
	if (!strcmp(key, "_fs_"))
		m->fs = value;
	for (size_t i = 0; i < MMPMON_COUNTERS; i++)
		if (!strcmp(key, mmpmon_counters[i].key)) {
			m->seen |= 1U << i;
			return !num_uint(value, &m->of[mmpmon_counters[i].counter]);
		}
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		if (!strcmp(key, others[i].key)) {
			m->seen |= 1U << (MMPMON_COUNTERS + i);
			return !num_uint(value, others[i].to);
		}
	return true;
}

/* Takes a line such as "_fs_io_s_ _n_ 10.0.0.1 _nn_ io1 _rc_ 0 _t_ 1066660148 _tu_ 407431 _cl_
 * c1 _fs_ g2 _d_ 2 _br_ 6291456 _bw_ 0 _oc_ 10 _cc_ 16 _rdc_ 101 _wc_ 300 _dir_ 7 _iu_ 2". The
 * counters are totals. Other lines of mmpmon are ignored. */
static int mmpmon_line(struct import *im, struct reading *r, char *text)
{
	struct logged row = {};
	struct mmpmon m = {};
	char *kind = take_word(&text), *key, *value, *source;
	int ret;

	if (!kind || (strcmp(kind, "_fs_io_s_") && strcmp(kind, "_io_s_")))
		return IMPORT_COMMENT;
	if (!*r->kind)
		snprintf(r->kind, sizeof(r->kind), "%s", kind);
	if (strcmp(kind, r->kind) != 0)
		return import_refuse(im, "both fs_io_s and io_s, which count the same I/O");
	while ((key = take_word(&text)) && (value = take_word(&text)))
		if (!take_key(&m, key, value))
			return import_bad(im, "'%.40s' is not the value of %.10s", value, key);
	if (m.failed)
		return IMPORT_COMMENT;
	if (!m.node || m.seen != (1U << (MMPMON_COUNTERS + 3)) - 1)
		return import_bad(im, "a value of %s is missing", kind);
	if (__builtin_mul_overflow(m.s, 1000000000, &m.s) ||
	    __builtin_mul_overflow(m.us, 1000, &m.us) ||
	    __builtin_add_overflow(m.s, m.us, &row.time_ns))
		return import_bad(im, "the time is too large");
	source = need_text("%s%s%s", m.node, m.fs ? LOG_SAMPLES_PART : "", m.fs ?: "");
	row.server = source;
	memcpy(row.of, m.of, sizeof(row.of));
	ret = add_row(im, r->samples, &row);
	free(source);
	return ret;
}

static int take_line(struct import *im, struct import_file *in, char *text)
{
	struct reading *r = im->own;
	struct logged row = {};
	bool header = !r->csv.n;
	int ret;

	if (!r->any)
		r->is_mmpmon = *text == '_';
	r->any = true;
	if (r->is_mmpmon)
		return mmpmon_line(im, r, text);
	ret = import_csv_take(im, &r->csv, &format, text, &row);
	if (ret > 0)
		return add_row(im, r->samples, &row);
	return ret || !header ? ret : import_csv_either(im, &r->csv, &format, TIME_NS, TIME_S);
}

static const struct importer reader = { .name = "counters", .quoted = true, .line = take_line };

static int read_lines(struct log_samples *s, const char *path)
{
	struct reading r = { .samples = s };
	int ret = import_lines(&reader, &r, path);

	if (!ret && !r.csv.n && !r.is_mmpmon)
		ret = error(-EINVAL, "%s: it is empty", path);
	for (int k = 0; !ret && !r.is_mmpmon && k < COUNTERS; k++)
		s->has |= (unsigned)csv_has(&r.csv, FIRST_COUNTER + k) << k;
	for (size_t i = 0; r.is_mmpmon && i < MMPMON_COUNTERS; i++)
		s->has |= 1U << mmpmon_counters[i].counter;
	s->are_totals = r.is_mmpmon;
	csv_release(&r.csv);
	return ret;
}

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

static int add_stat_line(void *arg, const struct stat_line *line)
{
	struct stat_samples *s = arg;

	if (line->end_ns < line->start_ns)
		return error(-EINVAL, "%s: an interval ends before it starts", s->path);
	s->time_ns = log_line_middle(&(struct log_line){ line->start_ns, line->end_ns });
	s->ret = log_samples_add_line(s->to, line->start_ns, line->end_ns);
	out_each(out_get(line->doc, "devices"), add_disk, s);
	return log_samples_full(s->path, s->ret);
}

static int read_stat(struct log_samples *s, const char *path)
{
	struct stat_samples all = { .to = s, .path = path };

	s->has = TRANSFERS;
	return stat_lines_each(path, add_stat_line, &all);
}

/* Returns the counter (enum counter) with the name @column, or -1 if no counter has this name. */
static int counter_of(const char *column)
{
	for (int k = 0; k < COUNTERS; k++)
		if (!strcmp(column, counter_names[k]))
			return k;
	return !strcmp(column, "read_ops")   ? COUNTER_READS :
		!strcmp(column, "write_ops") ? COUNTER_WRITES :
					       -1;
}

/* Adds a sample to @to: the sum of sample number *@i of @p and of the next samples with the same
 * server and time. Sets *@i to the number of the sample that follows them. */
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

static int read_prometheus(struct log_samples *s, const char *path,
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

/* Stores the first bytes of the file @path in @head, as text. Stdin cannot be read twice. So only
 * one byte of stdin is read, and returned by ungetc(). If this byte is "{", assumes output of
 * iospan stat --json. */
static void read_head(const char *path, char *head, size_t size)
{
	struct stat st;
	FILE *f;

	*head = '\0';
	if (!strcmp(path, "-")) {
		int c = getc(stdin);

		if (c == '{')
			snprintf(head, size, "%s", STAT_LINES_FILE);
		if (c != EOF)
			ungetc(c, stdin);
		return;
	}
	f = !stat(path, &st) && S_ISREG(st.st_mode) ? fopen(path, "re") : NULL;
	if (!f)
		return;
	head[fread(head, 1, size - 1, f)] = '\0';
	fclose(f);
}

static bool starts_with(const char *text, const char *start)
{
	return !strncmp(text, start, strlen(start));
}

int counters_read(struct counters *c, const char *path, struct counters_log *log,
		  const struct prometheus_range *range)
{
	struct log_samples s = {};
	char head[32];
	int ret;

	names_init(&s.names);
	counters_init(c, 0, 1);
	read_head(path, head, sizeof(head));
	if (prometheus_is_url(path) || starts_with(head, PROMETHEUS_FILE))
		ret = read_prometheus(&s, path, range);
	else if (starts_with(head, STAT_LINES_FILE))
		ret = read_stat(&s, path);
	else
		ret = read_lines(&s, path);
	log->cumulative |= s.are_totals;
	if (!ret)
		ret = log_samples_make(&s, c, path, log);
	log_samples_release(&s);
	return ret;
}
