// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests options that are given more than once. If these tests fail, iospan silently measures
 * something else than the user asked for. */
#include <stdlib.h>
#include <string.h>

#include "tests/lib/harness.h"
#include "tests/unit/capture.h"
#include "user/base/err.h"
#include "user/base/opt-common.h"
#include "user/base/words.h"

static struct {
	bool json;
	uint64_t count, size;
	double share;
	const char *output, *disks;
	unsigned layers;
} o;

static const char *const layers[] = { "app", "vfs", "device", NULL };

static const struct opt opts[] = { OPT_OUTPUT(&o.output, "it"),
				   OPT_JSON(&o.json),
				   OPT_COUNT(&o.count, "it"),
				   OPT_REQUEST_SIZE(&o.size, ""),
				   OPT_REAL(0, "share", &o.share, "SHARE", "share"),
				   OPT_LAYERS(&o.layers, layers),
				   OPT_DEVICE(&o.disks),
				   OPT_END };

static const struct opt_page page = { .command = "try", .usage = "", .summary = "s", .opts = opts };

#define PARSE(...) \
	({ \
		char *argv[] = { "try", __VA_ARGS__, NULL }; \
\
		memset(&o, 0, sizeof(o)); \
		o.layers = 7; \
		opt_parse(&page, sizeof(argv) / sizeof(*argv) - 1, argv); \
	})

#define EXPECT_TWICE(name, a, b, ...) \
	do { \
		struct capture c = capture_start(STDERR_FILENO); \
\
		EXPECT_EQ(PARSE(__VA_ARGS__), -EUSAGE); \
		EXPECT_STR(capture_end(c), \
			   "iospan: option '--" name "' is given twice, with '" a "' and '" b \
			   "'; leave out one of them\n"); \
	} while (0)

TEST(other_values_are_refused)
{
	EXPECT_TWICE("count", "1", "2", "-n1", "--count=2");
	EXPECT_TWICE("size", "4k", "4097", "-s4k", "-s", "4097");
	EXPECT_TWICE("share", "50%", "0.6", "--share=50%", "--share=0.6");
	EXPECT_TWICE("output", "a", "b", "-oa", "-j", "-ob");
}

TEST(equal_values_are_accepted)
{
	EXPECT_EQ(PARSE("-n1", "-n01", "-s4k", "-s4096", "--share=50%", "--share=0.5", "-oa", "-oa",
			"-j", "-jj"),
		  11);
	EXPECT_EQ(o.size, 4096);
	EXPECT_STR(o.output, "a");
}

TEST(lists_add_up)
{
	EXPECT_EQ(PARSE("-lapp", "--layers=device", "-d", "sda,sdb", "-dvd*", "--device=dm-0"), 7);
	EXPECT_EQ(o.layers, 5);
	EXPECT_STR(o.disks, "sda,sdb,vd*,dm-0");
	free((char *)o.disks);
}

TEST(a_list_has_no_empty_item)
{
	EXPECT_EQ(PARSE("-d", ""), -EUSAGE);
	EXPECT_EQ(PARSE("-d", "a,,b"), -EUSAGE);
	EXPECT_EQ(PARSE("-d", "a,"), -EUSAGE);
	EXPECT_TRUE(!o.disks);
}

/* File names may have commas. */
TEST(a_comma_after_a_backslash_is_no_separator)
{
	const char *list = "a\\,b,\\";
	char *item = words_item(&list);

	EXPECT_STR(item, "a\\,b");
	free(item);
	item = words_item(&list);
	EXPECT_STR(item, "\\");
	free(item);
	EXPECT_TRUE(!words_item(&list));
}

TEST_MAIN
