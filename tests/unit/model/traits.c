// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests the conclusions (traits) that iospan draws about a storage device from measured points.
 * Here, the device is simulated, and its times are known. A character is a conclusion about the
 * kind of storage, such as one that serves one request at a time. A curve has points that differ
 * only in one parameter of the workload. */
#include <string.h>
#include "user/base/out-read.h"
#include "user/base/out.h"
#include "tests/unit/made-region.h"
#include "bench/model/traits-show.h"

static void add_line(void *to, const char *key, const struct out *sentence)
{
	strcat(strcat(to, out_text(sentence)), "\n");
}

static const char *sentences(const struct region *r)
{
	static char text[4000];
	struct out *traits = traits_json(r);

	text[0] = '\0';
	out_each(out_get(traits, "sentences"), add_line, text);
	out_free(traits);
	return text;
}

static const char *sentences_of(const struct device *d)
{
	struct made m;

	make(&m, d, &middle, 0.02, NULL);
	return sentences(&m.region);
}

static void expect_line(const char *text, const char *line)
{
	if (!strstr(text, line))
		EXPECT_STR(text, line);
}

TEST(a_head_that_moves)
{
	EXPECT_STR(
		sentences_of(&head),
		"it performs like a disk that moves a head: a request takes 8.00 ms (7.83 "
		"ms to 8.17 ms) longer when it is random, and concurrent requests raise "
		"the bandwidth by a factor of at most 1.03\n"
		"random order is slower: bandwidth with sequential requests is 19.7 times "
		"(19.2 to 20.3) that with random requests, 73.1 MiB/s instead of 3.71 "
		"MiB/s\n"
		"reads and writes are about as fast: bandwidth with reads is 1 times "
		"(0.97 to 1.03) that with writes, 7.06 MiB/s instead of 7.06 MiB/s\n"
		"more processes hardly matter: bandwidth with 16 processes is 1 "
		"times (0.97 to 1.03) that with 1 process, 7.06 MiB/s instead of 7.06 "
		"MiB/s\n"
		"more depth hardly matters: bandwidth with depth 64 is 1 times "
		"(0.97 to 1.03) that with depth 1, 7.06 MiB/s instead of 7.06 MiB/s\n"
		"within the region, more data hardly matter: bandwidth with data of 16.0 "
		"MiB is 1 times (0.97 to 1.03) that with data of 1.00 MiB, 7.06 MiB/s "
		"instead of 7.06 MiB/s\n"
		"larger requests raise the bandwidth: bandwidth with requests of 1.00 MiB is 72.7 "
		"times (70.7 to 74.7) that with requests of 4.00 KiB, 68.6 MiB/s instead "
		"of 966 KiB/s; 50 % of that is reached between 210 KiB and 464 KiB\n"
		"a request takes 4.10 ms (4.02 ms to 4.18 ms), plus the time of its "
		"bytes at 95.4 MiB/s (93.5 MiB/s to 97.3 MiB/s)\n");
}

/* Each change of process costs a seek. Random requests need that seek anyway, so with two processes
 * sequential requests are not faster than random ones. */
TEST(a_head_between_processes)
{
	struct device d = head;
	struct workload two = middle;
	struct traits t;
	struct made m;

	d.turns = true;
	two.v[PARAM_PROCS] = 2;
	make(&m, &d, &two, 0.05, NULL);
	m.points[PARAM_DEPTH][3].half_width =
		/* the error is unknown, for instance because one process used the queue alone */
		NAN;
	t = traits_of(&m.region);
	EXPECT_EQ(t.character, CHARACTER_HEAD);
	EXPECT_EQ(t.changes[PARAM_SEQ].difference, DIFFERENCE_ALIKE);
	expect_line(sentences(&m.region),
		    "a request takes 4.00 ms (3.52 ms to 4.48 ms) longer when processes take "
		    "turns\n");
}

/* Storage that serves two requests at once must get neither CHARACTER_SINGLE (one at a time) nor
 * CHARACTER_PARALLEL (many at a time). */
TEST(two_requests_at_once)
{
	struct device d = single;
	struct made m;

	d.request /= 2;
	d.latency = d.request;
	d.at_once = 2;
	EXPECT_EQ(traits_for(&m, &d, 0.02, NULL).character, CHARACTER_NONE);
}

TEST(one_request_after_the_other)
{
	const char *text = sentences_of(&single);

	expect_line(text,
		    "it performs like a queue that takes one request after the other: "
		    "concurrent requests raise the bandwidth by a factor of at most 1.03\n");
	expect_line(text, "\nthe order hardly matters: ");
	expect_line(text, "; 50 % of that is reached between 464 KiB and 1.00 MiB\n");
	expect_line(text, "\na request takes 500 us (490 us to 510 us), whatever its size\n");
}

TEST(many_requests_at_once)
{
	const char *text = sentences_of(&flash);

	expect_line(text,
		    "it takes many requests at once: bandwidth with depth 8 is 4.92 times "
		    "(4.78 to 5.06) that with depth 1, 1.49 GiB/s instead of 311 MiB/s\n");
	expect_line(text,
		    "\nreads and writes are about as fast: bandwidth with reads is 1.16 times "
		    "(1.13 to 1.19) that with writes, 336 MiB/s instead of 290 MiB/s\n");
	expect_line(text, "; 90 % of that is reached between 4 and 8\n");
}

/* If reads come from a cache, more processes are faster only because they use more processors. So
 * the region must have CHARACTER_NO_DISK, not CHARACTER_PARALLEL. */
TEST(a_region_without_a_disk)
{
	struct device cached = flash;
	struct made m;

	cached.cached = true;
	EXPECT_EQ(traits_for(&m, &cached, 0.02, NULL).character, CHARACTER_NO_DISK);
	EXPECT_EQ(traits_for(&m, &flash, 0.02, NULL).character, CHARACTER_PARALLEL);
	for (int i = 0; i < 5; i++) /* neither the vfs nor the device layer was measured */
		m.points[PARAM_READ][i].value[QUANTITY_BPS_VFS] =
			m.points[PARAM_READ][i].value[QUANTITY_BPS_DEVICE] = NAN;
	EXPECT_EQ(traits_of(&m.region).character, CHARACTER_PARALLEL);
}

TEST(unusable_points_give_no_sentence)
{
	static const double halves[] = { NAN, 0.4, HUGE_VAL };
	static const struct device *const all[] = { &head, &single, &flash };

	for (int i = 0; i < 9; i++) {
		struct made m;
		struct traits t = traits_for(&m, all[i / 3], halves[i % 3], NULL);

		EXPECT_STR(sentences(&m.region), "");
		EXPECT_EQ(t.character, CHARACTER_NONE);
	}
}

TEST(no_curves_give_no_sentence)
{
	struct region none = { .focal = middle };

	EXPECT_STR(sentences(&none), "");
}

/* One point is uncertain, so it may differ from the others. iospan must not claim that all points
 * are alike. */
TEST(only_certain_points_are_alike)
{
	struct made m;

	EXPECT_EQ(traits_for(&m, &single, 0.02, NULL).changes[PARAM_PROCS].difference,
		  DIFFERENCE_ALIKE);
	m.points[PARAM_PROCS][2].half_width = NAN;
	EXPECT_EQ(traits_of(&m.region).changes[PARAM_PROCS].difference, DIFFERENCE_NONE);
	EXPECT_EQ(traits_of(&m.region).changes[PARAM_DEPTH].difference, DIFFERENCE_ALIKE);
}

/* If the effect of the number of processes or of the depth is uncertain, it may be large. Then
 * iospan must report no character. */
TEST(a_character_needs_both_processes_and_depth)
{
	struct made m;

	make(&m, &single, &middle, 0.02, NULL);
	m.points[PARAM_PROCS][0].half_width = NAN;
	EXPECT_EQ(traits_of(&m.region).character, CHARACTER_NONE);
	make(&m, &single, &middle, 0.02, NULL);
	m.points[PARAM_DEPTH][0].half_width = NAN;
	EXPECT_EQ(traits_of(&m.region).character, CHARACTER_NONE);
	m.region.series[PARAM_DEPTH].n = 0; /* without a curve over depth, as with --no-depth */
	EXPECT_EQ(traits_of(&m.region).character, CHARACTER_SINGLE);
}

/* Every second request size takes half the time. So the time does not rise linearly with the size,
 * and iospan must report no time of a request. */
TEST(times_that_are_not_linear_give_no_time_of_a_request)
{
	struct made m;

	make(&m, &head, &middle, 0.02, NULL);
	for (int i = 0; i < 8; i += 2)
		m.points[PARAM_SIZE][i].value[QUANTITY_ARPT] /= 2;
	EXPECT_TRUE(isnan(traits_of(&m.region).cost.request_ns.value));
}

TEST(half_of_the_bandwidth)
{
	struct made m;
	struct traits t = traits_for(&m, &head, 0.01, NULL);
	const struct change *size = &t.changes[PARAM_SIZE];
	struct workload w = middle;

	w.v[PARAM_SIZE] = size->enough;
	EXPECT_NEAR(iops(&head, w.v) * size->enough / size->to->value[QUANTITY_BANDWIDTH], 0.5,
		    0.02);
}

TEST_MAIN
