// SPDX-License-Identifier: GPL-2.0-or-later
#include "tools/characterize/counters.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "tools/characterize/log-samples.h"
#include "tools/input/stat-lines.h"

/* Stores the first bytes of the log in @head of @size bytes, as text. Of stdin, which cannot be
 * read twice, this is a single byte. */
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
		ret = log_samples_read_prometheus(&s, path, range);
	else if (starts_with(head, STAT_LINES_FILE))
		ret = log_samples_read_stat(&s, path);
	else
		ret = log_samples_read_lines(&s, path);
	log->cumulative |= s.are_totals;
	if (!ret)
		ret = log_samples_make(&s, c, path, log);
	log_samples_release(&s);
	return ret;
}
