// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests how reports show latency histograms: as bars in text, and as buckets in JSON. */
#include <stdlib.h>
#include <string.h>

#include "tests/lib/harness.h"
#include "user/base/err.h"
#include "user/base/out-print.h"
#include "user/metric/metric.h"
#include "user/show/show-json.h"

static struct row row;

static struct out *document_of(const struct row *r)
{
	struct out *doc = out_object(), *layers = out_object(), *vfs = out_object(),
		   *ops = out_object(), *op;
	struct sum s = {};

	sum_add_row(&s, r);
	op = sum_json(&s);
	out_put(op, KEY_HISTOGRAM, histogram_json(r->hist));
	out_put(ops, "read", op);
	out_put(vfs, "operations", ops);
	out_put(layers, "vfs", vfs);
	out_put(doc, "layers", layers);
	return doc;
}

static const struct view views[] = { HISTOGRAM("layers.*.operations.*", "{^@} {@}"), {} };

/* Returns the text of the histograms. The caller frees it. */
static char *bars(const struct row *r)
{
	struct out *doc = document_of(r);
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	view_text(f, &(struct place){ .node = doc }, views);
	fclose(f);
	out_free(doc);
	return text;
}

static void add(unsigned accesses, u64 ns)
{
	for (unsigned i = 0; i < accesses; i++)
		row_add(&row, 1, ns);
}

#define EXPECT_BARS(expected) \
	do { \
		char *seen = bars(&row); \
\
		EXPECT_STR(seen, expected); \
		free(seen); \
	} while (0)

#define TWO_MORE "note: 2 more processes have no histogram here; see --json\n"
#define ONE_MORE "note: 1 more process has no histogram here; see --json\n"

static const struct view limited[] = {
	HISTOGRAM("processes.*.layers.vfs|others.*.layers.vfs", "{^title} vfs",
		  .limited = "process"),
	HISTOGRAM("processes.*.layers.device|others.*.layers.device", "{^title} device",
		  .limited = "process"),
	{},
};

/* @used: the layers with accesses, with spaces between them. */
static struct out *process(const char *title, const char *used)
{
	struct out *process = out_object(), *layers = out_object();
	struct sum s = {};

	sum_add_row(&s, &row);
	for (int i = 0; i < 2; i++) {
		const char *name = i ? "device" : "vfs";
		struct out *layer = sum_json(&s);

		if (strstr(used, name))
			out_put(layer, KEY_HISTOGRAM, histogram_json(row.hist));
		out_put(layers, name, layer);
	}
	out_str(process, "title", title);
	out_put(process, "layers", layers);
	return process;
}

/* Returns true if only the first @most processes of @doc have histograms, and @note is the only
 * note ("": no note). The processes of @doc are a, b and c; a uses only the vfs layer. */
static bool is_limited_to(const struct out *doc, u64 most, const char *note)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	const char *found;
	bool right;

	view_text(f, &(struct place){ .node = doc, .most = most }, limited);
	fclose(f);
	found = strstr(text, "note: ");
	right = strstr(text, "a vfs: p50") && !strstr(text, "a device: p50") &&
		!strstr(text, "b vfs: p50") == (most == 1) &&
		!strstr(text, "b device: p50") == (most == 1) &&
		!strstr(text, "c device: p50") == (most == 1 || most == 2) &&
		strstr(text, "rest vfs: p50") && strstr(text, "rest device: p50") &&
		!strcmp(found ?: "", note);
	free(text);
	return right;
}

/* A machine may have a thousand processes. So in each layer, only the first processes have
 * histograms. The row for all other processes always has one. A note must have the number of
 * processes without histograms. */
TEST(only_the_first_rows_have_histograms)
{
	struct out *doc = out_object();

	row = (struct row){};
	row_add(&row, 1, 1000);
	for (int i = 0; i < 3; i++)
		out_append(out_list(doc, "processes"),
			   process((const char *[]){ "a", "b", "c" }[i], i ? "vfs device" : "vfs"));
	out_append(out_list(doc, "others"), process("rest", "vfs device"));
	for (u64 most = 0; most < 5; most += most ? 1 : 3)
		EXPECT_TRUE(is_limited_to(doc, most, ""));
	EXPECT_TRUE(is_limited_to(doc, 1, TWO_MORE));
	EXPECT_TRUE(is_limited_to(doc, 2, ONE_MORE));
	verbosity.quiet = true;
	EXPECT_TRUE(is_limited_to(doc, 2, ""));
	verbosity.quiet = false;
	out_free(doc);
}

TEST(a_row_is_a_power_of_two)
{
	add(80, 1024);
	add(20, 2047);
	add(1, 4096);
	add(50, 8191);
	EXPECT_BARS(
		"\nvfs read: p50 1.08 us, p90 8.11 us, p95 8.15 us, p99 8.18 us, max 8.19 us\n\n"
		"  latency from       to  accesses\n"
		"       1.02 us  2.05 us       100  |****************************************|\n"
		"       2.05 us  4.10 us         0  |                                        |\n"
		"       4.10 us  8.19 us        51  |*********************                   |\n");
}

TEST(the_shortest_and_the_longest)
{
	add(1, 0);
	add(2, 1);
	add(1, 2);
	EXPECT_BARS("\nvfs read: p50 1 ns, p90 2 ns, p95 2 ns, p99 2 ns, max 2 ns\n\n"
		    "  latency from    to  accesses\n"
		    "          0 ns  2 ns         3  |****************************************|\n"
		    "          2 ns  4 ns         1  |**************                          |\n");
	row = (struct row){};
	add(1, 1ULL << 50);
	EXPECT_BARS("\nvfs read: p50 1125900 s, p90 1125900 s, p95 1125900 s, p99 1125900 s, "
		    "max 1125900 s\n\n"
		    "  latency from    to  accesses\n"
		    "         550 s  more         1  |****************************************|\n");
}

TEST(nothing_has_no_bars)
{
	EXPECT_BARS("");
}

TEST(json_has_the_bounds_of_each_bucket)
{
	struct out *list;
	char *text;

	add(3, 5);
	add(2, 1 << 20);
	add(1, 1ULL << 45);
	list = histogram_json(row.hist);
	text = out_canonical(list, NULL);
	EXPECT_STR(text,
		   "[{\"accesses\":3,\"latency_from_ns\":5,\"latency_to_ns\":6},"
		   "{\"accesses\":2,\"latency_from_ns\":1048576,\"latency_to_ns\":1114112},"
		   "{\"accesses\":1,\"latency_from_ns\":1065151889408,\"latency_to_ns\":null}]");
	free(text);
	out_free(list);
}

TEST_MAIN
