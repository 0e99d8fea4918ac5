// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests which hints apply to a pattern of b_eff_io. A pattern is a series of calls with one chunk
 * size. A hint is for one chunk size, for all chunk sizes ("all"), or for the whole file
 * ("on_open"). */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include "bench/beff/hints.h"
#include "tests/lib/harness.h"

static int read_text(const char *text, struct beff_hints *h)
{
	static char path[4096];
	FILE *f;

	snprintf(path, sizeof(path), "%s/hints", scratch_dir());
	f = fopen(path, "w");
	fputs(text, f);
	fclose(f);
	*h = (struct beff_hints){};
	return beff_hints_read(path, NULL, h);
}

static const char *value_of(struct beff_hints_now now, const char *key)
{
	static struct beff_hints_now kept;

	kept = now;
	for (unsigned i = 0; i < kept.n; i++)
		if (!strcmp(kept.list[i].key, key))
			return kept.list[i].value;
	return "-";
}

static const char some[] = "# processes access type chunk key value\n"
			   "\n"
			   "all all all on_open a 1\n"
			   "all write all on_open a 2\n"
			   "  4\tall\tshared 1032 a 3	# for odd ones\n"
			   "all all seg_coll Lmax b x\n"
			   "all read all all c y\n"
			   "all read separated first c z\n";

TEST(the_last_matching_line_counts)
{
	struct beff_hints h;

	ASSERT_EQ(read_text(some, &h), 0);
	EXPECT_EQ(h.n, 6);
#define EXPECT_HINT(ranks, access, type, chunk, key, value) \
	EXPECT_STR(value_of(beff_hints_for(&h, ranks, access, type, chunk), key), value)
	EXPECT_HINT(1, BEFF_READ, BEFF_SHARED, BEFF_CHUNKS, "a", "1");
	EXPECT_HINT(1, BEFF_WRITE, BEFF_SHARED, BEFF_CHUNKS, "a", "2");
	/* 4 processes have a hint for this chunk size; for 1 process, the hint for on_open
	 * applies */
	EXPECT_HINT(1, BEFF_WRITE, BEFF_SHARED, BEFF_1K8, "a", "2");
	EXPECT_HINT(4, BEFF_WRITE, BEFF_SHARED, BEFF_1K8, "a", "3");
	EXPECT_HINT(4, BEFF_WRITE, BEFF_SHARED, BEFF_1K, "a", "2");
	EXPECT_HINT(4, BEFF_READ, BEFF_SCATTER, BEFF_1K8, "a", "1");
	EXPECT_HINT(4, BEFF_READ, BEFF_SEG_COLL, BEFF_MPART, "b", "x");
	EXPECT_HINT(4, BEFF_READ, BEFF_SEGMENTED, BEFF_MPART, "b", "-");
	EXPECT_HINT(2, BEFF_READ, BEFF_SCATTER, BEFF_2M, "c", "y");
	/* BEFF_CHUNKS asks for the hints for the whole file (on_open). A hint for all chunk sizes
	 * ("all") must not be among them. */
	EXPECT_HINT(2, BEFF_READ, BEFF_SCATTER, BEFF_CHUNKS, "c", "-");
	EXPECT_HINT(2, BEFF_READ, BEFF_SEPARATED, BEFF_FIRST, "c", "z");
	EXPECT_HINT(2, BEFF_REWRITE, BEFF_SEPARATED, BEFF_FIRST, "c", "-");
}

TEST(a_long_comment_is_one_line)
{
	char text[2048];
	struct beff_hints h;

	snprintf(text, sizeof(text), "all all all on_open a 1 #%*s\n", 1500,
		 "all all all on_open a 2");
	EXPECT_EQ(read_text(text, &h), 0);
	EXPECT_EQ(h.n, 1);
}

TEST(invalid_hints_are_refused)
{
	static const char *const lines[] = {
		"all all all on_open key",
		"all all all on_open key value more",
		"0 all all on_open key value",
		"x all all on_open key value",
		"65535 all all on_open key value",
		"all wrote all on_open key value",
		"all all scattered on_open key value",
		"all all all 1025 key value",
		"all all all 1k key value",
		"all all all on_open a_key_that_has_more_than_forty_seven_letters_in_it value",
	};
	struct beff_hints h;

	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++)
		EXPECT_EQ(read_text(lines[i], &h), -EINVAL);
	EXPECT_EQ(beff_hints_read("/nosuch", NULL, &h), -ENOENT);
}

TEST(too_many_hints_are_refused)
{
	char text[4096] = "";
	struct beff_hints h;

	for (int i = 0; i < BEFF_HINTS; i++)
		sprintf(text + strlen(text), "all all all on_open key%d value\n", i);
	EXPECT_EQ(read_text(text, &h), 0);
	EXPECT_EQ(beff_hints_for(&h, 1, BEFF_READ, BEFF_SHARED, BEFF_1K).n, BEFF_HINTS);
	strcat(text, "all all all on_open key value\n");
	EXPECT_EQ(read_text(text, &h), -EINVAL);
}

TEST_MAIN
