// SPDX-License-Identifier: GPL-2.0-or-later
/* Jobs as darshan-parser prints their logs, one after the other:
 *
 *	# darshan log version: 3.41
 *	# jobid: 4478
 *	# start_time: 1392239350
 *	# end_time: 1392239412
 *	# nprocs: 16
 *	POSIX  -1  1592...  POSIX_F_READ_START_TIMESTAMP  0.25  /scratch/x  /scratch  lustre
 *
 * Rank -1 is all of them: a shared file. Darshan 2 has no module in front. */
#include <math.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "../user/err.h"
#include "../user/num.h"
#include "import.h"
#include "sources.h"

#define LINE 65536

enum stamp { OPEN, READ_BEGIN, READ_END, WRITE_BEGIN, WRITE_END, META, READ, WRITE, STAMPS };

/* Behind POSIX_F_, CP_F_ or CP_F_POSIX_; some have had two names. */
static const struct counter {
	const char *name;
	enum stamp stamp;
} counters[] = {
	{ "OPEN_START_TIMESTAMP", OPEN }, { "OPEN_TIMESTAMP", OPEN },
	{ "READ_START_TIMESTAMP", READ_BEGIN }, { "READ_END_TIMESTAMP", READ_END },
	{ "WRITE_START_TIMESTAMP", WRITE_BEGIN }, { "WRITE_END_TIMESTAMP", WRITE_END },
	{ "META_TIME", META }, { "READ_TIME", READ }, { "WRITE_TIME", WRITE },
};

struct rank {
	s64 number;
	double meta_s, transfer_s;	/* of files that are not shared */
};

struct log {
	const char *path;
	u64 line;
	struct timed_jobs *to;
	char *name;			/* of the job; NULL: none has begun */
	double start_s, end_s;
	u64 ranks_n;
	void *ranks;			/* tree of those that have files of their own */
	struct rank slowest;		/* of them, so far */
	double shared_from, shared_to;	/* first open, last I/O; NaN: no such file */
	u32 first;			/* of all jobs' activities: */
	struct activity *files;
	bool *writes;
	u32 files_n, files_room;
	char *record;			/* the current one: rank and id */
	s64 rank;
	double v[STAMPS];		/* of it; 0: did not happen */
};

static int bad(const struct log *l, const char *what)
{
	return error(-EINVAL, "'%s' line %llu: %s", l->path, (unsigned long long)l->line, what);
}

/* ---- a record: one file, and a rank or all ---- */

static void keep(struct log *l, bool writes, double first_s, double last_s)
{
	if (!last_s || last_s < first_s)
		return;
	if (l->files_n == l->files_room) {
		l->files_room = l->files_room * 2 + 64;
		l->files = need(reallocarray(l->files, l->files_room, sizeof(*l->files)));
		l->writes = need(reallocarray(l->writes, l->files_room, sizeof(*l->writes)));
	}
	l->writes[l->files_n] = writes;
	l->files[l->files_n++] = (struct activity){ .first_s = first_s, .last_s = last_s };
}

static int compare(const void *a, const void *b)
{
	const struct rank *x = a, *y = b;

	return x->number < y->number ? -1 : x->number > y->number;
}

/* Times only grow, so whoever is the slowest has been so since his last record. */
static void keep_rank(struct log *l, double meta_s, double transfer_s)
{
	struct rank key = { .number = l->rank }, *rank, **found;

	found = tfind(&key, &l->ranks, compare);
	if (!found) {
		rank = need(malloc(sizeof(*rank)));
		*rank = key;
		found = need(tsearch(rank, &l->ranks, compare));
	}
	rank = *found;
	rank->meta_s += meta_s;
	rank->transfer_s += transfer_s;
	if (rank->meta_s + rank->transfer_s > l->slowest.meta_s + l->slowest.transfer_s)
		l->slowest = *rank;
}

static void end_record(struct log *l)
{
	const double *v = l->v;

	if (!l->record)
		return;
	keep(l, false, v[READ_BEGIN], v[READ_END]);
	keep(l, true, v[WRITE_BEGIN], v[WRITE_END]);
	if (l->rank >= 0) {
		keep_rank(l, v[META], v[READ] + v[WRITE]);
	} else if (v[OPEN] || v[READ_END] || v[WRITE_END]) {
		l->shared_from = fmin(l->shared_from, v[OPEN]);
		l->shared_to = fmax(l->shared_to, fmax(v[READ_END], v[WRITE_END]));
	}
	free(l->record);
	l->record = NULL;
	memset(l->v, 0, sizeof(l->v));
}

/* ---- a job ---- */

static int end_job(struct log *l)
{
	struct timed_job *j;

	if (!l->name)
		return 0;
	end_record(l);
	if (isnan(l->start_s) || isnan(l->end_s) || l->end_s < l->start_s)
		return bad(l, "the job before has no start_time, or no end_time after it");
	j = timed_jobs_add(l->to, l->name, l->start_s, l->end_s);
	j->seconds[FORM_METADATA] = l->slowest.meta_s;
	j->seconds[FORM_TRANSFER] = l->slowest.transfer_s;
	j->seconds[FORM_SHARED] = fmax(l->shared_to - l->shared_from, 0);
	for (u32 i = 0; i < l->files_n; i++) {
		struct activity a = l->files[i];

		timed_jobs_activity(l->to, (struct activity){ .job = l->to->n - 1,
							       .first_s = l->start_s + a.first_s,
							       .last_s = l->start_s + a.last_s },
				    l->writes[i] ? FORM_WRITES : FORM_READS, a.last_s - a.first_s);
	}
	free(l->name);
	l->name = NULL;
	return 0;
}

static int begin_job(struct log *l)
{
	int ret = end_job(l);

	if (ret)
		return ret;
	tdestroy(l->ranks, free);
	l->ranks = NULL;
	l->slowest = (struct rank){};
	l->ranks_n = l->files_n = 0;
	l->start_s = l->end_s = NAN;
	l->shared_from = INFINITY;
	l->shared_to = 0;
	l->name = need(strdup("?"));
	return 0;
}

/* ---- lines ---- */

static int take_ranks(struct log *l, const char *text)
{
	u64 n;

	if (num_uint(text, &n) || !n || n > INT32_MAX)
		return bad(l, "nprocs is no number of processes");
	if (l->ranks_n)
		return bad(l, "nprocs is there twice");
	l->ranks_n = n;
	return 0;
}

/* The times have other names behind them that begin the same: start_time_asci. */
static int take_comment(struct log *l, char *text)
{
	char *value = strstr(text, ": ");

	if (!strncmp(text, "# darshan log version", strlen("# darshan log version")))
		return begin_job(l);
	if (!value || !l->name)
		return 0;
	*value = '\0';
	value += 2;
	if (!strcmp(text, "# jobid")) {
		free(l->name);
		l->name = need(strdup(value));
	} else if (!strcmp(text, "# start_time")) {
		l->start_s = strtod(value, NULL);
	} else if (!strcmp(text, "# end_time")) {
		l->end_s = strtod(value, NULL);
	} else if (!strcmp(text, "# nprocs")) {
		return take_ranks(l, value);
	}
	return 0;
}

/* NULL: a counter that is not needed. */
static const struct counter *find_counter(const char *name)
{
	static const char *const before[] = { "POSIX_F_", "CP_F_POSIX_", "CP_F_" };

	for (int i = 0; i < 3; i++) {
		size_t len = strlen(before[i]);

		for (size_t c = 0; c < sizeof(counters) / sizeof(*counters); c++)
			if (!strncmp(name, before[i], len) && !strcmp(name + len, counters[c].name))
				return &counters[c];
	}
	return NULL;
}

static int take_rank(struct log *l, const char *rank, const char *id)
{
	char *record = need_text("%s %s", rank, id), *end;

	if (l->record && !strcmp(l->record, record)) {
		free(record);
		return 0;
	}
	end_record(l);
	l->record = record;
	l->rank = strtoll(rank, &end, 10);
	if (*end || l->rank < -1 || l->rank >= (s64)l->ranks_n)
		return bad(l, "a rank that is not below nprocs");
	return 0;
}

static int take_counter(struct log *l, char *text)
{
	char *rest = text, *module = strcspn(text, "-0123456789") ? take_word(&rest) : NULL;
	char *rank = take_word(&rest), *id = take_word(&rest), *name = take_word(&rest);
	char *value = take_word(&rest), *end;
	const struct counter *counter = name ? find_counter(name) : NULL;
	double v;
	int ret;

	if (!value)
		return bad(l, "not a rank, a record, a counter and its value");
	if (!counter || (module && strcmp(module, "POSIX")))
		return 0;
	if (!l->name)
		return bad(l, "it does not begin with '# darshan log version'");
	ret = take_rank(l, rank, id);
	if (ret)
		return ret;
	v = strtod(value, &end);
	if (end == value || *end || !isfinite(v))
		return bad(l, "the value is no number");
	l->v[counter->stamp] = fmax(v, 0);	/* -1: not known */
	return 0;
}

static int read_lines(struct log *l, FILE *f, char *text)
{
	int ret = 0;

	while (!ret && fgets(text, LINE, f)) {
		size_t len = strlen(text);

		l->line++;
		if (len == LINE - 1)
			return bad(l, "it is too long");
		if (len && text[len - 1] == '\n')
			text[len - 1] = '\0';
		if (*text)
			ret = *text == '#' ? take_comment(l, text) : take_counter(l, text);
	}
	if (!ret && ferror(f))
		ret = error(-EIO, "cannot read '%s'", l->path);
	return ret ?: end_job(l);
}

int timed_jobs_read_darshan(struct timed_jobs *to, const char *path)
{
	struct log l = { .path = path, .to = to };
	char *text = need(malloc(LINE));
	FILE *f = fopen(path, "r");
	int ret = f ? read_lines(&l, f, text) :
		  error(-errno, "cannot open '%s': %s", path, strerror(errno));

	if (f)
		fclose(f);
	free(text);
	free(l.name);
	free(l.record);
	tdestroy(l.ranks, free);
	free(l.files);
	free(l.writes);
	return ret;
}
