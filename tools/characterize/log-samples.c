// SPDX-License-Identifier: GPL-2.0-or-later
/* Adds up samples to counters per interval. A sample is a line of the log: the counters of one
 * server at one time. A cell has the counters of one server in one interval. */
#include <stdlib.h>
#include <string.h>

#include "user/base/err.h"
#include "user/base/num.h"
#include "tools/characterize/log-samples.h"

/* Limit for the number of cells: MISSING_MOST * lines + MISSING_ALWAYS. Without this limit, two
 * lines with distant times would make very many empty cells. */
#define MISSING_MOST 16
#define MISSING_ALWAYS (64U << 10)
#define DEFAULT_INTERVAL_NS 1000000000ULL

static int by_server_and_time(const void *a, const void *b)
{
	const struct sample *x = a, *y = b;

	if (x->server != y->server)
		return x->server < y->server ? -1 : 1;
	return (x->time_ns > y->time_ns) - (x->time_ns < y->time_ns);
}

static int by_u64(const void *a, const void *b)
{
	u64 x = *(const u64 *)a, y = *(const u64 *)b;

	return (x > y) - (x < y);
}

/* Returns the median time between two successive lines of a server. The median is hardly affected
 * by lines that are late or missing. Returns 0 if no server has two lines. */
static u64 median_step(const struct log_samples *s)
{
	u64 *steps = need(calloc(s->n + 1, sizeof(*steps))), step = 0;
	u32 n = 0;

	for (u32 i = 1; i < s->n; i++)
		if (s->at[i].server == s->at[i - 1].server &&
		    s->at[i].time_ns > s->at[i - 1].time_ns)
			steps[n++] = s->at[i].time_ns - s->at[i - 1].time_ns;
	qsort(steps, n, sizeof(*steps), by_u64);
	if (n)
		step = steps[(n - 1) / 2];
	free(steps);
	return step;
}

static int by_middle(const void *a, const void *b)
{
	u64 one = log_line_middle(a), other = log_line_middle(b);

	return (one > other) - (one < other);
}

/* Returns @ns with three significant digits. */
static u64 rounded(u64 ns)
{
	u64 unit = 1;

	while (ns / unit >= 1000)
		unit *= 10;
	return (ns + unit / 2) / unit * unit;
}

static struct log_line whole_log(const struct log_samples *s)
{
	struct log_line all = s->lines[0];

	for (u32 i = 1; i < s->lines_n; i++) {
		if (s->lines[i].start_ns < all.start_ns)
			all.start_ns = s->lines[i].start_ns;
		if (s->lines[i].end_ns > all.end_ns)
			all.end_ns = s->lines[i].end_ns;
	}
	return all;
}

/* Returns the interval of iospan stat. A line may end late, and then the next one is shorter, so
 * the lengths of lines are inexact. If their median is very near to a length with three significant
 * digits, returns that length. Otherwise returns the length that divides the time of the log
 * evenly. */
static u64 interval_of_lines(const struct log_samples *s)
{
	u64 *lengths = need(calloc(s->lines_n, sizeof(*lengths))), step, near, n;
	struct log_line all = whole_log(s);

	for (u32 i = 0; i < s->lines_n; i++)
		lengths[i] = s->lines[i].end_ns - s->lines[i].start_ns;
	qsort(lengths, s->lines_n, sizeof(*lengths), by_u64);
	step = lengths[s->lines_n / 2];
	free(lengths);
	near = rounded(step);
	if ((near > step ? near - step : step - near) <= step / 10000)
		return near;
	n = (all.end_ns - all.start_ns - step / 2) / step + 1;
	return (all.end_ns - all.start_ns) / n;
}

/* For running totals (--cumulative): replaces each total by its increase until the next line of the
 * server. If a total decreases, the server has restarted its counters at 0. */
static void subtract_totals(struct log_samples *s, struct counters_log *log)
{
	struct sample before = {}, now;
	u32 n = 0;

	for (u32 i = 0; i < s->n; i++, before = now) {
		bool reset = false;

		now = s->at[i];
		if (!i || now.server != before.server)
			continue;
		for (int k = 0; k < COUNTERS; k++)
			reset |= now.of[k] < before.of[k];
		log->resets += reset;
		s->at[n] = before;
		for (int k = 0; k < COUNTERS; k++)
			s->at[n].of[k] = now.of[k] - (reset ? 0 : before.of[k]);
		n++;
	}
	s->n = n;
}

static void count_sample(struct moved *cell, const struct sample *one)
{
	cell->samples++;
	for (int k = 0; k < COUNTERS; k++)
		cell->of[k] += one->of[k];
}

static void add_saturated(u64 *sum, u64 more)
{
	if (__builtin_add_overflow(*sum, more, sum))
		*sum = ~0ULL;
}

/* Extends @c to the interval with the middle of the last line that has its middle before @to_ns.
 * Returns the time in ns from c->start_ns to this middle; 0 if there is no such line. */
static u64 extend_to_last_line(struct counters *c, const struct log_samples *s, u64 to_ns)
{
	u64 last_ns;
	u32 i = s->lines_n;

	while (i && log_line_middle(&s->lines[i - 1]) >= to_ns)
		i--;
	if (!i || log_line_middle(&s->lines[i - 1]) < c->start_ns)
		return 0;
	last_ns = log_line_middle(&s->lines[i - 1]) - c->start_ns;
	if (last_ns / c->interval_ns >= CELLS_MAX)
		c->full = true;
	else if (last_ns / c->interval_ns >= c->n)
		c->n = last_ns / c->interval_ns + 1;
	return last_ns;
}

/* Adds each sample to the interval that contains the middle of the sample's time. So a sample that
 * is slightly early or late is still added to the right interval. Leaves out samples before
 * c->start_ns or after @to_ns. @step is the usual time in ns between two lines of a server. Returns
 * the time in ns from c->start_ns to the end of the last sample or line, rounded to a multiple of
 * the usual sample length. Returns 0 if there are too many cells. */
static u64 add_samples(struct counters *c, const struct log_samples *s, u64 step, u64 to_ns)
{
	u64 width = c->interval_ns, half_ns = s->lines ? 0 : step / 2, elapsed_ns;
	u64 last_ns = s->lines ? extend_to_last_line(c, s, to_ns) : 0;
	u64 each_ns = width / (step ? width / step + (width % step > step / 2) : 1);

	for (u32 i = 0; i < s->n; i++) {
		u64 middle_ns = s->at[i].time_ns;
		struct moved *cell;

		add_saturated(&middle_ns, half_ns);
		if (middle_ns < c->start_ns || middle_ns >= to_ns)
			continue;
		middle_ns -= c->start_ns;
		cell = counters_make_cell(c, s->at[i].server, middle_ns / width);
		if (!cell)
			return 0;
		count_sample(cell, &s->at[i]);
		if (middle_ns > last_ns)
			last_ns = middle_ns;
	}
	elapsed_ns = last_ns - last_ns % each_ns;
	add_saturated(&elapsed_ns, c->n ? each_ns : 0);
	return elapsed_ns;
}

/* Returns the number of intervals in which a line of the log has its middle. The lines are sorted by
 * their middles. */
static u64 count_intervals_with_lines(const struct counters *c, const struct log_samples *s)
{
	u64 n = 0, before = ~0ULL;

	for (u32 i = 0; i < s->lines_n; i++) {
		u64 middle_ns = log_line_middle(&s->lines[i]), at;

		if (middle_ns < c->start_ns)
			continue;
		at = (middle_ns - c->start_ns) / c->interval_ns;
		n += at != before && at < c->n;
		before = at;
	}
	return n;
}

/* Returns the number of pairs of server and interval for which the log has no line. */
static u64 count_missing(const struct counters *c, const struct log_samples *log)
{
	u64 missing = 0;

	if (log->lines) {
		u64 seen = count_intervals_with_lines(c, log);

		return seen < c->n ? (c->n - seen) * c->servers_n : 0;
	}
	for (u32 s = 0; s < c->servers_n; s++)
		for (u32 i = 0; i < c->n; i++)
			missing += !counters_cell(c, s, i)->samples;
	return missing;
}

static u64 first_ns(const struct log_samples *s)
{
	u64 first = ~0ULL;

	if (s->lines)
		return whole_log(s).start_ns;
	for (u32 i = 0; i < s->n; i++)
		if (s->at[i].time_ns < first)
			first = s->at[i].time_ns;
	return s->n ? first : 0;
}

/* Returns the number of the server that the source @name belongs to. A new server is added to
 * @c. */
static u32 server_of_source(struct counters *c, const char *name)
{
	size_t len = strcspn(name, LOG_SAMPLES_PART);
	char *server = need(strndup(name, len));
	u32 i = name[len] ? 0 : c->servers_n;

	while (i < c->servers_n && strcmp(c->servers[i].name, server) != 0)
		i++;
	if (i == c->servers_n)
		counters_server(c, server);
	free(server);
	return i;
}

static void name_servers(struct counters *c, struct log_samples *s)
{
	u32 n = s->names.n[TRACE_DISK], *server = need(calloc(n + 1, sizeof(*server)));

	for (u32 i = 1; i < n; i++)
		server[i] = server_of_source(c, s->names.of[TRACE_DISK][i]->text);
	for (u32 i = 0; i < s->n; i++)
		s->at[i].server = server[s->at[i].server];
	free(server);
	c->has = s->has;
}

int log_samples_make(struct log_samples *s, struct counters *c, const char *path,
		     struct counters_log *log)
{
	u64 step, start_ns, to_ns = ~0ULL, lines = (u64)s->n + s->lines_n;
	char buf[NUM_TEXT];

	if (s->n)
		qsort(s->at, s->n, sizeof(*s->at), by_server_and_time);
	if (s->lines_n)
		qsort(s->lines, s->lines_n, sizeof(*s->lines), by_middle);
	step = s->lines ? interval_of_lines(s) : median_step(s);
	if (log->cumulative)
		subtract_totals(s, log);
	/* The step is inexact, because lines may be late. */
	if (log->interval_ns && log->interval_ns + log->interval_ns / 100 < step)
		return error(-EINVAL, "%s: samples are %s apart; --interval must not be shorter",
			     path, num_time_arg(buf, step));
	start_ns = first_ns(s);
	if (log->to_ns && __builtin_add_overflow(start_ns, log->to_ns, &to_ns))
		to_ns = ~0ULL;
	add_saturated(&start_ns, log->from_ns);
	counters_init(c, start_ns, log->interval_ns ?: step ?: DEFAULT_INTERVAL_NS);
	if (c->most > MISSING_MOST * lines + MISSING_ALWAYS)
		c->most = MISSING_MOST * lines + MISSING_ALWAYS;
	name_servers(c, s);
	log->elapsed_ns = add_samples(c, s, step, to_ns);
	if (counters_full(c))
		return error(-E2BIG,
			     "%s: too many intervals and servers; give a longer "
			     "--interval, or --from and --to",
			     path);
	log->missing = count_missing(c, s);
	return 0;
}

int log_samples_add(struct log_samples *s, const char *source, u64 time_ns, const u64 *of)
{
	struct trace_name name = { .kind = TRACE_DISK, .text = source };
	struct sample *to;

	if (s->n == SAMPLES_MAX)
		return -E2BIG;
	/* The array grows by doubling. So it is full if n, the number of elements in use, is 0 or a
	 * power of two. */
	if (!(s->n & (s->n - 1)))
		s->at = need(reallocarray(s->at, s->n ? 2 * (size_t)s->n : 1, sizeof(*s->at)));
	to = &s->at[s->n++];
	to->time_ns = time_ns;
	to->server = names_number(&s->names, &name, NULL);
	memcpy(to->of, of, sizeof(to->of));
	return to->server > SERVERS_MAX ? -EUSERS : 0;
}

u64 log_line_middle(const struct log_line *line)
{
	return line->start_ns + (line->end_ns - line->start_ns) / 2;
}

int log_samples_add_line(struct log_samples *s, u64 start_ns, u64 end_ns)
{
	if (s->lines_n == SAMPLES_MAX)
		return -E2BIG;
	if (!(s->lines_n & (s->lines_n - 1)))
		s->lines = need(reallocarray(s->lines, s->lines_n ? 2 * (size_t)s->lines_n : 1,
					     sizeof(*s->lines)));
	s->lines[s->lines_n++] = (struct log_line){ start_ns, end_ns };
	return 0;
}

int log_samples_full(const char *path, int ret)
{
	return ret == -E2BIG   ? error(ret, "%s: more than %u lines", path, SAMPLES_MAX) :
		ret == -EUSERS ? error(ret, "%s: more than %u servers", path, SERVERS_MAX) :
				 ret;
}

void log_samples_release(struct log_samples *s)
{
	names_drop(&s->names);
	free(s->at);
	free(s->lines);
}
