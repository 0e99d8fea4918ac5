// SPDX-License-Identifier: GPL-2.0-or-later
/* What a system did, as CSV. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/err.h"
#include "tools/import/sheet.h"
#include "tools/correlate/series.h"

struct series_columns {
	struct series *to;
	int start, end;
	int *amounts; /* by column of the series */
};

static bool ends_with(const char *name, const char *end)
{
	size_t len = strlen(name), tail = strlen(end);

	return len > tail && !strcmp(name + len - tail, end);
}

/* "read_Bps" is bytes, and "opens_per_s" opens, per second. */
static void take_column(struct series *to, const char *name)
{
	bool bytes = ends_with(name, "_Bps"), rate = bytes || ends_with(name, "_per_s");
	int len = strlen(name) - (bytes ? strlen("_Bps") : rate ? strlen("_per_s") : 0);
	char *title = need_text("%.*s%s", len, name, bytes ? "_bytes" : "");

	series_column(to, title, rate);
	free(title);
}

static int series_row(struct sheet *c, void *arg)
{
	struct series_columns *at = arg;
	double start = NAN, end, v;
	u32 row;
	int ret = sheet_want_number(c, at->end, &end);

	if (!ret && at->start >= 0)
		ret = sheet_want_number(c, at->start, &start);
	if (ret)
		return ret;
	row = series_add(at->to, start, end);
	for (u32 i = 0; i < at->to->columns_n; i++) {
		ret = sheet_number(c, at->amounts[i], &v);
		if (!ret && v < 0)
			ret = sheet_bad(c, "%s is below 0", c->names[at->amounts[i]]);
		if (ret)
			return ret;
		at->to->columns[i].values[row] = v;
	}
	return 0;
}

static int read_series(struct sheet *c, struct series *to)
{
	struct series_columns at = { .to = to,
				     .start = sheet_find(c, "t_start_s"),
				     .end = sheet_want(c, "t_end_s") };
	int ret;

	if (at.end < 0)
		return at.end;
	at.amounts = need(calloc(c->n + 1, sizeof(*at.amounts)));
	for (int i = 0; i < c->n; i++) {
		if (i == at.start || i == at.end)
			continue;
		at.amounts[to->columns_n] = i;
		take_column(to, c->names[i]);
	}
	ret = to->columns_n ? sheet_each(c, series_row, &at) :
			      error(-EINVAL, "'%s' has only columns of time", c->path);
	free(at.amounts);
	return ret ?: series_finish(to, c->path);
}

int series_read_csv(struct series *to, const char *path)
{
	struct sheet c;
	int ret = sheet_open(&c, path);

	if (!ret)
		ret = read_series(&c, to);
	sheet_close(&c);
	return ret;
}
