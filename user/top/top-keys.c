// SPDX-License-Identifier: GPL-2.0-or-later
/* The keys of iospan top: each changes the view, such as the sorted column or the filter. */
#include "user/top/top-keys.h"

#include <limits.h>
#include <string.h>
#include <wchar.h>

const char *const top_help[] = {
	"d c p    rows of disks, of cgroups, of processes",
	"< >      sort by the column to the left, to the right; or by its letter:",
	"         n name, v BPS at vfs, b BPS at the device, u busy, o concurrency,",
	"         9 p99, i IOPS, w bandwidth, R read, W write, F flushes/s, t T, A ARPT;",
	"         not of disks: a amplification, s sync p99, S shared, D slowdown;",
	"         of cgroups P PSI",
	"r        reverse the order",
	"f /      show only rows with a text in their name; * ? [...] as in a shell",
	"         Enter applies it, Escape cancels the edit",
	"Escape   show all rows again, and select none",
	"a disk*  is stacked on other disks, and not in the total",
	"T ~      is estimated in part, as completions were lost",
	"H        a suitable unit per number, or one unit per column",
	"space    pause or continue",
	"arrows   select a cgroup or process, and show which others use its disks at",
	"         the same time; of disks, a row up or down",
	"PgUp PgDn Home End  other rows",
	"h ?      this help",
	"q        quit",
	NULL,
};

static void type_character(char *filter, wchar_t c)
{
	char bytes[MB_LEN_MAX + 1] = "";
	mbstate_t state = {};

	if (wcrtomb(bytes, c, &state) <= MB_LEN_MAX && strlen(filter) + strlen(bytes) < TOP_FILTER)
		strcat(filter, bytes);
}

/* Removes the last UTF-8 character of @filter. */
static void erase_character(char *filter)
{
	size_t n = strlen(filter);

	while (n && (filter[n - 1] & 0xc0) == 0x80)
		n--;
	filter[n ? n - 1 : 0] = '\0';
}

static void edit_filter(struct top_view *v, unsigned key)
{
	if (key == TOP_ESCAPE)
		strcpy(v->filter, v->filter_before);
	if (key == TOP_ESCAPE || key == TOP_ENTER)
		v->typing = false;
	else if (key == TOP_ERASE)
		erase_character(v->filter);
	else if (key >= ' ' && key < TOP_UP)
		type_character(v->filter, key);
}

static void scroll(struct top_view *v, unsigned key)
{
	unsigned page = v->page ? v->page : 1, last = v->n > page ? v->n - page : 0;
	unsigned by = key == TOP_PAGE_UP || key == TOP_PAGE_DOWN ? page : 1;

	if (key == TOP_UP || key == TOP_PAGE_UP)
		v->first = v->first > by ? v->first - by : 0;
	else if (key == TOP_DOWN || key == TOP_PAGE_DOWN)
		v->first = v->first + by < last ? v->first + by : last;
	else
		v->first = key == TOP_HOME ? 0 : last;
}

static void sort_by_letter(struct top_view *v, unsigned key)
{
	for (int i = 0; i < TOP_COLUMNS; i++)
		if ((unsigned)top_columns[i].letter == key)
			v->sort = i;
}

/* Sorts by the next column to the left (@step -1) or right (@step 1). Skips columns that have no
 * values for the shown kind of rows. */
static void sort_beside(struct top_view *v, int step)
{
	int to = v->sort + step;

	while (to >= 0 && to < TOP_COLUMNS && !top_has_column(v, &top_columns[to]))
		to += step;
	if (to >= 0 && to < TOP_COLUMNS)
		v->sort = to;
}

static void show_rows(struct top_view *v, enum top_rows rows)
{
	v->rows = rows;
	v->selected = 0;
}

static void command(struct top_view *v, unsigned key)
{
	switch (key) {
	case 'd':
		show_rows(v, TOP_DISKS);
		break;
	case 'c':
		show_rows(v, TOP_GROUPS);
		break;
	case 'p':
		show_rows(v, TOP_PROCESSES);
		break;
	case '<':
		sort_beside(v, -1);
		break;
	case '>':
		sort_beside(v, 1);
		break;
	case 'r':
		v->reverse = !v->reverse;
		break;
	case 'f':
	case '/':
		v->typing = true;
		strcpy(v->filter_before, v->filter);
		break;
	case 'H':
		v->human = !v->human;
		break;
	case ' ':
		v->paused = !v->paused;
		break;
	case TOP_ESCAPE:
		*v->filter = '\0';
		v->selected = 0;
		break;
	case 'h':
	case '?':
		v->help = true;
		break;
	default:
		sort_by_letter(v, key);
	}
}

bool top_key(struct top_view *v, unsigned key)
{
	bool was_help = v->help;

	v->help = false;
	if (v->typing)
		edit_filter(v, key);
	else if (key == 'q')
		return false;
	else if (v->rows != TOP_DISKS && (key == TOP_UP || key == TOP_DOWN))
		top_select(v, key == TOP_UP ? -1 : 1);
	else if (key >= TOP_UP && key <= TOP_END)
		scroll(v, key);
	else if (!was_help)
		command(v, key);
	top_view_list(v);
	return true;
}
