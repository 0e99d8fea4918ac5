// SPDX-License-Identifier: GPL-2.0-or-later
/* Imports fio's logs of completion latencies, with a line for each access:
 *
 * time ms, latency ns, direction, bytes [, offset] [, priority] [, issue time ns]
 *
 * The number of fields does not show which optional fields a line has, so read_rest() also looks at
 * their values. The priority is 0, 1, or a hexadecimal number with 0x. Old versions of fio do not
 * write the priority. */
#include "tools/import/import.h"

#include <stdlib.h>
#include <string.h>

#include "bpf/event.h"
#include "user/base/num.h"
#include "user/base/err.h"
#include "user/base/need.h"

#define MS 1000000ULL
#define COLUMNS_MOST 8

struct fio {
	/* .coarse: number of accesses without an issue time. .exact: number of accesses with an
	 * issue time. */
	u64 coarse, exact;
	u64 early; /* number of accesses that started before time 0 of their log */
};

struct fio_input {
	char *process;
	bool has_offset;
};

enum log_kind { LOG_CLAT, LOG_LAT, LOG_SLAT, LOG_BW, LOG_IOPS, LOG_HISTOGRAM, LOG_UNKNOWN };

/* Returns the kind of the log with the file name @name: fio puts the kind into the name. Sets *@job
 * to the name of the job, which the caller frees. For "mix_clat.1.log", the kind is LOG_CLAT and
 * the job is "mix.1". */
static enum log_kind log_kind_of(const char *name, char **job)
{
	static const char *const marks[] = {
		"_clat.", "_lat.", "_slat.", "_bw.", "_iops.", "_clat_hist.",
	};
	size_t n = strlen(name);
	const char *mark;

	if (n > 4 && !strcmp(name + n - 4, ".log"))
		n -= 4;
	for (int i = 0; i < LOG_UNKNOWN; i++) {
		mark = strstr(name, marks[i]);
		if (!mark)
			continue;
		/* for "mix_clat.1.log", this is ".1.log" */
		const char *rest = mark + strlen(marks[i]) - 1;

		n = rest < name + n ? name + n - rest : 0;
		*job = need_text("%.*s%.*s", (int)(mark - name), name, (int)n, rest);
		return i;
	}
	*job = need(strndup(name, n));
	return LOG_UNKNOWN;
}

static int fio_open(struct import *im, struct import_file *in)
{
	static const char how[] = "run fio with --write_lat_log=PREFIX and import "
				  "PREFIX_clat.*.log";
	static const char *const refused[] = {
		[LOG_SLAT] = "submission latencies do not say when accesses end",
		[LOG_BW] = "a bandwidth log has no accesses",
		[LOG_IOPS] = "an IOPS log has no latencies",
		[LOG_HISTOGRAM] = "a histogram has no single accesses",
		[LOG_UNKNOWN] = NULL,
	};
	struct fio_input *input = in->own;
	const char *name = basename(in->name);
	enum log_kind kind = log_kind_of(name, &input->process);
	size_t n = strlen(name);

	if (refused[kind])
		return import_refuse(im, "%s; %s", refused[kind], how);
	if (n > 3 && !strcmp(name + n - 3, ".fz"))
		return import_refuse(im, "compressed; 'fio --inflate-log=FILE' prints it");
	if (kind == LOG_LAT)
		import_note(im, "a lat log: latencies contain the submission");
	if (kind == LOG_UNKNOWN)
		import_note(im,
			    "the name does not have the kind of the log: read as completion "
			    "latencies");
	return 0;
}

struct number {
	u64 v;
	bool hex;
};

struct sample {
	u64 ms, latency, direction, bytes, offset, issued_ns;
};

static bool take_cell(char **s, struct number *c)
{
	char *p = *s, *end;

	while (*p == ' ')
		p++;
	c->hex = p[0] == '0' && p[1] == 'x';
	if (!c->hex)
		return take_u64(s, &c->v);
	c->v = strtoul(p + 2, &end, 16);
	*s = end;
	return end > p + 2 && end <= p + 6;
}

/* Splits a line at its commas into the numbers @cells. Returns the count of cells, or 0 if a cell
 * is not a number. */
static int split_cells(char *text, struct number *cells)
{
	int n = 0;

	do {
		if (n == COLUMNS_MOST || !take_cell(&text, &cells[n++]))
			return 0;
	} while (take_char(&text, ','));
	while (*text == ' ')
		text++;
	return *text ? 0 : n;
}

static bool is_priority(const struct number *c)
{
	return c->hex || c->v <= 1;
}

/* Finds out which optional fields a line has: offset, priority, issue time. @c has the @n numbers
 * after the fourth field. Stores offset and issue time in @s. Returns false if the numbers cannot
 * be these fields. */
static bool read_rest(struct fio_input *input, struct sample *s, const struct number *c, int n)
{
	switch (n) {
	case 0:
		return true;
	case 1:
		/* A single column may be the priority or the offset. If a value cannot be a
		 * priority, the column is the offset in this line and in all later lines of the
		 * log. */
		input->has_offset |= !is_priority(c);
		if (input->has_offset && !c->hex)
			s->offset = c->v;
		return true;
	case 2:
		if (is_priority(&c[1])) {
			s->offset = c[0].v;
			return !c[0].hex;
		}
		s->issued_ns = c[1].v;
		return is_priority(&c[0]);
	case 3:
		s->offset = c[0].v;
		s->issued_ns = c[2].v;
		return is_priority(&c[1]) && !c[0].hex && !c[2].hex;
	}
	return false;
}

static int refuse_line(struct import *im, const char *text)
{
	if (!strncmp(text, "fio version ", 12))
		return import_refuse(im,
				     "an iolog for replay does not say when accesses end; "
				     "run fio with --write_lat_log");
	return import_bad(im, "no line of a latency log, 4 to 7 numbers: '%.40s'", text);
}

static int parse_line(struct import *im, struct fio_input *input, char *text, struct sample *s)
{
	struct number cells[COLUMNS_MOST];
	int n = split_cells(text, cells);

	if (n < 4 || cells[0].hex || cells[1].hex || cells[2].hex || cells[3].hex)
		return refuse_line(im, text);
	*s = (struct sample){ cells[0].v, cells[1].v, cells[2].v, cells[3].v, TRACE_NO_OFFSET, 0 };
	if (n >= 6 && cells[3].v <= 2 && cells[2].v > 2)
		return import_refuse(im,
				     "two values in a row (log_window_value=both): these "
				     "are windows; run fio without log_avg_msec");
	if (s->direction > 2)
		return import_bad(im, "direction %llu is none of 0, 1 and 2",
				  (unsigned long long)s->direction);
	if (!s->bytes)
		return import_refuse(im,
				     "0 bytes: averages over windows, no accesses; run "
				     "fio without log_avg_msec");
	if (!read_rest(input, s, cells + 4, n - 4))
		return import_bad(im,
				  "the columns after the fourth are neither offset, "
				  "priority nor issue time");
	return 1;
}

/* Computes start and end of an access in ns, and stores them in @a. Returns false if a time exceeds
 * 64 bits. */
static bool set_times(struct import *im, const struct sample *s, struct trace_access *a)
{
	struct fio *fio = im->own;
	u64 latency = s->latency, end;

	if (im->o->usec && __builtin_mul_overflow(latency, 1000, &latency))
		return false;
	if (s->issued_ns) {
		fio->exact++;
		a->start_ns = s->issued_ns;
		return !__builtin_add_overflow(a->start_ns, latency, &a->end_ns);
	}
	im->resolution_ns = MS;
	if (!fio->coarse++)
		import_note(im,
			    "no issue times: ends are in whole ms, up to 1 ms too early; T and "
			    "the metrics derived from it are not exact");
	if (__builtin_mul_overflow(s->ms, MS, &end))
		return false;
	/* fio rounds the end down to ms, so a computed start may be up to 1 ms before time 0. With
	 * ramp_time, an access may really have started before time 0; fio->early counts such
	 * accesses. In both cases, the start becomes 0. */
	fio->early += latency > end && latency - end > MS;
	a->start_ns = end > latency ? end - latency : 0;
	return !__builtin_add_overflow(a->start_ns, latency, &a->end_ns);
}

static int fio_line(struct import *im, struct import_file *in, char *text)
{
	static const u8 ops[] = { OP_READ, OP_WRITE, OP_DISCARD };
	struct fio_input *input = in->own;
	struct access x = ACCESS_NONE;
	struct sample s = { .ms = 0 };
	int ret;

	if (!*text)
		return 0;
	ret = parse_line(im, input, text, &s);
	if (ret <= 0)
		return ret;
	if (!set_times(im, &s, &x.at))
		return import_bad(im, "it ends beyond 2^64 ns");
	x.at.bytes = s.bytes;
	x.at.offset = s.offset;
	x.layer = LAYER_APP;
	x.op = ops[s.direction];
	x.process.text = input->process;
	in->at_ns = x.at.end_ns;
	return import_add(im, &x);
}

static int fio_end(struct import *im)
{
	const struct fio *fio = im->own;

	if (fio->coarse && fio->exact)
		import_note(im, "of %llu accesses %llu have an issue time",
			    (unsigned long long)(fio->coarse + fio->exact),
			    (unsigned long long)fio->exact);
	if (fio->early)
		import_note(im,
			    "%llu access%s moved to the start of the log, because the latency is "
			    "longer "
			    "than the time since that start; the end is too late",
			    (unsigned long long)fio->early, num_word(fio->early, "", "es"));
	if (im->inputs_n > 1)
		import_note(im,
			    "the times of each log count from the start of its own job: the "
			    "total T is right if the jobs started together");
	return 0;
}

static void fio_close(struct import_file *in)
{
	free(((struct fio_input *)in->own)->process);
}

const struct importer import_fio = {
	.name = "fio",
	.layer = "app",
	.own_size = sizeof(struct fio),
	.input_size = sizeof(struct fio_input),
	.open = fio_open,
	.line = fio_line,
	.end = fio_end,
	.close = fio_close,
};
