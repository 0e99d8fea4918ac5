// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads jobs from the output of `sacct -P`, the accounting of Slurm:
 *
 * JobID|JobName|State|Start|End
 * 4711|ior|COMPLETED|2026-01-31T12:00:00|2026-01-31T12:10:00
 * 4711.batch|batch|COMPLETED|2026-01-31T12:00:00|2026-01-31T12:10:00 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/err.h"
#include "user/base/infile.h"
#include "user/base/num.h"
#include "tools/correlate/sources.h"

enum { ID, STATE, START, END, SACCT_COLUMNS };
static const char *const titles[SACCT_COLUMNS] = { "JobID", "State", "Start", "End" };

struct sacct {
	struct timed_jobs *to;
	const char *path;
	unsigned line;
	/* .column[k]: position in a line of the column with the title titles[k]; -1: there is no
	 * such column */
	int column[SACCT_COLUMNS];
	/* number of jobs that still run or have failed; they are left out */
	u32 unfinished;
};

/* Finds the columns in the first line. Returns 0 or -EINVAL; prints the error. */
static int take_titles(struct sacct *s, char *text)
{
	char *one;

	for (int k = 0; k < SACCT_COLUMNS; k++)
		s->column[k] = -1;
	for (int i = 0; (one = strsep(&text, "|")); i++)
		for (int k = 0; k < SACCT_COLUMNS; k++)
			if (!strcmp(one, titles[k]))
				s->column[k] = i;
	for (int k = 0; k < SACCT_COLUMNS; k++)
		if (s->column[k] < 0 && k != STATE)
			return error(
				-EINVAL,
				"'%s' has no column '%s'; use sacct -P -o JobID,State,Start,End",
				s->path, titles[k]);
	return 0;
}

static int take_job(struct sacct *s, char *text)
{
	const char *cells[SACCT_COLUMNS] = { "", "COMPLETED", "", "" }, *one;
	double start, end;

	for (int i = 0; (one = strsep(&text, "|")); i++)
		for (int k = 0; k < SACCT_COLUMNS; k++)
			if (s->column[k] == i)
				cells[k] = one;
	/* Leave out a step of a job, such as 4711.batch. The line of the job includes it. */
	if (!*cells[ID] || strchr(cells[ID], '.'))
		return 0;
	if (strcmp(cells[STATE], "COMPLETED") != 0) {
		s->unfinished++;
		return 0;
	}
	start = sources_time(cells[START]);
	end = sources_time(cells[END]);
	if (isnan(start) || isnan(end) || end < start)
		return error(-EINVAL, "'%s' line %u: job '%.40s' has no start, or no end after it",
			     s->path, s->line, cells[ID]);
	timed_jobs_add(s->to, cells[ID], start, end);
	return 0;
}

int timed_jobs_read_sacct(struct timed_jobs *to, const char *path)
{
	struct sacct s = { .to = to, .path = path };
	FILE *f = infile_open(path);
	size_t room = 0;
	char *text = NULL;
	int ret = 0;

	if (!f)
		return -EINVAL;
	while (!ret && getline(&text, &room, f) >= 0) {
		text[strcspn(text, "\r\n")] = '\0';
		ret = s.line++ ? take_job(&s, text) : take_titles(&s, text);
	}
	if (!ret && ferror(f))
		ret = error(-EIO, "cannot read '%s': %s", path, strerror(errno));
	free(text);
	fclose(f);
	if (!ret && s.unfinished)
		warn("'%s': %u job%s left out, because the state is not COMPLETED", path,
		     s.unfinished, num_word(s.unfinished, " is", "s are"));
	return ret;
}
