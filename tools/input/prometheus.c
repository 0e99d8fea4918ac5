// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads the answer of Prometheus to a range query:
 *
 * {"status": "success", "data": {"resultType": "matrix", "result": [
 *   {"metric": {"__name__": "node_disk_read_bytes_total", "instance": "a:9100", "device": "sda"},
 *    "values": [[1769860800, "4096"], [1769860860, "8192"]]}, */
#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/input/prometheus.h"
#include "user/base/err.h"
#include "user/base/need.h"
#include "user/base/out-read.h"

#define ANSWER_PATH "/api/v1/query_range"

/* Writes @url. Replaces each byte that a URL must not contain by %XX. Leaves bytes that are already
 * encoded unchanged. */
static void put_encoded(FILE *f, const char *url)
{
	for (const unsigned char *c = (const unsigned char *)url; *c; c++) {
		bool encoded = *c == '%' && isxdigit(c[1]) && isxdigit(c[2]);

		if (encoded || isalnum(*c) || strchr("-._~:/?&=()*,;!'@$", *c))
			fputc(*c, f);
		else
			fprintf(f, "%%%02X", *c);
	}
}

/* Returns the complete URL of the range query @url, such as http://host:9090?query=rate(x[1m]).
 * Adds the path /api/v1/query_range. Adds the parameters start, end and step from @range, unless
 * @url has them. Returns NULL if a parameter is unknown; prints the error. */
static char *prometheus_url(const char *url, const struct prometheus_range *range)
{
	const struct {
		const char *name;
		double value;
	} more[] = { { "start", range->start_s },
		     { "end", range->end_s },
		     { "step", range->step_s } };
	const char *query = strstr(url, "?query="), *end = query;
	char *text = NULL;
	size_t size;
	int ret = 0;
	FILE *f;

	if (!query) {
		error(-EINVAL, "'%s': add ?query=EXPRESSION", url);
		return NULL;
	}
	while (end > url && end[-1] == '/')
		end--;
	f = need(open_memstream(&text, &size));
	fprintf(f, "%.*s", (int)(end - url), url);
	if (end - url < (long)strlen(ANSWER_PATH) ||
	    strncmp(end - strlen(ANSWER_PATH), ANSWER_PATH, strlen(ANSWER_PATH)) != 0)
		fputs(ANSWER_PATH, f);
	put_encoded(f, query);
	for (int i = 0; i < 3 && !ret; i++) {
		char *given = need_text("&%s=", more[i].name);

		if (!strstr(query, given) && isnan(more[i].value))
			ret = error(-EINVAL, "'%s': add %sTIME", url, given);
		else if (!strstr(query, given))
			fprintf(f, "%s%.3f", given, more[i].value);
		free(given);
	}
	fclose(f);
	if (!ret)
		return need(text);
	free(text);
	return NULL;
}

static int run_curl(const char *url, int to)
{
	int status;
	pid_t pid = fork();

	if (pid < 0)
		return error(-errno, "cannot start curl: %s", strerror(errno));
	if (!pid) {
		dup2(to, STDOUT_FILENO);
		execlp("curl", "curl", "-q", "-sS", "--globoff", "--connect-timeout", "10", "--",
		       url, NULL);
		_exit(127);
	}
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
		return error(-ENOENT, "there is no curl to ask Prometheus; install it");
	return status ? error(-EIO, "cannot read '%s'; see the line of curl above", url) : 0;
}

static struct out *read_answer(const char *url, int fd)
{
	off_t size = lseek(fd, 0, SEEK_END);
	char *text = size > 0 ? mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
	struct out *doc = text == MAP_FAILED ? NULL : out_parse(text, size);

	if (text != MAP_FAILED)
		munmap(text, size);
	if (!doc)
		error(-EINVAL, "'%s': the answer is not JSON", url);
	return doc;
}

static struct out *prometheus_fetch(const char *url, const struct prometheus_range *range)
{
	char *whole = prometheus_url(url, range);
	int fd = memfd_create("answer", MFD_CLOEXEC);
	struct out *doc = NULL;

	if (fd < 0)
		error(-errno, "cannot make a file in memory: %s", strerror(errno));
	else if (whole && !run_curl(whole, fd))
		doc = read_answer(whole, fd);
	if (fd >= 0)
		close(fd);
	free(whole);
	return doc;
}

/* Maximum size in bytes of an answer of Prometheus. */
#define ANSWER_MAX (512 << 20)
/* If two samples of a series are further apart than this number of steps, samples are missing. */
#define LATE 1.5

/* Names of columns for common counters. .op is the value that the label "op" must have; NULL:
 * any. */
static const struct {
	const char *name, *op, *column;
} known[] = {
	{ "iospan_bytes_total", "read", "read_bytes" },
	{ "iospan_bytes_total", "write", "write_bytes" },
	{ "iospan_accesses_total", "read", "read_ops" },
	{ "iospan_accesses_total", "write", "write_ops" },
	{ "node_disk_read_bytes_total", NULL, "read_bytes" },
	{ "node_disk_written_bytes_total", NULL, "write_bytes" },
	{ "node_disk_reads_completed_total", NULL, "read_ops" },
	{ "node_disk_writes_completed_total", NULL, "write_ops" },
};

struct answer {
	struct prometheus *p;
	/* fields that are equal in all samples of the series that is being read */
	struct prometheus_sample now;
	size_t room;
	double pair[2];
	int pair_n;
};

bool prometheus_stacked(const char *disk)
{
	return !strncmp(disk, "dm-", 3) || !strncmp(disk, "md", 2) || !strncmp(disk, "loop", 4);
}

static u32 number_of(char ***names, u32 *n, const char *name)
{
	u32 i = 0;

	while (i < *n && strcmp((*names)[i], name) != 0)
		i++;
	if (i == *n) {
		*names = need(reallocarray(*names, *n + 1, sizeof(**names)));
		(*names)[(*n)++] = need(strdup(name));
	}
	return i;
}

static bool is_total(const char *name)
{
	size_t len = strlen(name), tail = strlen("_total");

	return len > tail && !strcmp(name + len - tail, "_total");
}

/* Returns the name of the column for a series with the labels @metric. This is the label "column"
 * if there is one; a query can set it by label_replace(). The caller frees the name. */
static char *column_name(const struct out *metric)
{
	const char *name = out_get_str(metric, "__name__") ?: "", *op = out_get_str(metric, "op");
	const char *chosen = out_get_str(metric, "column");
	int len = strlen(name) - (is_total(name) ? strlen("_total") : 0);

	for (size_t i = 0; !chosen && i < sizeof(known) / sizeof(*known); i++)
		if (!strcmp(name, known[i].name) &&
		    (!known[i].op || (op && !strcmp(op, known[i].op))))
			chosen = known[i].column;
	if (chosen)
		return need(strdup(chosen));
	if (!*name)
		return need(strdup(op ?: "value"));
	return need_text("%.*s%s%s", len, name, op ? " " : "", op ?: "");
}

static void take_number(void *arg, const char *key, const struct out *value)
{
	struct answer *a = arg;
	const char *text = out_text(value);
	double v = NAN;

	if (text)
		v = strtod(text, NULL);
	else
		out_f64_of(value, &v);
	if (a->pair_n < 2)
		a->pair[a->pair_n] = v;
	a->pair_n++;
}

static void take_sample(void *arg, const char *key, const struct out *pair)
{
	struct answer *a = arg;
	struct prometheus *p = a->p;

	a->pair_n = 0;
	out_each(pair, take_number, a);
	if (a->pair_n != 2 || !isfinite(a->pair[0]))
		return;
	if (p->n == a->room) {
		a->room = a->room * 2 + 64;
		p->samples = need(reallocarray(p->samples, a->room, sizeof(*p->samples)));
	}
	p->samples[p->n] = a->now;
	p->samples[p->n].end_s = a->pair[0];
	p->samples[p->n++].amount = isfinite(a->pair[1]) ? a->pair[1] : NAN;
	a->now.is_first = false;
}

static void take_series(void *arg, const char *key, const struct out *series)
{
	const struct out *metric = out_get(series, "metric"), *values = out_get(series, "values");
	const char *disk = out_get_str(metric, "device");
	struct answer *a = arg;
	char *column;

	if (!metric || !values || (disk && prometheus_stacked(disk)))
		return;
	column = column_name(metric);
	a->now = (struct prometheus_sample){
		.server = number_of(&a->p->servers, &a->p->servers_n,
				    out_get_str(metric, "instance") ?: "prometheus"),
		.column = number_of(&a->p->columns, &a->p->columns_n, column),
		.series = a->now.series + 1,
		.is_total = is_total(out_get_str(metric, "__name__") ?: ""),
		.is_first = true,
	};
	free(column);
	out_each(values, take_sample, a);
}

static double shortest_step(const struct prometheus *p)
{
	double step = INFINITY;

	for (size_t i = 1; i < p->n; i++)
		if (!p->samples[i].is_first && p->samples[i].end_s > p->samples[i - 1].end_s)
			step = fmin(step, p->samples[i].end_s - p->samples[i - 1].end_s);
	return isfinite(step) ? step : 0;
}

/* Converts all samples to amounts per step. For a counter, the amount is its increase since the
 * previous sample of the series. For a counter that has decreased or is new, the amount is its
 * value. For a rate, the amount is the rate times the step. */
static void make_amounts(struct prometheus *p)
{
	for (size_t i = p->n; i--;) {
		struct prometheus_sample *s = &p->samples[i], *before = s - 1;

		if (!s->is_total)
			s->amount *= p->step_s;
		else if (!s->is_first &&
			 (s->end_s - before->end_s > LATE * p->step_s || isnan(before->amount)))
			s->amount = NAN;
		else if (!s->is_first && s->amount >= before->amount)
			s->amount -= before->amount;
	}
}

static int by_server_and_end(const void *a, const void *b)
{
	const struct prometheus_sample *x = a, *y = b;

	if (x->server != y->server)
		return x->server < y->server ? -1 : 1;
	if (x->end_s != y->end_s)
		return x->end_s < y->end_s ? -1 : 1;
	if (x->column != y->column)
		return x->column < y->column ? -1 : 1;
	return (x->series > y->series) - (x->series < y->series);
}

/* Adds up the samples with the same server, time and column, such as those of several disks.
 * Removes the samples of counters at the first time of each server: their amounts include I/O
 * before the first step. */
static void add_up(struct prometheus *p)
{
	double first_s = NAN;
	size_t n = 0;

	for (size_t i = 0; i < p->n; i++) {
		struct prometheus_sample s = p->samples[i], *last = n ? &p->samples[n - 1] : NULL;

		if (!i || s.server != p->samples[i - 1].server)
			first_s = s.end_s;
		if (s.is_total && s.end_s == first_s)
			continue;
		if (last && last->server == s.server && last->end_s == s.end_s &&
		    last->column == s.column)
			last->amount += s.amount;
		else
			p->samples[n++] = s;
	}
	p->n = n;
}

static int take_answer(struct prometheus *p, const struct out *doc, const char *from)
{
	const struct out *data = out_get(doc, "data"), *result = out_get(data, "result");
	const char *fault = out_get_str(doc, "error"), *type = out_get_str(data, "resultType");
	struct answer a = { .p = p };

	if (fault)
		return error(-EINVAL, "'%s': Prometheus reports: %s", from, fault);
	if (!result || !type || strcmp(type, "matrix") != 0)
		return error(-EINVAL,
			     "'%s' is no answer to a range query of Prometheus (query_range)",
			     from);
	out_each(result, take_series, &a);
	p->step_s = shortest_step(p);
	make_amounts(p);
	if (p->n)
		qsort(p->samples, p->n, sizeof(*p->samples), by_server_and_end);
	add_up(p);
	if (!p->n || !p->step_s)
		return error(-ENODATA, "'%s' has no series with two samples", from);
	return 0;
}

bool prometheus_is_url(const char *from)
{
	return !strncmp(from, PROMETHEUS_URL, strlen(PROMETHEUS_URL));
}

int prometheus_read(struct prometheus *p, const char *from, const struct prometheus_range *range)
{
	struct out *doc;
	int ret;

	*p = (struct prometheus){};
	if (prometheus_is_url(from))
		doc = prometheus_fetch(from + strlen(PROMETHEUS_URL), range);
	else
		doc = out_read_up_to(from, ANSWER_MAX);
	if (!doc)
		return -EINVAL;
	ret = take_answer(p, doc, from);
	out_free(doc);
	return ret;
}

void prometheus_release(struct prometheus *p)
{
	for (u32 i = 0; i < p->servers_n; i++)
		free(p->servers[i]);
	for (u32 i = 0; i < p->columns_n; i++)
		free(p->columns[i]);
	free(p->servers);
	free(p->columns);
	free(p->samples);
}
