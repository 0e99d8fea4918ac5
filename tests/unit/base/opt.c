// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests the command line: which arguments are accepted, the error messages, and the page of
 * --help. */
#include <stdarg.h>
#include <string.h>
#include "user/base/nearest.h"
#include "user/base/err.h"
#include "user/base/opt-common.h"
#include "user/base/opt-help.h"
#include "tests/lib/harness.h"
#include "tests/unit/capture.h"

static struct {
	bool json, verbose;
	uint64_t count, size, every;
	double share;
	const char *output;
	unsigned layers;
} o;

static const char *const layers[] = { "app", "vfs", "device", NULL, NULL };

static const struct opt opts[] = { OPT_STR('o', "output", &o.output, "FILE",
					   "write the report to FILE"),
				   OPT_FLAG('j', "json", &o.json, "print JSON"),
				   OPT_FLAG('v', "verbose", &o.verbose, "say more"),
				   OPT_UINT('n', "count", &o.count, "N", "how many"),
				   OPT_SIZE('s', "size", &o.size, "BYTES", "how large"),
				   OPT_TIME('i', "interval", &o.every, "TIME",
					    "how often, which is a text that is "
					    "too wide to fit in and has to go on below"),
				   OPT_REAL('r', "share", &o.share, "SHARE", "how much"),
				   OPT_SET(0, "layers", &o.layers, layers, "which layers"),
				   OPT_END };

static const struct opt_page page = {
	.command = "try",
	.usage = "[options] -- COMMAND [ARGUMENT...]",
	.summary = "try the options",
	.opts = opts,
	.examples = "  iospan try -- true\n",
};

/* Sets the options to their defaults, then parses the arguments up to NULL. */
static int parse(const char *first, ...)
{
	char *argv[16] = { "try" };
	int argc = 1;
	va_list args;

	memset(&o, 0, sizeof(o));
	o.count = 3;
	o.size = 4096;
	o.every = 1000000000;
	o.share = 0.5;
	o.layers = 7;
	va_start(args, first);
	for (const char *arg = first; arg; arg = va_arg(args, const char *))
		argv[argc++] = (char *)arg;
	va_end(args);
	return opt_parse(&page, argc, argv);
}

#define SEE_HELP "see 'iospan try --help'\n"

#define EXPECT_ERROR(message, ...) \
	do { \
		struct capture c = capture_start(STDERR_FILENO); \
		int ret = __VA_ARGS__; \
\
		EXPECT_STR(capture_end(c), message); \
		EXPECT_EQ(ret, -EUSAGE); \
	} while (0)
#define EXPECT_USAGE(message, ...) EXPECT_ERROR(message, parse(__VA_ARGS__, NULL))

TEST(nothing_given_leaves_the_defaults)
{
	EXPECT_EQ(parse(NULL), 1);
	EXPECT_EQ(o.count, 3);
	EXPECT_EQ(o.layers, 7);
	EXPECT_TRUE(!o.output && !o.json);
}

TEST(long_names_take_both_forms)
{
	EXPECT_EQ(parse("--output=a=b", "--count", "7", "--size=2k", "--interval=5ms", "--json",
			"--layers=device,app", "--share=25%", NULL),
		  9);
	EXPECT_STR(o.output, "a=b");
	EXPECT_EQ(o.count, 7);
	EXPECT_EQ(o.size, 2048);
	EXPECT_EQ(o.every, 5000000);
	EXPECT_TRUE(o.share == 0.25);
	EXPECT_EQ(o.layers, 5);
	EXPECT_TRUE(o.json && !o.verbose);
}

TEST(letters_take_both_forms_and_flags_together)
{
	EXPECT_EQ(parse("-vj", "-n7", "-o", "file", NULL), 5);
	EXPECT_TRUE(o.json && o.verbose);
	EXPECT_EQ(o.count, 7);
	EXPECT_STR(o.output, "file");
	EXPECT_EQ(parse("-vofile2", NULL), 2);
	EXPECT_STR(o.output, "file2");
}

/* In "iospan run dd --help", --help is an option of dd, with and without "--" before dd. */
TEST(operand_ends_the_options)
{
	EXPECT_EQ(parse("-v", "dd", "-j", "--count=9", NULL), 2);
	EXPECT_TRUE(!o.json);
	EXPECT_EQ(parse("-v", "--", "dd", "-j", NULL), 3);
	EXPECT_TRUE(!o.json);
	EXPECT_EQ(parse("--", "--json", NULL), 2);
	EXPECT_TRUE(!o.json);
	EXPECT_EQ(parse("--", "--", NULL), 2);
	EXPECT_EQ(parse("-", "-j", NULL), 1);
	EXPECT_EQ(parse("", "-j", NULL), 1);
	EXPECT_EQ(parse("--", NULL), 2);
}

/* All arguments after "--" are operands. */
TEST(operands_are_gathered_from_between_options)
{
	char *argv[] = { "try", "-v", "one", "--count", "7", "two", "-j", "--", "-v", "-n", NULL };
	char *operands[11];

	o.json = o.verbose = false;
	ASSERT_EQ(opt_operands(&page, 10, argv, operands), 4);
	EXPECT_STR(operands[0], "one");
	EXPECT_STR(operands[1], "two");
	EXPECT_STR(operands[2], "-v");
	EXPECT_STR(operands[3], "-n");
	EXPECT_TRUE(!operands[4]);
	EXPECT_TRUE(o.json && o.verbose);
	EXPECT_EQ(o.count, 7);
	EXPECT_EQ(opt_operands(&page, 1, argv, operands), 0);
	EXPECT_TRUE(!operands[0]);
}

TEST(unknown_option_is_named)
{
	EXPECT_USAGE("iospan: unknown option '--foo'; " SEE_HELP, "--foo");
	EXPECT_USAGE("iospan: unknown option '--foo'; " SEE_HELP, "--foo=1");
	EXPECT_USAGE("iospan: unknown option '-x'; " SEE_HELP, "-vx");
	EXPECT_USAGE("iospan: unknown option '--'; " SEE_HELP, "--=1");
}

/* Names of options must not be abbreviated, because an abbreviation in a user's script could become
 * ambiguous with a new option. */
TEST(names_are_not_abbreviated)
{
	EXPECT_USAGE("iospan: unknown option '--verb'; did you mean '--verbose'?\n", "--verb");
	EXPECT_USAGE("iospan: unknown option '--he'; " SEE_HELP, "--he");
	EXPECT_USAGE("iospan: unknown option '--jsonx'; did you mean '--json'?\n", "--jsonx");
}

TEST(a_misspelt_name_has_a_suggestion)
{
	static const char *const words[] = { "layers", "interval", "json", NULL, NULL };

	EXPECT_STR(nearest_word(words, "layer", 5), "layers");
	EXPECT_STR(nearest_word(words, "intreval", 8), "interval");
	EXPECT_STR(nearest_word(words, "jsno=1", 4), "json");
	EXPECT_STR(nearest_word((const char *[]){ "export", "exporter", NULL }, "exportr", 7),
		   "exporter");
	EXPECT_STR(nearest_word((const char *[]){ "exporter", "export", NULL }, "exporr", 6),
		   "export");
	EXPECT_TRUE(!nearest_word(words, "x", 1));
	EXPECT_TRUE(!nearest_word((const char *[]){ "T", NULL }, "x", 1));
	EXPECT_TRUE(!nearest_word(words, "depth", 5));
	EXPECT_TRUE(!nearest_word(words, "", 0));
}

TEST(an_alias_is_the_option)
{
	static const struct opt_alias aliases[] = { { "bs", "size" }, {} };
	static uint64_t size;
	static const struct opt rows[] = { OPT_SIZE('s', "size", &size, "BYTES", "size"), OPT_END };
	const struct opt_page p = { .command = "try",
				    .usage = "",
				    .summary = "s",
				    .opts = rows,
				    .aliases = aliases };
	char *argv[] = { "try", "--bs=64k", "--bs", "65536", NULL };

	EXPECT_EQ(opt_parse(&p, 4, argv), 4);
	EXPECT_EQ(size, 65536);
	EXPECT_TRUE(opt_given(&size));
	EXPECT_ERROR("iospan: --bs and --size are the same option; leave out one of them\n",
		     opt_parse(&p, 4, (char *[]){ "try", "--bs=4k", "-s", "8k", NULL }));
}

/* If a command line has options of another tool, such as fio, iospan suggests another line. The
 * suggestion replaces these options, and keeps the options of iospan with their values. */
TEST(a_line_of_another_tool_has_a_suggestion)
{
	static const struct opt_hint hints[] = {
		{ "", NULL, "--output *", NULL, NULL }, { "-x", NULL, "-v", NULL, NULL },
		{ "--size", "*", "-n *", "--k", NULL }, { "--k", "1", "--json", NULL, NULL },
		{ "--k", "*", "-s *KiB", NULL, NULL },	{},
	};
	struct opt_page p = page;

	p.hints = hints;
	EXPECT_ERROR(
		"iospan: 'try' does not take 'sda'; try: iospan try --count 2 --output sda 1 b\n",
		opt_parse(&p, 6, (char *[]){ "try", "--count", "2", "sda", "1", "b", NULL }));
	EXPECT_ERROR(
		"iospan: 'try' does not take '-x'; try: iospan try -v --output '/a'\\'' b' -- -x\n",
		opt_parse(&p, 5, (char *[]){ "try", "-x", "/a' b", "--", "-x", NULL }));
	EXPECT_ERROR("iospan: 'try' does not take '--k'; try: iospan try -n 5 --json -s 3KiB\n",
		     opt_parse(&p, 5, (char *[]){ "try", "--size=5", "--k", "1", "--k=3", NULL }));
	EXPECT_EQ(opt_parse(&p, 5, (char *[]){ "try", "-o", "sda", "--size=5", "--json", NULL }),
		  5);
	EXPECT_EQ(opt_parse(&p, 3, (char *[]){ "try", "--", "sda", NULL, NULL }), 2);
}

TEST(missing_argument_is_named)
{
	EXPECT_USAGE("iospan: option '--output' needs an argument\n", "--output");
	EXPECT_USAGE("iospan: option '--output' needs an argument\n", "-v", "-o");
}

/* "-o --" must be refused: "run -o -- dd" would write the report to a file named "--". */
TEST(end_of_options_is_no_argument)
{
	EXPECT_USAGE("iospan: option '--output' needs an argument\n", "-o", "--", "dd");
	EXPECT_EQ(parse("--output=--", NULL), 2);
	EXPECT_STR(o.output, "--");
}

TEST(flag_takes_no_argument)
{
	EXPECT_USAGE("iospan: option '--json' takes no argument\n", "--json=yes");
	EXPECT_USAGE("iospan: option '--help' takes no argument\n", "--help=all");
}

TEST(wrong_number_is_named_and_not_stored)
{
	EXPECT_USAGE("iospan: option '--count' wants a whole number, not 'x'\n", "-nx");
	EXPECT_USAGE("iospan: option '--count' wants a whole number, not '-1'\n", "-n", "-1");
	EXPECT_USAGE("iospan: option '--count' wants a whole number, not ''\n", "--count=");
	EXPECT_EQ(o.count, 3);
	EXPECT_USAGE("iospan: option '--size' wants a size such as 4096, 4k or 2GiB, "
		     "not '1Gb2'\n",
		     "--size=1Gb2");
	EXPECT_USAGE("iospan: option '--share' wants a number such as 3, 0.67 or 67%, "
		     "not '1e3'\n",
		     "--share=1e3");
	EXPECT_USAGE("iospan: option '--interval' wants a time such as 10s, 5ms or 2m, "
		     "not '1d'\n",
		     "-i1d");
	EXPECT_USAGE("iospan: option '--size': '16E' is too large\n", "--size=16E");
}

TEST(set_takes_whole_words_only)
{
	static const char *const wrong[] = {
		"", "ap", "appx", "app,", ",app", "app,,vfs", "app, vfs", "APP",
	};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		EXPECT_EQ(parse("--layers", wrong[i], NULL), -EUSAGE);
		EXPECT_EQ(o.layers, 7);
	}
	EXPECT_USAGE("iospan: unknown value of --layers 'decive'; did you mean 'device'? "
		     "one of app, vfs, device\n",
		     "--layers=app,decive");
	EXPECT_USAGE("iospan: unknown value of --layers 'net'; one of app, vfs, device\n",
		     "--layers=net");
	EXPECT_EQ(parse("--layers=app,app", NULL), 2);
	EXPECT_EQ(o.layers, 1);
}

/* Values given before --help are shown as defaults. */
TEST(help_shows_live_values_in_80_columns)
{
	struct capture c = capture_start(STDOUT_FILENO);

	EXPECT_EQ(parse("-n7", "--layers=vfs,app", "--help", "--foo", NULL), OPT_HELPED);
	EXPECT_STR(
		capture_end(c),
		"usage: iospan try [options] -- COMMAND [ARGUMENT...]\n"
		"\n"
		"try the options\n"
		"\n"
		"options:\n"
		"  -o, --output FILE    write the report to FILE\n"
		"  -j, --json           print JSON\n"
		"  -v, --verbose        say more\n"
		"  -n, --count N        how many [7]\n"
		"  -s, --size BYTES     how large [4k]\n"
		"  -i, --interval TIME  how often, which is a text that is too wide to fit in and\n"
		"                       has to go on below [1s]\n"
		"  -r, --share SHARE    how much [0.5]\n"
		"      --layers LIST    which layers: app,vfs,device [app,vfs]\n"
		"  -h, --help           print this page and exit\n"
		"\n"
		"examples:\n"
		"  iospan try -- true\n");
}

TEST(help_has_a_letter)
{
	struct capture c = capture_start(STDOUT_FILENO);

	EXPECT_EQ(parse("-vh", NULL), OPT_HELPED);
	EXPECT_TRUE(strstr(capture_end(c), "usage: iospan try") != NULL);
}

/* An option is in use if the command line gives it a value other than 0. This value may be the
 * option's default. Only options in use conflict with others. */
TEST(an_option_without_effect_is_an_error_that_names_both)
{
	static const struct opt_pair pairs[] = {
		OPT_BARS(&o.every, &o.count),
		OPT_BARS(&o.verbose, &o.json),
		OPT_NEEDS(&o.json, &o.output),
		{},
	};
	struct capture c;

	EXPECT_EQ(parse("--interval=0", "--count=3", "--verbose", NULL), 4);
	EXPECT_EQ(opt_check_pairs(&page, pairs), 0);
	EXPECT_TRUE(opt_in_use(&page, &o.count) && opt_in_use(&page, &o.verbose));
	EXPECT_TRUE(!opt_in_use(&page, &o.every) && !opt_in_use(&page, &o.size));
	c = capture_start(STDERR_FILENO);
	parse("--json", NULL);
	EXPECT_EQ(opt_check_pairs(&page, pairs + 2), -EUSAGE);
	EXPECT_STR(capture_end(c), "iospan: option '--json' has no effect without '--output'\n");
	parse("--json", "--output=x", NULL);
	EXPECT_EQ(opt_check_pairs(&page, pairs + 2), 0);
	c = capture_start(STDERR_FILENO);
	parse("--interval=1", "--count=3", NULL);
	EXPECT_EQ(opt_check_pairs(&page, pairs), -EUSAGE);
	EXPECT_STR(capture_end(c),
		   "iospan: option '--interval' has no effect with '--count'; "
		   "leave out one of them\n");
}

/* opt-common.h has pairs of options that exclude each other. If a command has only one option of a
 * pair, the pair must be ignored. */
TEST(options_that_exclude_each_other_are_refused)
{
	static bool json, csv;
	static const struct opt rows[] = { OPT_JSON(&json), OPT_CSV(&csv), OPT_END };
	const struct opt_page p = { .command = "try", .usage = "", .summary = "s", .opts = rows };
	char *argv[] = { "try", "--csv", "operand", "--json", "--", "x", NULL }, *operands[7];
	struct capture c;

	EXPECT_EQ(opt_parse(&p, 2, argv), 2);
	EXPECT_EQ(parse("--json", "--output=x", NULL), 3);
	c = capture_start(STDERR_FILENO);
	EXPECT_EQ(opt_operands(&p, 6, argv, operands), -EUSAGE);
	EXPECT_STR(capture_end(c), "iospan: --json and --csv exclude each other\n");
}

TEST(long_option_has_its_help_below)
{
	static unsigned none;
	static bool flag;
	static const struct opt rows[] = { OPT_FLAG(0, "an-option-with-a-very-long-name", &flag,
						    "text"),
					   OPT_SET(0, "a", &none, layers, "no default"), OPT_END };
	struct opt_page p = { .command = "try", .usage = "", .summary = "summary", .opts = rows };
	struct capture c = capture_start(STDOUT_FILENO);

	opt_help(stdout, &p);
	EXPECT_STR(capture_end(c),
		   "usage: iospan try \n\nsummary\n\noptions:\n"
		   "      --an-option-with-a-very-long-name\n"
		   "                text\n"
		   "      --a LIST  no default: app,vfs,device\n"
		   "  -h, --help    print this page and exit\n");
}

TEST_MAIN
