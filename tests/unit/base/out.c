// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests the output of results. */
#include <fcntl.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>
#include "user/base/control.h"
#include "user/base/err.h"
#include "user/base/out-print.h"
#include "user/base/out-read.h"
#include "user/base/out.h"
#include "user/base/page.h"
#include "user/base/table.h"
#include "tests/lib/harness.h"
#include "tests/unit/capture.h"

static const char *text_of(struct out *node)
{
	static char *text;
	size_t size;
	FILE *f;

	free(text);
	f = open_memstream(&text, &size);
	out_json(f, node);
	fclose(f);
	out_free(node);
	return text;
}

TEST(document_is_indented_and_in_order)
{
	struct out *doc = out_object(), *list = out_array(), *row = out_object();

	out_str(doc, "zebra", "first");
	out_u64(doc, "count", 3);
	out_u64(row, "n", 1);
	out_append(list, row);
	out_append_str(list, "x");
	out_put(doc, "list", list);
	out_put(doc, "empty_list", out_array());
	out_put(doc, "empty", out_object());
	out_bool(doc, "yes", 17);
	out_bool(doc, "no", 0);
	EXPECT_STR(text_of(doc),
		   "{\n"
		   "  \"zebra\": \"first\",\n"
		   "  \"count\": 3,\n"
		   "  \"list\": [\n"
		   "    {\n"
		   "      \"n\": 1\n"
		   "    },\n"
		   "    \"x\"\n"
		   "  ],\n"
		   "  \"empty_list\": [],\n"
		   "  \"empty\": {},\n"
		   "  \"yes\": true,\n"
		   "  \"no\": false\n"
		   "}\n");
}

TEST(absent_things_are_null)
{
	struct out *doc = out_object();

	out_f64(doc, "nan", NAN);
	out_f64(doc, "inf", -INFINITY);
	out_str(doc, "str", NULL);
	out_put(doc, "node", NULL);
	out_null(doc, "null");
	EXPECT_STR(text_of(doc),
		   "{\n  \"nan\": null,\n  \"inf\": null,\n  \"str\": null,\n"
		   "  \"node\": null,\n  \"null\": null\n}\n");
}

/* A counter of 2^64 - 1 must not be printed as -1, although jansson has only signed integers. */
TEST(large_counter_is_not_negative)
{
	struct out *doc = out_array(), *row = out_object();

	out_u64(row, "most", UINT64_MAX);
	out_u64(row, "signed_most", INT64_MAX);
	out_append(doc, row);
	EXPECT_STR(text_of(doc),
		   "[\n  {\n    \"most\": 1.8446744073709552e+19,\n"
		   "    \"signed_most\": 9223372036854775807\n  }\n]\n");
}

TEST(reals_are_short_and_exact)
{
	struct out *doc = out_object();

	out_f64(doc, "tenth", 0.1);
	out_f64(doc, "third", 1.0 / 3);
	out_f64(doc, "whole", 512);
	out_f64(doc, "tiny", 2.5e-8);
	EXPECT_STR(text_of(doc),
		   "{\n  \"tenth\": 0.1,\n  \"third\": 0.3333333333333333,\n"
		   "  \"whole\": 512,\n  \"tiny\": 2.5e-08\n}\n");
}

#define BAD "\xef\xbf\xbd" /* U+FFFD, the replacement character */

/* File names, command lines and names of cgroups may contain any bytes. In JSON, invalid bytes
 * become U+FFFD, also in keys. */
TEST(any_bytes_give_valid_json)
{
	static const struct {
		const char *in, *out;
	} cases[] = {
		{ "caf\xc3\xa9", "caf\xc3\xa9" },
		{ "\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80" },
		{ "caf\xe9!", "caf" BAD "!" }, /* text in Latin-1 */
		{ "\xff\xfe", BAD BAD },
		{ "cut \xe2\x82", "cut " BAD BAD },
		{ "\xc0\xaf", BAD BAD },	 /* an overlong encoding */
		{ "\xed\xa0\x80", BAD BAD BAD }, /* an encoded surrogate */
		{ "\xf4\x90\x80\x80", BAD BAD BAD BAD },
		{ "a\"b\\c\n\t\x01", "a\"b\\c\n\t\x01" },
		{ "", "" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct out *doc = out_object();
		json_t *back;

		out_str(doc, "name", cases[i].in);
		out_bool(doc, cases[i].in, true);
		back = json_loads(text_of(doc), 0, NULL);
		ASSERT_TRUE(back != NULL);
		EXPECT_STR(json_string_value(json_object_get(back, "name")), cases[i].out);
		EXPECT_TRUE(json_is_true(json_object_get(back, cases[i].out)));
		json_decref(back);
	}
}

/* The test parses the output by jansson, which accepts only valid JSON. */
TEST(every_pair_of_bytes_gives_valid_json)
{
	struct out *doc = out_array();
	json_t *back;

	for (int a = 1; a < 256; a++)
		for (int b = 1; b < 256; b++)
			out_append_str(doc, (char[]){ a, b, 0 });
	back = json_loads(text_of(doc), 0, NULL);
	EXPECT_EQ(json_array_size(back), 255 * 255);
	json_decref(back);
}

static struct table *sample(void)
{
	struct table *t = table_new(1);

	table_cell(t, "DISK");
	table_cell(t, "IOPS");
	table_cell(t, "%s", "p99");
	table_end_row(t);
	table_cell(t, "nvme0n1");
	table_cell(t, "%.1f", 182.3);
	table_cell(t, "84 us");
	table_end_row(t);
	table_cell(t, "caf\xc3\xa9\x1b");
	table_cell(t, "-");
	table_end_row(t);
	return t;
}

TEST(columns_are_aligned)
{
	struct capture c = capture_start(STDOUT_FILENO);
	struct table *t = sample();

	table_text(stdout, t, "  ");
	table_free(t);
	EXPECT_STR(capture_end(c),
		   "  DISK      IOPS    p99\n"
		   "  nvme0n1  182.3  84 us\n"
		   "  caf\xc3\xa9?        -\n");
}

/* A row must not end with blanks, because they would show when a user copies or compares a
 * report. */
TEST(left_aligned_last_column_has_no_blanks_behind)
{
	struct capture c = capture_start(STDOUT_FILENO);
	struct table *t = table_new(2);

	table_cell(t, "a");
	table_cell(t, "long text");
	table_end_row(t);
	table_cell(t, "bb");
	table_cell(t, "x");
	table_end_row(t);
	table_text(stdout, t, "");
	table_free(t);
	EXPECT_STR(capture_end(c), "a   long text\nbb  x\n");
}

/* Prints the table on a terminal with @columns columns. Returns the output. */
static char *on_terminal(const struct table *t, unsigned columns)
{
	static char text[1000];
	struct winsize size = { .ws_row = 24, .ws_col = columns };
	int master = posix_openpt(O_RDWR | O_NOCTTY), slave;
	struct termios raw;
	size_t size_read = 0;
	ssize_t n;
	FILE *f;

	ASSERT_EQ(grantpt(master) | unlockpt(master), 0);
	slave = open(ptsname(master), O_RDWR | O_NOCTTY);
	ASSERT_EQ(tcgetattr(slave, &raw), 0);
	cfmakeraw(&raw);
	ASSERT_EQ(tcsetattr(slave, TCSANOW, &raw) | ioctl(slave, TIOCSWINSZ, &size), 0);
	f = fdopen(slave, "w");
	table_text(f, t, "  ");
	fclose(f);
	/* read() may return less than was written; it fails with EIO at the end */
	while ((n = read(master, text + size_read, sizeof(text) - 1 - size_read)) > 0)
		size_read += n;
	text[size_read] = '\0';
	close(master);
	return text;
}

/* On a narrow terminal, a table is printed in parts. Each part repeats the columns at the left,
 * because they have the name of the row. */
TEST(narrow_terminals_show_parts_of_a_table)
{
	struct table *t = sample();

	EXPECT_STR(on_terminal(t, 23),
		   "  DISK      IOPS    p99\n"
		   "  nvme0n1  182.3  84 us\n"
		   "  caf\xc3\xa9?        -\n");
	for (unsigned columns = 2; columns <= 22; columns += 10)
		EXPECT_STR(on_terminal(t, columns),
			   "  DISK      IOPS\n"
			   "  nvme0n1  182.3\n"
			   "  caf\xc3\xa9?        -\n"
			   "\n"
			   "  DISK       p99\n"
			   "  nvme0n1  84 us\n"
			   "  caf\xc3\xa9?\n");
	table_free(t);
}

TEST(empty_table_prints_nothing)
{
	struct capture c = capture_start(STDOUT_FILENO);
	struct table *t = table_new(0);

	table_text(stdout, t, "  ");
	table_free(t);
	table_free(NULL);
	out_free(NULL);
	EXPECT_STR(capture_end(c), "");
}

TEST(csv_quotes_what_needs_it)
{
	static const char *const cells[] = { "plain", "a,b", "say \"hi\"", "" };
	struct capture c = capture_start(STDOUT_FILENO);

	for (size_t i = 0; i < sizeof(cells) / sizeof(*cells); i++) {
		out_csv_cell(stdout, cells[i]);
		putchar(';');
	}
	EXPECT_STR(capture_end(c), "plain;\"a,b\";\"say \"\"hi\"\"\";;");
}

/* A name in CSV must not start a new line, or send escape sequences to a terminal. So iospan
 * escapes harmful characters, and `iospan import` restores them. The names of systemd's units
 * already contain escapes like \x2d; iospan must not change these. */
TEST(csv_escapes_what_is_harmful)
{
	static const char *const cells[][2] = {
		{ "two\nlines\r", "two\\x0alines\\x0d" },
		{ "\x1b[2J,\"", "\"\\x1b[2J,\"\"\"" },
		{ "\u202e\xff\u00e9", "\\xe2\\x80\\xae\\xff\u00e9" },
		{ "dev-a\\x2db", "dev-a\\x2db" },
		{ "\\x1b", "\\x5cx1b" },
		{ "\\x5c\\", "\\x5cx5c\\" },
	};

	for (size_t i = 0; i < sizeof(cells) / sizeof(*cells); i++) {
		struct capture c = capture_start(STDOUT_FILENO);
		char text[64];

		out_csv_cell(stdout, cells[i][0]);
		EXPECT_STR(capture_end(c), cells[i][1]);
		strcpy(text, cells[i][1]);
		unescape(text);
		if (*text != '"')
			EXPECT_STR(text, cells[i][0]);
	}
}

TEST(finish_finds_a_full_disk)
{
	FILE *f = fopen("/dev/full", "w");
	struct capture c = capture_start(STDERR_FILENO);

	fputs("a result", f);
	EXPECT_EQ(out_finish(f, "report.txt"), -ENOSPC);
	EXPECT_STR(capture_end(c),
		   "iospan: cannot write to 'report.txt': No space left on device\n");
}

/* Escape sequences and line breaks become one visible column each, so that the table stays
 * aligned. */
TEST(names_in_tables_are_harmless)
{
	static const char *const names[] = { "name", "a\u202eb", "\x1b[2J", "\x80\xff\u2066",
					     "\u00e9t\u00e9" };
	struct capture c = capture_start(STDOUT_FILENO);
	struct table *t = table_new(1);

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		table_cell(t, "%s", names[i]);
		table_cell(t, "x");
		table_end_row(t);
	}
	table_text(stdout, t, "");
	table_free(t);
	out_line_format(stdout, "%s|%d", "\u202e\n", 1);
	EXPECT_STR(capture_end(c), "name  x\na?b   x\n?[2J  x\n???   x\n\u00e9t\u00e9   x\n??|1");
}

TEST(names_in_pages_are_harmless)
{
	struct capture c = capture_start(STDOUT_FILENO);

	page_text(stdout, "<a>\n\x1b[2J \u202eb \xc2\x85 \u00e9");
	EXPECT_STR(capture_end(c), "&lt;a&gt;\n?[2J ?b ? \u00e9");
}

/* The line is still in the buffer of stdio, so only out_finish() can notice that the disk is
 * full. */
TEST(finish_finds_a_full_disk_after_a_line_of_json)
{
	FILE *f = fopen("/dev/full", "w");
	struct out *node = out_object();

	out_json_line(f, node);
	EXPECT_EQ(out_finish(f, "report.txt"), -ENOSPC);
	out_free(node);
}

/* stdio has already tried to write its buffer, and failed. out_finish() must report that error. */
TEST(finish_finds_an_earlier_failure)
{
	FILE *f = fopen("/dev/full", "w");

	for (int i = 0; i < 100000; i++)
		fputc('x', f);
	EXPECT_TRUE(ferror(f));
	EXPECT_EQ(out_finish(f, "report.txt"), -ENOSPC);
}

TEST(finish_finds_a_read_only_file)
{
	FILE *f = fopen("/dev/null", "r");

	fputs("a result", f);
	EXPECT_LT(out_finish(f, "report.txt"), 0);
	fclose(f);
}

TEST(finish_is_quiet_when_all_is_well)
{
	FILE *f = fopen("/dev/null", "w");
	struct capture c = capture_start(STDERR_FILENO);

	fputs("a result", f);
	EXPECT_EQ(out_finish(f, "report.txt"), 0);
	EXPECT_STR(capture_end(c), "");
	fclose(f);
}

/* The parser must not read beyond text that has no NUL at its end, and must refuse invalid JSON. */
TEST(text_in_memory_is_read)
{
	static const char *const bad[] = { "", "{", "{}x", "{\"a\": 1, \"a\": 2}", "[1,]" };
	struct out *doc = out_parse("{\"a\": \"b\"}{", 10);

	ASSERT_TRUE(doc != NULL);
	EXPECT_STR(out_get_str(doc, "a"), "b");
	out_free(doc);
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		EXPECT_TRUE(out_parse(bad[i], strlen(bad[i])) == NULL);
}

TEST_MAIN
