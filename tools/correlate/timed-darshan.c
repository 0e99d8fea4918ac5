// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads jobs from the output of darshan-parser. Each log in it is one job:
 *
 * # darshan log version: 3.41
 * # jobid: 4478
 * # start_time: 1392239350
 * # end_time: 1392239412
 * # nprocs: 16
 * POSIX  -1  1592...  POSIX_F_READ_START_TIMESTAMP  0.25  /scratch/x  /scratch  lustre
 *
 * A rank is a process of the job. Rank -1 stands for all ranks: the file is shared. Any other file
 * is unique. Darshan 2 omits the first field, the module. Lines with "# WARNING:" may precede a
 * log. */
#include <math.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/err.h"
#include "user/base/need.h"
#include "user/base/infile.h"
#include "user/base/num.h"
#include "tools/import/import.h"
#include "tools/correlate/darshan-counters.h"
#include "tools/correlate/sources.h"

#define LINE 65536

struct rank {
	s64 number;
	/* .meta_s: time in metadata calls to unique files. .transfer_s: time in reads and writes of
	 * unique files. */
	double meta_s, transfer_s;
};

struct log {
	const char *path;
	u64 line;
	struct timed_jobs *to;
	/* number of warnings that darshan-parser printed into the file */
	u64 warnings;
	/* text of the first warning */
	char *warning;
	/* line of the file @path that has the first warning */
	u64 warning_line;
	/* name of the job that is being read; NULL: none */
	char *name;
	double start_s, end_s;
	u64 ranks_n;
	/* tree of tsearch(3): the ranks of the job that used unique files */
	void *ranks;
	/* copy of the rank in .ranks with the longest time (.meta_s + .transfer_s) so far */
	struct rank slowest;
	/* First open and last I/O of shared files, in seconds from the start of the job. If
	 * .shared_to is 0, no shared file had I/O. */
	double shared_from, shared_to;
	/* activities of the job: for each file, the time from the first to the last read, and from
	 * the first to the last write. Times are in seconds from the start of the job. */
	struct activity *files;
	/* .writes[i]: true if the activity .files[i] consists of writes, false if it consists of
	 * reads */
	bool *writes;
	u32 files_n, files_room;
	/* I/O of the job: .volumes[0] on all file systems, .volumes[1] on those that count */
	double volumes[2][VOLUMES];
	/* tree of tsearch(3): the ids of the job's unique files */
	void *ids;
	/* whether the file in .record is on a file system that counts */
	bool counts;
	/* rank and file id of the last counter that was read, as the text "RANK ID"; NULL: none was
	 * read */
	char *record;
	/* the rank in .record as a number; -1: all ranks share the file */
	s64 rank;
	/* times of the rank and file in .record, such as the time of the first read; 0: the event
	 * did not happen */
	double v[STAMPS];
};

static int bad(const struct log *l, const char *what)
{
	return error(-EINVAL, "'%s' line %llu: %s", l->path, (unsigned long long)l->line, what);
}

static void add_file_activity(struct log *l, bool writes, double first_s, double last_s)
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

static int by_rank(const void *a, const void *b)
{
	const struct rank *x = a, *y = b;

	return x->number < y->number ? -1 : x->number > y->number;
}

/* Adds the times of a unique file to the times of the rank l->rank, and updates l->slowest. The
 * times of a rank only grow, so l->slowest is the slowest rank so far. */
static void add_rank_times(struct log *l, double meta_s, double transfer_s)
{
	struct rank key = { .number = l->rank }, *rank, **found;

	found = tfind(&key, &l->ranks, by_rank);
	if (!found) {
		rank = need(malloc(sizeof(*rank)));
		*rank = key;
		found = need(tsearch(rank, &l->ranks, by_rank));
	}
	rank = *found;
	rank->meta_s += meta_s;
	rank->transfer_s += transfer_s;
	if (rank->meta_s + rank->transfer_s > l->slowest.meta_s + l->slowest.transfer_s)
		l->slowest = *rank;
}

static int by_id(const void *a, const void *b)
{
	return strcmp(a, b);
}

/* Returns true if the unique file in l->record is new. Several ranks may have used the same
 * file. */
static bool is_new_file(struct log *l)
{
	char *id = need(strdup(strchr(l->record, ' ') + 1));
	bool is_new = *(char **)need(tsearch(id, &l->ids, by_id)) == id;

	if (!is_new)
		free(id);
	return is_new;
}

static void add_volumes(struct log *l)
{
	bool unique = l->rank >= 0 && is_new_file(l);

	for (int k = 0; k < (l->counts ? 2 : 1); k++) {
		double *to = l->volumes[k];

		to[VOLUME_UNIQUE] += unique;
		to[VOLUME_SHARED] += l->rank < 0;
		to[VOLUME_READ] += l->v[READ_BYTES];
		to[VOLUME_WRITE] += l->v[WRITE_BYTES];
	}
}

static void add_times(struct log *l)
{
	const double *v = l->v;

	add_file_activity(l, false, v[READ_BEGIN], v[READ_END]);
	add_file_activity(l, true, v[WRITE_BEGIN], v[WRITE_END]);
	if (l->rank >= 0) {
		add_rank_times(l, v[META], v[READ] + v[WRITE]);
	} else if (v[OPEN] || v[READ_END] || v[WRITE_END]) {
		l->shared_from = fmin(l->shared_from, v[OPEN]);
		l->shared_to = fmax(l->shared_to, fmax(v[READ_END], v[WRITE_END]));
	}
}

static void end_record(struct log *l)
{
	if (!l->record)
		return;
	add_volumes(l);
	if (l->counts)
		add_times(l);
	free(l->record);
	l->record = NULL;
	memset(l->v, 0, sizeof(l->v));
}

static int end_job(struct log *l)
{
	struct timed_job *j;

	if (!l->name)
		return 0;
	end_record(l);
	if (isnan(l->start_s) || isnan(l->end_s) || l->end_s < l->start_s)
		return bad(l, "the previous job has no start_time, or no end_time after it");
	j = timed_jobs_add(l->to, l->name, l->start_s, l->end_s);
	j->seconds[FORM_METADATA] = l->slowest.meta_s;
	j->seconds[FORM_TRANSFER] = l->slowest.transfer_s;
	j->seconds[FORM_SHARED] = fmax(l->shared_to - l->shared_from, 0);
	for (int k = 0; k < 2; k++) {
		l->volumes[k][VOLUME_PROCESSES] = l->ranks_n;
		memcpy(k ? j->selected : j->all, l->volumes[k], sizeof(j->all));
	}
	for (u32 i = 0; i < l->files_n; i++) {
		struct activity a = l->files[i];

		timed_jobs_activity(l->to,
				    (struct activity){ .job = l->to->n - 1,
						       .first_s = l->start_s + a.first_s,
						       .last_s = l->start_s + a.last_s },
				    l->writes[i] ? FORM_WRITES : FORM_READS, a.last_s - a.first_s);
	}
	free(l->name);
	l->name = NULL;
	return 0;
}

static int start_job(struct log *l)
{
	int ret = end_job(l);

	if (ret)
		return ret;
	tdestroy(l->ranks, free);
	l->ranks = NULL;
	tdestroy(l->ids, free);
	l->ids = NULL;
	memset(l->volumes, 0, sizeof(l->volumes));
	l->slowest = (struct rank){};
	l->ranks_n = l->files_n = 0;
	l->start_s = l->end_s = NAN;
	l->shared_from = INFINITY;
	l->shared_to = 0;
	l->name = need(strdup("?"));
	return 0;
}

static int read_nprocs(struct log *l, const char *text)
{
	u64 n;

	if (num_uint(text, &n) || !n || n > INT32_MAX)
		return bad(l, "nprocs is not a number of processes");
	if (l->ranks_n)
		return bad(l, "nprocs is given twice");
	l->ranks_n = n;
	return 0;
}

static void count_warning(struct log *l, const char *text)
{
	if (l->warnings++)
		return;
	l->warning = need(strdup(text));
	l->warning_line = l->line;
}

static void show_warnings(const struct log *l)
{
	if (l->warnings)
		warn("'%s' has %llu warning%s of darshan-parser; the first, in line %llu: %s",
		     l->path, (unsigned long long)l->warnings, num_word(l->warnings, "", "s"),
		     (unsigned long long)l->warning_line, l->warning);
}

/* Reads a line that starts with "#". Such a line is the first line of a job, or has the start, the
 * end or the number of processes of a job. Whole names are compared, because "start_time_asci" also
 * starts with "start_time". */
static int read_comment(struct log *l, char *text)
{
	char *value = strstr(text, ": ");

	if (darshan_warns(text))
		count_warning(l, text + 2);
	if (!strncmp(text, "# darshan log version", strlen("# darshan log version")))
		return start_job(l);
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
		return read_nprocs(l, value);
	}
	return 0;
}

/* Returns the mount point in @rest, the end of a line: a file, its mount point and the type of
 * the file system, with tabs between them. Overwrites @rest. */
static const char *mount_in(char *rest)
{
	char *tab = strrchr(rest, '\t');

	if (!tab)
		return "";
	*tab = '\0';
	tab = strrchr(rest, '\t');
	return tab ? tab + 1 : rest;
}

static int set_record(struct log *l, const char *rank, const char *id, char *rest)
{
	char *record = need_text("%s %s", rank, id), *end;

	if (l->record && !strcmp(l->record, record)) {
		free(record);
		return 0;
	}
	end_record(l);
	l->record = record;
	l->counts = timed_jobs_mount_counts(l->to, mount_in(rest));
	l->rank = strtoll(rank, &end, 10);
	if (*end || l->rank < -1 || l->rank >= (s64)l->ranks_n)
		return bad(l, "the rank is not below nprocs");
	return 0;
}

static int read_counter(struct log *l, char *text)
{
	char *rest = text, *module = strcspn(text, "-0123456789") ? take_word(&rest) : NULL;
	char *rank = take_word(&rest), *id = take_word(&rest), *name = take_word(&rest);
	char *value = take_word(&rest), *end;
	int stamp = name ? darshan_stamp(name) : -1;
	double v;
	int ret;

	if (!value)
		return bad(l, "expected a rank, a record, a counter and its value");
	if (stamp < 0 || (module && strcmp(module, "POSIX")))
		return 0;
	if (!l->name)
		return bad(l, "no line '# darshan log version' before");
	ret = set_record(l, rank, id, rest);
	if (ret)
		return ret;
	v = strtod(value, &end);
	if (end == value || *end || !isfinite(v))
		return bad(l, "the value is not a number");
	/* Darshan writes -1 if a time is not known */
	l->v[stamp] = fmax(v, 0);
	return 0;
}

static int read_lines(struct log *l, FILE *f, char *text)
{
	int ret = 0;

	while (!ret && fgets(text, LINE, f)) {
		size_t len = strlen(text);

		l->line++;
		if (len == LINE - 1)
			return bad(l, "the line is too long");
		if (len && text[len - 1] == '\n')
			text[len - 1] = '\0';
		if (*text)
			ret = *text == '#' ? read_comment(l, text) : read_counter(l, text);
	}
	if (!ret && ferror(f))
		ret = error(-errno, "cannot read '%s': %s", l->path, strerror(errno));
	return ret ?: end_job(l);
}

int timed_jobs_read_darshan(struct timed_jobs *to, const char *path)
{
	struct log l = { .path = path, .to = to };
	char *text = need(malloc(LINE));
	FILE *f = infile_open(path);
	int ret = f ? read_lines(&l, f, text) : -EINVAL;

	if (f)
		fclose(f);
	if (!ret)
		show_warnings(&l);
	free(text);
	free(l.warning);
	free(l.name);
	free(l.record);
	tdestroy(l.ranks, free);
	tdestroy(l.ids, free);
	free(l.files);
	free(l.writes);
	return ret;
}
