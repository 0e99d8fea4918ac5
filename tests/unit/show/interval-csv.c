// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests that the CSV of an interval of `iospan stat` has the numbers of its JSON. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/lib/harness.h"
#include "user/base/out-read.h"
#include "user/show/interval-show.h"

#define MOST_COLUMNS 64

static struct disk_share shares[] = {
	{ .dev = 1, .is_known = true, .span_ns = 4000, .shared_ns = 1000 },
};

/* "/a" has all values. "/b" shares no disk and has no pressure. "/c" has only pressure. */
static struct group_sum groups[] = {
	{ .path = "/a", .shares = shares, .shares_n = 1 },
	{ .path = "/b" },
	{ .path = "/c", .pressure = { .some_ns = 70, .full_ns = 30, .has_psi = true } },
};

static struct measurement m = {
	.groups = groups,
	.groups_n = 3,
	.elapsed_ns = 10000,
	.pressure = { .some_ns = 900, .full_ns = 800, .has_psi = true },
};
static const struct tracer_options options = { .layers = 1 << LAYER_DEVICE,
					       .per_cgroup = true,
					       .pressure = true };
static const struct report report = { .m = &m, .options = &options, .command = "stat" };

static void make(void)
{
	for (int i = 0; i < 4; i++)
		row_add(&groups[0].device.row, 512, i ? 100 : 500);
	row_add(&groups[0].shared.row, 512, 500);
	sum_set_span(&groups[0].device, 4000, m.elapsed_ns);
	groups[0].pressure = (struct pressure){ 600, 500, 400, true, true };
	row_add(&groups[1].device.row, 4096, 100);
	sum_set_span(&groups[1].device, 100, m.elapsed_ns);
}

static char *printed(void (*print)(FILE *f, const struct report *r))
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	print(f, &report);
	fclose(f);
	return text;
}

static int split(char *line, char *cells[MOST_COLUMNS])
{
	int n = 0;

	for (char *cell; n < MOST_COLUMNS && (cell = strsep(&line, ",")); n++)
		cells[n] = cell;
	return n;
}

/* Returns the node at @path, which has names with '.' between them. */
static const struct out *at(const struct out *node, const char *path)
{
	char *copy = strdup(path), *rest = copy, *name;

	while (node && (name = strsep(&rest, ".")))
		node = out_get(node, name);
	free(copy);
	return node;
}

struct csv_row {
	char *titles[MOST_COLUMNS], *cells[MOST_COLUMNS];
	int n, known;
};

/* Compares a CSV row of the device layer with @node, the JSON of its cgroup. A row without the name
 * of a cgroup is for the whole machine; @node is then the whole document. */
static void compare(struct csv_row *row, const struct out *node)
{
	const struct out *layer = at(node, "layers.device");

	for (int i = 6; i < row->n; i++) {
		bool whole = strchr(row->titles[i], '.');
		const struct out *of = at(whole ? node : layer, row->titles[i]);
		double v;

		if (of && out_f64_of(of, &v)) {
			EXPECT_STR(*row->cells[i] ? "a number" : row->titles[i], "a number");
			EXPECT_NEAR(atof(row->cells[i]), v, v * 1e-12);
			row->known += whole;
		} else {
			EXPECT_STR(row->cells[i], "");
		}
	}
}

static void compare_named(void *arg, const char *key, const struct out *group)
{
	struct csv_row *row = arg;

	if (!strcmp(out_get_str(group, "title"), row->cells[4]))
		compare(row, group);
}

TEST(csv_has_the_numbers_of_json)
{
	/* numbers of values about sharing and pressure, in the rows of the machine, /a, /b and
	 * /c */
	static const int known[] = { 2, 7, 0, 2 };
	char *titles = printed(interval_csv_titles), *csv, *rest;
	char *json, *line;
	struct out *doc;
	int rows = 0;

	make();
	rest = csv = printed(interval_csv);
	json = printed(interval_json);
	doc = out_parse(json, strlen(json));
	ASSERT_TRUE(doc);
	titles[strcspn(titles, "\n")] = '\0';
	struct csv_row row = { .n = split(titles, row.titles) };

	while ((line = strsep(&rest, "\n")) && *line) {
		EXPECT_EQ(split(line, row.cells), row.n);
		EXPECT_STR(row.titles[4], "name");
		row.known = 0;
		if (*row.cells[4])
			out_each(out_get(doc, "cgroups"), compare_named, &row);
		else
			compare(&row, doc);
		ASSERT_TRUE(rows < 4);
		EXPECT_EQ(row.known, known[rows++]);
	}
	EXPECT_EQ(rows, 4);
	out_free(doc);
	free(json);
	free(csv);
	free(titles);
}

/* A later disk may get the device number of a removed disk. */
TEST(a_share_has_the_name_of_its_disk)
{
	struct disk_sum disks[] = { { .name = "removed", .dev = 1 },
				    { .name = "later", .dev = 1, .disk = 1 } };
	char *json;

	shares[0].disk = 1;
	m.disks = disks;
	m.disks_n = 2;
	json = printed(interval_json);
	EXPECT_TRUE(strstr(json, "\"later\"") && !strstr(json, "\"removed\""));
	free(json);
}

TEST_MAIN
