// SPDX-License-Identifier: GPL-2.0-or-later
/* Draws the table of iospan top (struct top_view) with ncurses, and reads the pressed keys. */
#include "user/top/screen.h"

#include <curses.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "user/base/err.h"
#include "user/base/num.h"
#include "user/base/wide.h"
#include "user/top/terminal.h"
#include "user/top/top-keys.h"

#define GAP 2
#define HISTORY_TITLE "busy, by interval"
#define HISTORY_LEAST 17 /* smallest width of the history column: the width of its title */
/* smallest width of the name column, unless all names are shorter */
#define NAME_LEAST 16
#define NAME_TITLE 8
/* If a name is longer than NAME_LEAST, names need more room. Each column after TOP_AMPLIFICATION
 * is then drawn only if NAME_LEAST + NAME_MORE characters remain for the names. */
#define NAME_MORE 8
/* smallest width of a column of values; while the values fit in this width, no column moves */
#define WIDTH_LEAST 7
/* iospan uses at most this many lines and columns of the terminal. This limits the memory: ncurses
 * takes 84 bytes for each character. */
#define LINES_MOST 1024
#define COLUMNS_MOST 2048
/* If no byte follows an ESC byte within this time, the user has pressed Escape. Otherwise ESC
 * starts the byte sequence of another key. */
#define ESCAPE_MS 25

static SCREEN *terminal;

/* Finds the size of the terminal, limited to LINES_MOST and COLUMNS_MOST. Returns false if the size
 * is unknown. */
static bool find_size(int *lines, int *columns)
{
	struct winsize size;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) || !size.ws_row || !size.ws_col)
		return false;
	*lines = size.ws_row < LINES_MOST ? size.ws_row : LINES_MOST;
	*columns = size.ws_col < COLUMNS_MOST ? size.ws_col : COLUMNS_MOST;
	return true;
}

/* Sets the size that newterm() uses, because terminfo has no size for TERM=linux. The size is
 * limited, because a huge terminal would make ncurses take all memory. */
static void limit_size(void)
{
	int lines = 24, columns = 80;
	char text[NUM_TEXT];

	find_size(&lines, &columns);
	snprintf(text, sizeof(text), "%d", lines);
	setenv("LINES", text, true);
	snprintf(text, sizeof(text), "%d", columns);
	setenv("COLUMNS", text, true);
}

/* If the size of the terminal has changed, adapts ncurses to it and returns true. */
static bool follow_size(void)
{
	int lines, columns;

	if (!find_size(&lines, &columns) || (lines == LINES && columns == COLS) ||
	    resize_term(lines, columns) == ERR)
		return false;
	clearok(curscr, true);
	return true;
}

/* Opens the terminal. If the system does not describe the kind of terminal that the variable TERM
 * names, uses the description in iospan. Returns NULL if iospan has no description either. */
static SCREEN *open_terminal(void)
{
	SCREEN *s = newterm(NULL, stdout, stdin);
	const char *own = s ? NULL : terminfo_find(getenv("TERM"));

	if (!own)
		return s;
	setenv("TERMINFO", own, true);
	return newterm(NULL, stdout, stdin);
}

int screen_begin(void)
{
	int ret = 0;

	setlocale(LC_CTYPE, "");
	limit_size();
	signal(SIGWINCH, SIG_IGN);
	if (isatty(STDIN_FILENO) && isatty(STDOUT_FILENO))
		terminal = open_terminal();
	if (!terminal)
		return error(-ENOTTY,
			     "top needs a terminal, and TERM to name its kind; without one, try: "
			     "iospan stat --by process --sort bytes 1");
	atexit(screen_end);
	colour_begin();
	follow_size();
	ret = messages_hold();
	signal(SIGQUIT, SIG_IGN); /* SIGQUIT would end iospan and leave the terminal in raw mode */
	cbreak();
	noecho();
	nonl();
	keypad(stdscr, true);
	nodelay(stdscr, true);
	set_escdelay(ESCAPE_MS);
	curs_set(0);
	return ret;
}

void screen_end(void)
{
	if (!terminal)
		return;
	endwin();
	delscreen(terminal);
	terminal = NULL;
	messages_release();
}

static unsigned key_from_curses(int type, wint_t c)
{
	static const struct {
		int curses;
		unsigned key;
	} keys[] = {
		{ KEY_UP, TOP_UP },	    { KEY_DOWN, TOP_DOWN },
		{ KEY_PPAGE, TOP_PAGE_UP }, { KEY_NPAGE, TOP_PAGE_DOWN },
		{ KEY_HOME, TOP_HOME },	    { KEY_END, TOP_END },
		{ KEY_ENTER, TOP_ENTER },   { KEY_BACKSPACE, TOP_ERASE },
		{ KEY_DC, TOP_ERASE },
	};

	if (type == KEY_CODE_YES) {
		for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
			if (keys[i].curses == (int)c)
				return keys[i].key;
		/* iospan does not use this key. The result SCREEN_RESIZED makes the caller draw
		 * again, and do nothing else. */
		return SCREEN_RESIZED;
	}
	switch (c) {
	case '\r':
	case '\n':
		return TOP_ENTER;
	case 0x7f:
	case '\b':
		return TOP_ERASE;
	case 0x1b:
		return TOP_ESCAPE;
	}
	return c;
}

unsigned screen_key(void)
{
	struct pollfd p = { .fd = STDIN_FILENO, .events = POLLIN };
	wint_t c;
	int type;

	if (follow_size())
		return SCREEN_RESIZED;
	type = get_wch(&c);
	if (type != ERR)
		return key_from_curses(type, c);
	return poll(&p, 1, 0) > 0 && p.revents & (POLLHUP | POLLERR | POLLNVAL) ? SCREEN_GONE : 0;
}

static void put_text(int y, int x, const char *text, int columns, enum wide_end stays)
{
	wchar_t *line;

	if (columns < 1 || y >= LINES)
		return;
	line = need(calloc(columns + 1, sizeof(*line)));
	wide_fit(line, text, columns, stays);
	mvaddwstr(y, x, line);
	free(line);
}

static void put_text_line(int y, const char *text)
{
	put_text(y, 0, text, COLS, WIDE_BEGIN);
}

/* Draws the lines above the table. Returns their number. */
static int draw_head(const struct top_view *v)
{
	char *text = NULL, *rest, *line;
	size_t size;
	int y = 0;
	FILE *f = need(open_memstream(&text, &size));

	top_head(f, v);
	fclose(f);
	for (rest = text; (line = strsep(&rest, "\n")) && *line; y++) {
		if (!strncmp(line, "  lost: ", 8))
			colour_use(COLOUR_LOSS);
		put_text_line(y, line);
		colour_end();
	}
	free(text);
	return y;
}

/* Draws the help from line @y on, or from a higher line if the help needs more room. */
static void draw_help(int y)
{
	int last = LINES - 1;

	for (const char *const *line = top_help; *line; line++)
		last--;
	y = y < last ? y : last > 0 ? last : 0;
	for (const char *const *line = top_help; *line; line++, y++) {
		mvhline(y, 0, ' ', COLS);
		put_text_line(y, *line);
	}
}

/* Returns the number of table rows on the current page. */
static unsigned shown_rows(const struct top_view *v)
{
	return v->first + v->page < v->n ? v->page : v->n - v->first;
}

static int width_of(const struct top_view *v, const struct top_column *c)
{
	char buf[NUM_TEXT];
	size_t width = strlen(top_title(buf, v, c));

	if (width < WIDTH_LEAST)
		width = WIDTH_LEAST;
	for (unsigned i = 0; i < shown_rows(v); i++) {
		size_t n = strlen(top_value(buf, v, c, &v->list[v->first + i]));

		width = n > width ? n : width;
	}
	return width + GAP;
}

/* The columns that are drawn, from left to right: the name, the .n columns in .shown (indices of
 * top_columns[]), and the history. .widths, .name and .history are widths; 0: no history. */
struct layout {
	int shown[TOP_COLUMNS];
	int widths[TOP_COLUMNS];
	int n;
	int name, history;
};

static int width_of_names(const struct top_view *v)
{
	int longest = NAME_TITLE;

	for (unsigned i = 0; i < v->n; i++) {
		char *name = top_row_name(&v->list[i]);
		int width = wide_columns(name);

		longest = width > longest ? width : longest;
		free(name);
	}
	return longest;
}

/* Fills the width of the terminal with columns, from the left. The remaining width is for the name
 * and, if the width suffices, for the history. */
static struct layout lay_out(const struct top_view *v)
{
	struct layout l = {};
	int names = width_of_names(v), least = names < NAME_LEAST ? names : NAME_LEAST;
	int left = COLS - least;

	for (int i = 1; i < TOP_COLUMNS; i++) {
		int width = width_of(v, &top_columns[i]);

		if (!top_has_column(v, &top_columns[i]))
			continue;
		if (width + (i > TOP_AMPLIFICATION && names > least ? NAME_MORE : 0) > left)
			break;
		left -= width;
		l.shown[l.n] = i;
		l.widths[l.n++] = width;
	}
	l.name = COLS < least ? COLS : left + least;
	l.history = l.name - names - GAP;
	if (l.history < HISTORY_LEAST) {
		l.history = 0;
		return l;
	}
	l.history = l.history < HISTORY ? l.history : HISTORY;
	l.name = names;
	return l;
}

static void put_cell(int y, int end, int width, const char *text)
{
	int taken = strlen(text);

	put_text(y, end - taken, text, width, WIDE_BEGIN);
}

static void draw_titles(int y, const struct top_view *v, const struct layout *l)
{
	char buf[NUM_TEXT];
	int x = l->name;

	mvhline(y, 0, ' ' | A_REVERSE, COLS);
	attrset(v->sort == TOP_NAME ? A_BOLD : A_REVERSE);
	put_text(y, 0, top_title(buf, v, &top_columns[TOP_NAME]), x, WIDE_BEGIN);
	for (int i = 0; i < l->n; i++) {
		attrset(l->shown[i] == v->sort ? A_BOLD : A_REVERSE);
		put_cell(y, x += l->widths[i], l->widths[i],
			 top_title(buf, v, &top_columns[l->shown[i]]));
	}
	attrset(A_REVERSE);
	if (l->history)
		put_cell(y, x + GAP + l->history, l->history, HISTORY_TITLE);
	attrset(A_NORMAL);
}

static void draw_row(int y, const struct top_view *v, const struct top_row *r,
		     const struct layout *l)
{
	char buf[NUM_TEXT], *name = top_row_name(r), *history;
	int x = l->name;

	attrset(top_is_selected(v, r) ? A_REVERSE : A_NORMAL);
	put_text(y, 0, name, x, WIDE_BOTH);
	attrset(A_NORMAL);
	free(name);
	for (int i = 0; i < l->n; i++) {
		const struct top_column *c = &top_columns[l->shown[i]];

		if (top_is_busy(c, r))
			colour_use(COLOUR_BUSY);
		put_cell(y, x += l->widths[i], l->widths[i], top_value(buf, v, c, r));
		colour_end();
	}
	history = history_text(&v->history, r->disk, r->group, l->history, MB_CUR_MAX == 1);
	colour_use(COLOUR_HISTORY);
	put_text(y, x + GAP, history, l->history, WIDE_BEGIN);
	colour_end();
	free(history);
}

static void draw_table(int y, const struct top_view *v)
{
	struct layout l = lay_out(v);

	if (y < LINES)
		draw_titles(y, v, &l);
	for (unsigned i = 0; i < shown_rows(v); i++)
		draw_row(y + 1 + i, v, &v->list[v->first + i], &l);
}

/* Draws the last line: the filter if the user is editing it, otherwise the most important keys. */
static void draw_foot(const struct top_view *v)
{
	char text[TOP_FILTER + 16];

	snprintf(text, sizeof(text), "filter: %s", v->filter);
	if (LINES > 1)
		put_text(LINES - 1, 0, v->typing ? text : "h help  q quit", COLS,
			 v->typing ? WIDE_END : WIDE_BEGIN);
	curs_set(v->typing);
}

void screen_draw(struct top_view *v)
{
	int y;

	erase();
	v->columns = COLS;
	y = draw_head(v);
	top_view_page(v, LINES > y + 2 ? LINES - y - 2 : 0);
	if (v->help)
		draw_help(y);
	else if (v->report.m)
		draw_table(y, v);
	draw_foot(v);
	refresh();
}

void screen_say(const char *text)
{
	erase();
	put_text_line(0, text);
	refresh();
}
