// SPDX-License-Identifier: GPL-2.0-or-later
/* Draws plots by gnuplot. A tic is a mark with a label on an axis. */
#include "user/base/plot.h"

#include <ctype.h>
#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "user/base/err.h"
#include "user/base/num.h"
#include "user/base/page.h"

#define LARGEST 1e300 /* limit of plotted values, because gnuplot cannot plot infinite ranges */
/* smallest range of an axis, as a fraction of the largest absolute value on it */
#define NARROWEST 1e-9
#define TICS_MOST 10 /* largest number of tics on a linear axis */

/* Prints an error with the first line of @err that is no warning. @err is the stderr of gnuplot.
 * Returns -EIO. */
static int gnuplot_failed(FILE *err)
{
	char line[200] = "";

	rewind(err);
	while (fgets(line, sizeof(line), err) && (line[0] == '\n' || strstr(line, "warning:")))
		;
	line[strcspn(line, "\n")] = '\0';
	return error(-EIO, "gnuplot failed: %s", line);
}

/* Runs gnuplot on the script of @p. Option -d makes gnuplot ignore the user's configuration. With
 * the argument "/dev/stdin", gnuplot reads the script in blocks; without it, byte by byte. */
static int run_gnuplot(const struct plot *p)
{
	int status;
	pid_t pid;

	if (fflush(p->script) || ferror(p->script))
		return error(-EIO, "cannot write the commands for gnuplot: %s", strerror(errno));
	rewind(p->script);
	pid = fork();
	if (pid < 0)
		return error(-errno, "cannot start gnuplot: %s", strerror(errno));
	if (!pid) {
		sigset_t none;

		prctl(PR_SET_PDEATHSIG, SIGKILL);
		sigemptyset(&none);
		sigprocmask(SIG_SETMASK, &none, NULL);
		dup2(fileno(p->script), STDIN_FILENO);
		dup2(fileno(p->svg), STDOUT_FILENO);
		dup2(fileno(p->err), STDERR_FILENO);
		execlp("gnuplot", "gnuplot", "-d", "/dev/stdin", NULL);
		_exit(127);
	}
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
		return error(-ENOENT,
			     "there is no gnuplot to draw the plots; install it "
			     "(Debian: gnuplot-nox)");
	if (status)
		return gnuplot_failed(p->err);
	rewind(p->svg);
	return 0;
}

static void close_files(struct plot *p)
{
	free(p->title);
	if (p->script)
		fclose(p->script);
	if (p->svg)
		fclose(p->svg);
	if (p->err)
		fclose(p->err);
}

static FILE *open_memory(void)
{
	int fd = memfd_create("plot", MFD_CLOEXEC);
	FILE *f = fd < 0 ? NULL : fdopen(fd, "w+");

	if (!f && fd >= 0)
		close(fd);
	return f;
}

static int open_files(struct plot *p)
{
	int ret;

	p->title = NULL;
	p->script = open_memory();
	p->svg = open_memory();
	p->err = open_memory();
	if (p->script && p->svg && p->err)
		return 0;
	ret = error(-errno, "cannot make a file in memory: %s", strerror(errno));
	close_files(p);
	return ret;
}

int plot_check(void)
{
	struct plot p;
	int ret = open_files(&p);

	if (ret)
		return ret;
	ret = run_gnuplot(&p);
	close_files(&p);
	return ret;
}

/* Writes @text in quotes. Writes @percent for each '%', and '?' for each character that gnuplot
 * could interpret. */
static void put_text(FILE *script, const char *text, const char *percent)
{
	fputc('\'', script);
	for (; *text; text++)
		if (*text == '%')
			fputs(percent, script);
		else if (isalnum((unsigned char)*text) || strchr(" ._/:()[]+,=*#-", *text))
			fputc(*text, script);
		else
			fputc('?', script);
	fputc('\'', script);
}

void plot_text(FILE *script, const char *text)
{
	put_text(script, text, "%");
}

void plot_tic(FILE *script, const char *text, unsigned at)
{
	put_text(script, text, "%%");
	fprintf(script, " %u", at);
}

FILE *plot_begin(struct plot *p, int height, const char *title)
{
	if (open_files(p))
		return NULL;
	p->title = need(strdup(title));
	fprintf(p->script,
		"axis_time = ''\naxis_binary = 0\naxis_x_log = 0\naxis_y_log = 0\n"
		"set terminal svg size %d,%d font 'sans-serif,12' noenhanced\n",
		PLOT_WIDTH, height);
	fprintf(p->script, "set lmargin %d\nset rmargin %d\nset title ", PLOT_LEFT, PLOT_RIGHT);
	put_text(p->script, title, "%");
	fprintf(p->script,
		"\nset key outside right top Left reverse samplen 1.5\n"
		"set grid back linecolor rgb '#dddddd'\n");
	return p->script;
}

/* Returns the smallest step that is at least @least and 1, 2 or 5 times a power of ten. If @binary
 * is true, the step is a power of two. */
static double nice_step(double least, bool binary)
{
	double step = binary ? 1 : 1e-3, factors[] = { 2, 2.5, 2 };

	for (int i = 0; step < least; i++)
		step *= binary ? 2 : factors[i % 3];
	return step;
}

void plot_widen(double *low, double *high)
{
	double least;

	*low = fmin(fmax(*low, -LARGEST), LARGEST);
	*high = fmin(fmax(*high, -LARGEST), LARGEST);
	least = fmax(fabs(*low), fabs(*high)) * NARROWEST;
	if (!(*high > *low))
		*high = *low + fmax(least, 1);
	else if (*high - *low < least)
		*high = *low + least;
}

const char *plot_label(char *buf, double value, bool binary)
{
	static const char prefixes[] = " kMGTPE";
	double step = binary ? 1024 : 1000;
	int i = 0;

	for (; fabs(value) >= step && prefixes[i + 1]; i++)
		value /= step;
	if (i)
		snprintf(buf, NUM_TEXT, "%.6g %c%s", value, binary && i == 1 ? 'K' : prefixes[i],
			 binary ? "i" : "");
	else
		snprintf(buf, NUM_TEXT, "%.6g", value);
	return buf;
}

void plot_scale(FILE *script, const char *axis, double low, double high, bool binary)
{
	double step, first;
	char text[NUM_TEXT];

	plot_widen(&low, &high);
	step = nice_step((high - low) / 5, binary);
	first = ceil(low / step - 1e-9);
	if (binary && *axis == 'y')
		fprintf(script, "axis_binary = 1\n");
	fprintf(script, "set %srange [%.15g:%.15g]\nset %stics (", axis, low, high, axis);
	for (int i = 0; i < TICS_MOST && (first + i) * step <= high + step * 1e-9; i++)
		fprintf(script, "%s'%s' %.15g", i ? ", " : "",
			plot_label(text, (first + i) * step, binary), (first + i) * step);
	fprintf(script, ")\n");
}

void plot_time(FILE *script, const char *unit)
{
	fprintf(script, "axis_time = '%s'\nset xlabel 'time, %s' offset 0,0.5\n", unit, unit);
}

void plot_log_scale(FILE *script, const char *axis, double low, double high, int tics)
{
	int first, last, step;
	char text[NUM_TEXT];

	low = fmin(fmax(low, 1e-9), LARGEST / 4);
	high = fmin(high, LARGEST);
	if (!(high > low * (1 + NARROWEST)))
		high = 2 * low;
	first = ceil(log2(low) - 1e-9);
	last = floor(log2(high) + 1e-9);
	step = first < last ? (last - first + tics - 1) / tics : 1;
	fprintf(script, "set logscale %s 2\nset %srange [%.15g:%.15g]\nset %stics (", axis, axis,
		low, high, axis);
	if (first > last)
		fprintf(script, "'%s' %.15g", plot_label(text, low, true), low);
	for (int i = first; i <= last; i += step)
		fprintf(script, "%s'%s' %.15g", i > first ? ", " : "",
			plot_label(text, exp2(i), true), exp2(i));
	fprintf(script, ")\naxis_%s_log = 1\n", axis);
}

struct plot_image plot_image_new(unsigned columns, unsigned rows)
{
	struct plot_image i = { columns + 1, rows + 1, NULL };
	size_t n = (size_t)i.columns * i.rows;

	i.cells = need(reallocarray(NULL, n, sizeof(*i.cells)));
	while (n--)
		i.cells[n] = NAN;
	return i;
}

/* Passes the cells as binary data, because gnuplot needs seconds to evaluate the expressions of a
 * matrix in text form. */
void plot_image(FILE *script, const struct plot_image *i, double x0, double dx, double y0,
		double dy)
{
	fprintf(script,
		"plot '-' binary array=(%u,%u) format='%%float' origin=(%.15g,%.15g) dx=%.15g "
		"dy=%.15g with image\n",
		i->columns, i->rows, x0, y0, dx, dy);
	fwrite(i->cells, sizeof(*i->cells), (size_t)i->columns * i->rows, script);
	free(i->cells);
}

/* Makes gnuplot print one line for page.js. The line has 5 numbers for each axis:
 *
 * - the positions of its two ends in the drawing
 * - the values at its two ends
 * - 1 if the axis is logarithmic, else 0 */
static void print_axes(FILE *script)
{
	fprintf(script,
		"\nheight = GPVAL_TERM_YSIZE / GPVAL_TERM_SCALE\n"
		"print sprintf('axes %%.2f %%.2f %%.15g %%.15g %%d', GPVAL_TERM_XMIN, "
		"GPVAL_TERM_XMAX, GPVAL_X_MIN, GPVAL_X_MAX, axis_x_log)"
		".sprintf(' %%.2f %%.2f %%.15g %%.15g %%d', height - GPVAL_TERM_YMIN, "
		"height - GPVAL_TERM_YMAX, GPVAL_Y_MIN, GPVAL_Y_MAX, axis_y_log)"
		".(axis_binary ? '\" data-binary=\"' : '')"
		".(axis_time eq '' ? '' : '\" data-time=\"'.axis_time)\n");
}

/* Writes the start of the <svg> element: a title for screen readers, and the attributes that
 * page.js reads. */
static void begin_svg(const struct plot *p, FILE *to)
{
	char *line = NULL;
	size_t size = 0;

	fprintf(to, "<figure>\n<svg role=\"img\" aria-label=\"");
	page_text(to, p->title);
	fputc('"', to);
	rewind(p->err);
	while (getline(&line, &size, p->err) > 0)
		if (!strncmp(line, "axes ", 5))
			fprintf(to, " data-axes=\"%.*s\"", (int)strcspn(line + 5, "\n"), line + 5);
	free(line);
	fputc('\n', to);
}

/* Copies <svg> to the page @to. Leaves out gnuplot's title, and the XML declaration and document
 * type, which are valid only at the start of a file. gnuplot ignores write errors. So if the end of
 * <svg> is missing, returns -EIO. */
static int copy_svg(const struct plot *p, FILE *to)
{
	char *line = NULL;
	size_t size = 0;
	bool inside = false, complete = false;

	while (getline(&line, &size, p->svg) > 0) {
		complete |= !strncmp(line, "</svg>", 6);
		if (!strncmp(line, "<svg", 4)) {
			inside = true;
			complete = false;
			begin_svg(p, to);
		} else if (inside && strncmp(line, "<title>", 7) != 0 &&
			   strncmp(line, "<desc>", 6) != 0) {
			fputs(line, to);
		}
	}
	free(line);
	fprintf(to, "</figure>\n");
	return complete ? 0 : error(-EIO, "gnuplot has not written a complete plot");
}

int plot_end(struct plot *p, FILE *to)
{
	int ret;

	print_axes(p->script);
	ret = run_gnuplot(p) ?: copy_svg(p, to);
	close_files(p);
	return ret;
}
