// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests plots of extreme numbers. */
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include "user/base/plot.h"
#include "tests/lib/harness.h"

static const double extremes[] = {
	0,	5e-324,	       1e-300, 1e-12, 1,     1 + 1e-15, 1e6,   1e15,   1e17,	 1e17 + 16,
	0x1p62, 0x1p62 + 1024, 0x1p64, 1e100, 1e300, 1e308,	-1e17, -1e308, HUGE_VAL, NAN,
};
#define EXTREMES (sizeof(extremes) / sizeof(*extremes))

static void linear(FILE *script, double low, double high)
{
	plot_scale(script, "y", low, high, true);
}

static void logarithmic(FILE *script, double low, double high)
{
	plot_log_scale(script, "y", low, high, 8);
}

/* Draws plots with an axis from @low to each of the extreme numbers. */
static void draw(void (*scale)(FILE *script, double low, double high), double low)
{
	FILE *page = tmpfile(), *script;
	struct plot p;

	script = plot_begin(&p, 100, "extremes");
	ASSERT_TRUE(script != NULL);
	fprintf(script, "$D << EOD\n1 2\n3 4\nEOD\n");
	for (size_t i = 0; i < EXTREMES; i++) {
		scale(script, low, extremes[i]);
		fprintf(script, "plot [0:5] $D with lines # %g to %g\n", low, extremes[i]);
	}
	EXPECT_EQ(plot_end(&p, page), 0);
	EXPECT_GT(ftell(page), 0);
	fclose(page);
}

static void every_range(void (*scale)(FILE *script, double low, double high))
{
	NEEDS(!system("gnuplot --version >/dev/null 2>&1"), "needs gnuplot");
	for (size_t i = 0; i < EXTREMES; i++)
		draw(scale, extremes[i]);
}

TEST(every_range_has_a_plot)
{
	every_range(linear);
}

TEST(every_logarithmic_range_has_a_plot)
{
	every_range(logarithmic);
}

/* gnuplot uses the label of a tic as a printf() format, so a "%" in it must be escaped. gnuplot
 * does not use a title as a format. */
TEST(texts_are_no_formats)
{
	static const char *const texts[] = { "50%", "%", "%%", "%d %s", "a%20b" };
	static char seen[1 << 16];
	FILE *page = tmpfile(), *script;
	struct plot p;
	char *wanted;

	NEEDS(!system("gnuplot --version >/dev/null 2>&1"), "needs gnuplot");
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		script = plot_begin(&p, 200, "title");
		ASSERT_TRUE(script != NULL);
		fputs("set yrange [0:2]\nset ytics (", script);
		plot_tic(script, texts[i], 1);
		fputs(")\nplot [0:2] x\n", script);
		rewind(page);
		ASSERT_EQ(plot_end(&p, page), 0);
		rewind(page);
		seen[fread(seen, 1, sizeof(seen) - 1, page)] = '\0';
		ASSERT_TRUE(asprintf(&wanted, "<text>%s</text>", texts[i]) > 0);
		EXPECT_TRUE(strstr(seen, wanted) != NULL);
		free(wanted);
	}
	fclose(page);
}

TEST(an_incomplete_plot_is_an_error)
{
	const struct rlimit most = { 2048, 2048 };
	FILE *page = fopen("/dev/null", "w"), *script;
	struct plot p;

	NEEDS(!system("gnuplot --version >/dev/null 2>&1"), "needs gnuplot");
	signal(SIGXFSZ, SIG_IGN);
	ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &most), 0);
	for (int points = 2; points <= 2000; points += 1998) {
		script = plot_begin(&p, 200, "title");
		ASSERT_TRUE(script != NULL);
		fputs("$D << EOD\n", script);
		for (int i = 0; i < points; i++)
			fprintf(script, "%d\n", i);
		fputs("EOD\nplot $D\n", script);
		EXPECT_EQ(plot_end(&p, page), -EIO);
	}
	fclose(page);
}

TEST_MAIN
