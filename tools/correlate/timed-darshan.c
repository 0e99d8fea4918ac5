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
 * A record is the lines with the same rank and the same file number (1592...). A rank is a process
 * of the job. Rank -1 stands for all ranks: the file is shared. Any other file is unique. Darshan 2
 * omits the first field, the module. Lines with "# WARNING:" may precede a log. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/err.h"
#include "user/base/need.h"
#include "user/base/infile.h"
#include "user/base/keys.h"
#include "user/base/num.h"
#include "tools/import/import.h"
#include "tools/correlate/sources.h"

#define LINE 65536

/* Values of a record that are used: times, durations and bytes. */
enum stamp {
	OPEN,
	READ_BEGIN,
	WRITE_BEGIN,
	READ_END,
	WRITE_END,
	META,
	READ,
	WRITE,
	BYTES_READ,
	BYTES_WRITTEN,
	STAMPS
};

/* Names of the counters of Darshan for enum stamp. The open has two names, because versions of
 * Darshan differ. */
static const struct {
	const char *name; /* name without its prefix, such as "POSIX_F_" */
	enum stamp stamp;
} counters[] = {
	{ "OPEN_START_TIMESTAMP", OPEN },
	{ "OPEN_TIMESTAMP", OPEN },
	{ "READ_START_TIMESTAMP", READ_BEGIN },
	{ "READ_END_TIMESTAMP", READ_END },
	{ "WRITE_START_TIMESTAMP", WRITE_BEGIN },
	{ "WRITE_END_TIMESTAMP", WRITE_END },
	{ "META_TIME", META },
	{ "READ_TIME", READ },
	{ "WRITE_TIME", WRITE },
	{ "BYTES_READ", BYTES_READ },
	{ "BYTES_WRITTEN", BYTES_WRITTEN },
};

/* Returns the value of enum stamp for the counter @name, such as "POSIX_F_META_TIME". Returns -1 if
 * the counter is not used. */
static int darshan_stamp(const char *name)
{
	static const char *const before[] = { "POSIX_F_", "CP_F_POSIX_", "CP_F_", "POSIX_", "CP_" };

	for (size_t i = 0; i < sizeof(before) / sizeof(*before); i++) {
		size_t len = strlen(before[i]);

		for (size_t c = 0; c < sizeof(counters) / sizeof(*counters); c++)
			if (!strncmp(name, before[i], len) && !strcmp(name + len, counters[c].name))
				return counters[c].stamp;
	}
	return -1;
}

/* Times of a rank in calls to unique files: in metadata calls, and in reads and writes. */
struct rank {
	double meta_s, transfer_s;
};

struct log {
	const char *path;
	u64 line;
	struct timed_jobs *to;
	u64 warnings; /* number of warnings that darshan-parser printed into the file */
	/* .warning: text of the first warning. .warning_line: number of its line in the file. */
	char *warning;
	u64 warning_line;
	/* true: the last job in the list is being read. Until the end of its log, the times of its
	 * activities (from number .first on) are relative to the start of the job. */
	bool in_job;
	size_t first;
	u64 ranks_n;
	/* .ranks_used: numbers of the ranks that used unique files. .ranks: their times. */
	struct keys ranks_used;
	struct rank *ranks;
	u32 ranks_room;
	/* First open and last I/O of all shared files, in seconds from the start of the job. If
	 * .shared_to is 0, no shared file had I/O. */
	double shared_from, shared_to;
	struct keys unique_files; /* ids of the unique files of the job */
	/* true: a record is being read; the fields below are its values */
	bool in_record;
	bool counts; /* true: the option --mount selects the file system of the file */
	s64 rank;    /* -1: all ranks share the file */
	u64 id;
	/* values by enum stamp; a time is 0 if the event did not happen */
	double v[STAMPS];
};

static int bad(const struct log *l, const char *what)
{
	return error(-EINVAL, "'%s' line %llu: %s", l->path, (unsigned long long)l->line, what);
}

static struct timed_job *job_of(const struct log *l)
{
	return &l->to->list[l->to->n - 1];
}

static void add_file_activity(struct log *l, enum form form, double first_s, double last_s)
{
	struct activity a = { .job = l->to->n - 1, .first_s = first_s, .last_s = last_s };

	if (last_s && last_s >= first_s)
		timed_jobs_activity(l->to, a, form, last_s - first_s);
}

/* Adds the times of a unique file to the times of its rank. If this rank is now the slowest rank of
 * the job, the job gets the times of this rank. */
static void add_rank_times(struct log *l, double meta_s, double transfer_s)
{
	u32 i = keys_number(&l->ranks_used, l->rank, UINT32_MAX);
	double *slowest = job_of(l)->seconds;
	struct rank *r;

	l->ranks = need_index(l->ranks, &l->ranks_room, i, sizeof(*l->ranks));
	r = &l->ranks[i];
	r->meta_s += meta_s;
	r->transfer_s += transfer_s;
	if (r->meta_s + r->transfer_s > slowest[FORM_METADATA] + slowest[FORM_TRANSFER]) {
		slowest[FORM_METADATA] = r->meta_s;
		slowest[FORM_TRANSFER] = r->transfer_s;
	}
}

/* Adds the files and bytes of the record to the job. A unique file may have records of several
 * ranks, so it is counted only when its id is new. */
static void add_volumes(struct log *l)
{
	struct timed_job *j = job_of(l);
	u32 before = l->unique_files.n;

	if (l->rank >= 0)
		keys_number(&l->unique_files, l->id, UINT32_MAX);
	for (int k = 0; k < (l->counts ? 2 : 1); k++) {
		double *to = k ? j->selected : j->all;

		to[VOLUME_UNIQUE] += l->unique_files.n - before;
		to[VOLUME_SHARED] += l->rank < 0;
		to[VOLUME_READ] += l->v[BYTES_READ];
		to[VOLUME_WRITE] += l->v[BYTES_WRITTEN];
	}
}

/* Adds the times of the record. The use of a shared file starts with its open. If the time of the
 * open is unknown, it starts with the first read or write. */
static void add_times(struct log *l)
{
	const double *v = l->v;

	add_file_activity(l, FORM_READS, v[READ_BEGIN], v[READ_END]);
	add_file_activity(l, FORM_WRITES, v[WRITE_BEGIN], v[WRITE_END]);
	if (l->rank >= 0) {
		add_rank_times(l, v[META], v[READ] + v[WRITE]);
		return;
	}
	for (int k = OPEN; k <= WRITE_BEGIN; k++)
		l->shared_from = v[k] ? fmin(l->shared_from, v[k]) : l->shared_from;
	l->shared_to = fmax(l->shared_to, fmax(v[READ_END], v[WRITE_END]));
}

static void end_record(struct log *l)
{
	if (!l->in_record)
		return;
	add_volumes(l);
	if (l->counts)
		add_times(l);
	l->in_record = false;
	memset(l->v, 0, sizeof(l->v));
}

static int end_job(struct log *l)
{
	struct timed_job *j;

	if (!l->in_job)
		return 0;
	end_record(l);
	j = job_of(l);
	if (!(j->start_s <= j->end_s))
		return bad(l, "the previous job has no start_time, or no end_time after it");
	j->seconds[FORM_SHARED] = fmax(l->shared_to - l->shared_from, 0);
	j->all[VOLUME_PROCESSES] = j->selected[VOLUME_PROCESSES] = l->ranks_n;
	for (size_t i = l->first; i < l->to->activities_n; i++) {
		l->to->activities[i].first_s += j->start_s;
		l->to->activities[i].last_s += j->start_s;
	}
	l->in_job = false;
	return 0;
}

static int start_job(struct log *l)
{
	struct timed_job *j;
	int ret = end_job(l);

	if (ret)
		return ret;
	j = timed_jobs_add(l->to, "?", NAN, NAN);
	j->seconds[FORM_METADATA] = j->seconds[FORM_TRANSFER] = 0;
	memset(j->all, 0, sizeof(j->all));
	memset(j->selected, 0, sizeof(j->selected));
	keys_release(&l->ranks_used);
	keys_release(&l->unique_files);
	l->ranks_used = l->unique_files = (struct keys){};
	l->ranks_room = l->ranks_n = 0;
	l->shared_from = INFINITY;
	l->shared_to = 0;
	l->first = l->to->activities_n;
	l->in_job = true;
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

/* Returns the number of seconds in @text, or NaN if it is no number. */
static double seconds_in(const char *text)
{
	char *end;
	double v = strtod(text, &end);

	return end > text && !*end && isfinite(v) ? v : NAN;
}

/* Reads a line that starts with "#": the first line of a log, a warning, or a property of the job
 * such as its start. Compares whole names, because "start_time_asci" also starts with
 * "start_time". */
static int read_comment(struct log *l, char *text)
{
	char *value = strstr(text, ": ");

	if (darshan_warns(text))
		count_warning(l, text + 2);
	if (!strncmp(text, "# darshan log version", strlen("# darshan log version")))
		return start_job(l);
	if (!value || !l->in_job)
		return 0;
	*value = '\0';
	value += 2;
	if (!strcmp(text, "# jobid")) {
		free(job_of(l)->name);
		job_of(l)->name = need(strdup(value));
	} else if (!strcmp(text, "# start_time")) {
		job_of(l)->start_s = seconds_in(value);
	} else if (!strcmp(text, "# end_time")) {
		job_of(l)->end_s = seconds_in(value);
	} else if (!strcmp(text, "# nprocs")) {
		return read_nprocs(l, value);
	}
	return 0;
}

/* @rest is the end of a line: a file, its mount point and the type of its file system, with tabs
 * between them. Returns the mount point. Overwrites @rest. */
static const char *mount_in(char *rest)
{
	char *tab = strrchr(rest, '\t');

	if (!tab)
		return "";
	*tab = '\0';
	tab = strrchr(rest, '\t');
	return tab ? tab + 1 : rest;
}

static int set_record(struct log *l, const char *rank_text, const char *id_text, char *rest)
{
	char *rank_end, *id_end;
	s64 rank = strtoll(rank_text, &rank_end, 10);
	u64 id = strtoull(id_text, &id_end, 10);

	if (*rank_end || rank < -1 || rank >= (s64)l->ranks_n)
		return bad(l, "the rank is not below nprocs");
	if (*id_end)
		return bad(l, "the record is not a number");
	if (l->in_record && l->rank == rank && l->id == id)
		return 0;
	end_record(l);
	l->in_record = true;
	l->rank = rank;
	l->id = id;
	l->counts = timed_jobs_mount_counts(l->to, mount_in(rest));
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
	if (!l->in_job)
		return bad(l, "no line '# darshan log version' before");
	ret = set_record(l, rank, id, rest);
	if (ret)
		return ret;
	v = strtod(value, &end);
	if (end == value || *end || !isfinite(v))
		return bad(l, "the value is not a number");
	/* Darshan writes -1 if a time is unknown */
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
	free(l.ranks);
	keys_release(&l.ranks_used);
	keys_release(&l.unique_files);
	return ret;
}
