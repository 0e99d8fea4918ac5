// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests the cgroups in the exporter's document. If the document has too many series, the exporter
 * folds cgroups: it removes their series, and adds their later I/O to a common total. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "user/exporter/exporter.h"
#include "user/host/containers.h"
#include "tests/lib/harness.h"

#define S 1000000000ULL
#define MANY 100

struct made {
	struct measurement m;
	struct group_sum groups[MANY];
	char paths[MANY][40];
};

static void at(struct made *made, u64 seconds)
{
	made->m = (struct measurement){ .elapsed_ns = seconds * S, .groups = made->groups };
}

static struct group_sum *add(struct made *made, u64 id, const char *path, u64 accesses, u64 bytes)
{
	unsigned n = made->m.groups_n++;
	struct group_sum *g = &made->groups[n];

	*g = (struct group_sum){ .id = id, .path = strcpy(made->paths[n], path) };
	g->device.row.accesses = accesses;
	g->device.row.bytes = bytes;
	return g;
}

/* Returns the value of @sample, a counter's name with labels. -1: the document does not have it. */
static long long value(struct exporter *e, const char *sample)
{
	size_t size, length = strlen(sample);
	char *text = exporter_text(e, false, &size);
	long long n = -1;

	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
		if (!strncmp(line, sample, length) && line[length] == ' ')
			n = atoll(line + length + 1);
	free(text);
	return n;
}

#define OF(path, id) "{cgroup=\"" path "\",id=\"" id "\",namespace=\"\",pod=\"\",container=\"\""
#define LABELS(path, id) OF(path, id) ",layer=\"device\""
#define GROUP(path, id) "iospan_cgroup_accesses_total" LABELS(path, id) "}"
#define BUCKET(le) "iospan_cgroup_latency_seconds_bucket" LABELS("/", "2") ",le=\"" le "\"}"
#define FOLDED "iospan_folded_accesses_total{layer=\"device\"}"
#define STATE(state) "iospan_cgroups{state=\"" state "\"}"

static struct exporter *exporter_with(u64 keep_s, u64 max_series)
{
	const struct exporter_limits limits = { keep_s * S, max_series };

	return exporter_new(1 << LAYER_DEVICE, &limits);
}

#define DOCKER_ID "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define DOCKER(name, container) \
	"iospan_cgroup_accesses_total{cgroup=\"/docker/" DOCKER_ID "\",name=\"docker:" name \
	"\",id=\"7\",namespace=\"\",pod=\"\",container=\"" container "\",layer=\"device\"}"

/* Only the container's own cgroup has the container's labels. A cgroup below it has none, because a
 * sum over these labels would count its I/O twice. */
TEST(a_container_has_its_name_once)
{
	struct made *made = calloc(1, sizeof(*made));
	struct exporter *e = exporter_with(10, 1000);

	at(made, 1);
	add(made, 7, "/lxc.payload.web", 5, 50);
	add(made, 8, "/lxc.payload.web/a", 3, 30);
	exporter_update(e, &made->m);
	EXPECT_EQ(value(e,
			"iospan_cgroup_accesses_total{cgroup=\"/lxc.payload.web\",name=\"lxc:web\","
			"id=\"7\",namespace=\"\",pod=\"\",container=\"web\",layer=\"device\"}"),
		  5);
	EXPECT_EQ(value(e,
			"iospan_cgroup_accesses_total{cgroup=\"/lxc.payload.web/a\","
			"name=\"lxc:web/a\",id=\"8\",namespace=\"\",pod=\"\",container=\"\","
			"layer=\"device\"}"),
		  3);
	exporter_free(e);
	free(made);
}

/* The container runtime may write the container's name after the first I/O, and remove the name
 * before the last I/O. */
TEST(a_name_that_is_written_later_becomes_a_label)
{
	struct made *made = calloc(1, sizeof(*made));
	struct exporter *e = exporter_with(1000, 1000);
	struct result r;

	ASSERT_EQ(containers_reset(scratch_dir()), 0);
	scratch_enter();
	at(made, 1);
	add(made, 7, "/docker/" DOCKER_ID, 5, 50);
	exporter_update(e, &made->m);
	EXPECT_EQ(value(e, DOCKER("0123456789ab", "")), 5);
	r = run_command("mkdir -p var/lib/docker/containers/" DOCKER_ID);
	ASSERT_EQ(r.status, 0);
	run_free(&r);
	scratch_put("var/lib/docker/containers/" DOCKER_ID "/config.v2.json",
		    "{\"Name\":\"/web\"}");
	for (int i = 0; i < 500 && value(e, DOCKER("web", "web")) < 0; i++) {
		usleep(100000);
		exporter_update(e, &made->m);
	}
	EXPECT_EQ(value(e, DOCKER("web", "web")), 5);
	EXPECT_EQ(value(e, DOCKER("0123456789ab", "")), -1);
	ASSERT_EQ(containers_reset("/"), 0);
	exporter_update(e, &made->m);
	EXPECT_EQ(value(e, DOCKER("web", "web")), 5);
	exporter_free(e);
	free(made);
}

/* Removed cgroups stay for keep_ns, so that a scrape sees their last values. */
TEST(removed_groups_stay_for_a_time)
{
	struct made *made = calloc(1, sizeof(*made));
	struct exporter *e = exporter_with(10, 1000);

	at(made, 1);
	add(made, 7, "/a", 5, 50);
	exporter_update(e, &made->m);
	EXPECT_EQ(value(e, GROUP("/a", "7")), 5);
	at(made, 2);
	add(made, 8, "/a", 3, 30);
	exporter_update(e, &made->m);
	EXPECT_EQ(value(e, GROUP("/a", "7")), 5);
	EXPECT_EQ(value(e, GROUP("/a", "8")), 3);
	EXPECT_EQ(value(e, STATE("removed")), 1);
	at(made, 11);
	exporter_update(e, &made->m);
	EXPECT_EQ(value(e, GROUP("/a", "7")), 5);
	at(made, 12);
	exporter_update(e, &made->m);
	EXPECT_EQ(value(e, GROUP("/a", "7")), -1);
	EXPECT_EQ(value(e, GROUP("/a", "8")), 3);
	at(made, 21);
	exporter_update(e, &made->m);
	EXPECT_EQ(value(e, STATE("removed")), 0);
	exporter_free(e);
	free(made);
}

#define PSI(path) "iospan_cgroup_psi_some_seconds_total" OF(path, "7") "}"
#define DIRTY(path) "iospan_cgroup_dirty_throttled_seconds_total" OF(path, "7") "}"

/* If the pressure is unknown, the document has no series for it. If a cgroup was removed, its last
 * known pressure stays. */
TEST(pressure_of_the_machine_and_of_groups)
{
	struct made *made = calloc(1, sizeof(*made));
	struct exporter *e = exporter_with(10, 1000);

	at(made, 1);
	add(made, 7, "/a", 5, 50);
	exporter_update(e, &made->m);
	EXPECT_EQ(value(e, PSI("/a")), -1);
	EXPECT_EQ(value(e, "iospan_psi_some_seconds_total"), -1);
	made->m.pressure = (struct pressure){ .some_ns = 9 * S, .has_psi = true };
	made->m.groups[0].pressure = (struct pressure){ .some_ns = 3 * S,
							.dirty_ns = 2 * S,
							.has_psi = true,
							.has_dirty = true };
	exporter_update(e, &made->m);
	EXPECT_EQ(value(e, "iospan_psi_some_seconds_total"), 9);
	EXPECT_EQ(value(e, PSI("/a")), 3);
	EXPECT_EQ(value(e, DIRTY("/a")), 2);
	made->m.groups[0].pressure.has_psi = false;
	exporter_update(e, &made->m);
	EXPECT_EQ(value(e, PSI("/a")), 3);
	exporter_free(e);
	free(made);
}

/* Adds @n cgroups with 32 series each. The tests set a limit of 1,000 series, so 31 cgroups fit. */
static void add_many(struct made *made, unsigned n, u64 more)
{
	for (unsigned i = 0; i < n; i++) {
		char path[40];

		snprintf(path, sizeof(path), "/g%02u", i);
		add(made, 100 + i, path, 10 + i + more, 100 + i + more);
	}
}

/* If the series exceed the limit, the exporter folds the smallest cgroups: it removes their series,
 * and adds their later I/O to a common total. Their earlier I/O is not in the total. */
TEST(the_smallest_are_folded)
{
	struct made *made = calloc(1, sizeof(*made));
	struct exporter *e = exporter_with(10, 1000);

	at(made, 1);
	add_many(made, 30, 0);
	exporter_update(e, &made->m);
	EXPECT_EQ(value(e, STATE("folded")), 0);
	EXPECT_EQ(value(e, GROUP("/g00", "100")), 10);
	at(made, 2);
	add_many(made, 40, 0);
	exporter_update(e, &made->m);
	/* the exporter folds until 7/8 of the limit remain, which is 27 cgroups with 32 series */
	EXPECT_EQ(value(e, STATE("folded")), 13);
	EXPECT_EQ(value(e, STATE("live")), 27);
	EXPECT_EQ(value(e, GROUP("/g12", "112")), -1);
	EXPECT_EQ(value(e, GROUP("/g13", "113")), 23);
	EXPECT_EQ(value(e, FOLDED), 0);
	at(made, 3);
	add_many(made, 40, 1000);
	made->groups[0].device.row.bytes = 1 << 30;
	exporter_update(e, &made->m);
	EXPECT_EQ(value(e, FOLDED), 13 * 1000);
	EXPECT_EQ(value(e, GROUP("/g00", "100")), -1);
	EXPECT_EQ(value(e, "iospan_folded_cgroups_total"), 13);
	at(made, 4);
	exporter_update(e, &made->m);
	EXPECT_EQ(value(e, FOLDED), 13 * 1000);
	EXPECT_EQ(value(e, STATE("folded")), 0);
	EXPECT_EQ(value(e, STATE("removed")), 27);
	exporter_free(e);
	free(made);
}

/* The tracer keeps a removed cgroup for up to a minute. A removed cgroup is folded before a cgroup
 * that exists, even if the removed one has more bytes. */
TEST(kept_removed_groups_are_folded_before_running_ones)
{
	struct made *made = calloc(1, sizeof(*made));
	struct exporter *e = exporter_with(10, 1000);

	at(made, 1);
	add(made, 7, "/running", 3, 1);
	add_many(made, 40, 0);
	for (unsigned i = 1; i <= 40; i++)
		made->groups[i].removed = true;
	exporter_update(e, &made->m);
	EXPECT_EQ(value(e, STATE("folded")), 14);
	EXPECT_EQ(value(e, STATE("live")), 1);
	EXPECT_EQ(value(e, GROUP("/running", "7")), 3);
	exporter_free(e);
	free(made);
}

/* When the removed cgroups are dropped, a folded cgroup gets its series back. Its counter includes
 * the I/O that it did while it was folded. That I/O also stays in the total of folded cgroups. */
TEST(a_folded_group_gets_its_series_back)
{
	struct made *made = calloc(1, sizeof(*made));
	struct exporter *e = exporter_with(10, 1000);
	long long first = 0;

	for (int s = 1; s <= 30; s++) {
		/* /g03 to /g39 exist from 2 s to 5 s; their series stay for 10 s more */
		bool folded = s >= 2 && s < 16;

		at(made, s);
		add(made, 7, "/small", 3 * s, 1);
		add_many(made, s >= 2 && s < 5 ? 40 : 3, 0);
		exporter_update(e, &made->m);
		EXPECT_EQ(value(e, GROUP("/small", "7")), folded ? -1 : 3 * s);
		if (s == 2)
			first = value(e, FOLDED);
		if (s >= 2)
			EXPECT_EQ(value(e, FOLDED), first + 3 * ((s < 15 ? s : 15) - 2));
	}
	EXPECT_EQ(value(e, STATE("folded")), 0);
	exporter_free(e);
	free(made);
}

/* Removed cgroups are folded first. If a folded cgroup was never in the document, all of its
 * accesses are added to the total of folded cgroups. */
TEST(removed_groups_are_folded_first)
{
	struct made *made = calloc(1, sizeof(*made));
	struct exporter *e = exporter_with(10, 1000);

	at(made, 1);
	add_many(made, 30, 0);
	exporter_update(e, &made->m);
	at(made, 2);
	for (unsigned i = 0; i < 20; i++) {
		char path[40];

		snprintf(path, sizeof(path), "/h%02u", i);
		add(made, 200 + i, path, 1, 1);
	}
	exporter_update(e, &made->m);
	EXPECT_EQ(value(e, STATE("folded")), 0);
	EXPECT_EQ(value(e, STATE("live")), 20);
	EXPECT_EQ(value(e, STATE("removed")), 7);
	at(made, 3);
	add_many(made, 90, 0);
	exporter_update(e, &made->m);
	EXPECT_EQ(value(e, STATE("removed")), 0);
	EXPECT_GT(value(e, FOLDED), 0);
	exporter_free(e);
	free(made);
}

/* The counters of a cgroup include those of the cgroups below it. So if a cgroup is folded, the
 * cgroups below it must not be added to the total of folded cgroups again. */
TEST(folded_groups_count_once)
{
	struct made *made = calloc(1, sizeof(*made));
	struct exporter *e = exporter_with(10, 1000);

	for (unsigned s = 1; s <= 3; s++) {
		u64 more = s == 3 ? 7 : 0;

		at(made, s);
		add(made, 2, "/0", 1 + more, 1);
		add(made, 3, "/0/1", 1 + more, 1);
		add(made, 4, "/0/1/2", 1 + more, 1);
		add(made, 5, "/00", 1 + more, 1);
		add_many(made, s == 1 ? 20 : 40, 0);
		exporter_update(e, &made->m);
	}
	EXPECT_EQ(value(e, GROUP("/0", "2")), -1);
	EXPECT_EQ(value(e, GROUP("/00", "5")), -1);
	EXPECT_EQ(value(e, FOLDED), 2 * 7);
	exporter_free(e);
	free(made);
}

/* A bucket counts the accesses with a latency below its limit. A latency that equals the limit
 * counts in the next bucket. */
TEST(buckets_end_at_powers_of_two)
{
	static const u64 times[] = { 1, 2047, 2048, 4095, 4096, 1 << 20, 1ULL << 35, 1ULL << 39 };
	struct made *made = calloc(1, sizeof(*made));
	struct exporter *e = exporter_with(10, 1000);
	struct group_sum *g;

	at(made, 1);
	g = add(made, 2, "/", 0, 0);
	for (size_t i = 0; i < sizeof(times) / sizeof(*times); i++)
		row_add(&g->device.row, 0, times[i]);
	exporter_update(e, &made->m);
	EXPECT_EQ(value(e, BUCKET("0.000002048")), 2);
	EXPECT_EQ(value(e, BUCKET("0.000004096")), 4);
	EXPECT_EQ(value(e, BUCKET("0.000008192")), 5);
	EXPECT_EQ(value(e, BUCKET("0.001048576")), 5);
	EXPECT_EQ(value(e, BUCKET("0.002097152")), 6);
	EXPECT_EQ(value(e, BUCKET("34.359738368")), 6);
	EXPECT_EQ(value(e, BUCKET("+Inf")), 8);
	exporter_free(e);
	free(made);
}

#define SYNC(what, path, id) \
	"iospan_cgroup_sync_latency_seconds_" what OF(path, id) ",layer=\"vfs\""

/* Only a cgroup with syncs has a histogram of their latency. The series of this histogram count
 * against the limit of series. */
TEST(syncs_have_a_histogram)
{
	struct made *made = calloc(1, sizeof(*made));
	struct exporter *e = exporter_with(10, 2 * 32 + 28);
	struct group_sum *g;

	at(made, 1);
	add(made, 2, "/", 3, 300);
	g = add(made, 3, "/a", 2, 200);
	row_add(&g->sync.row, 0, 4095);
	row_add(&g->sync.row, 0, 7000);
	exporter_update(e, &made->m);
	EXPECT_EQ(value(e, SYNC("count", "/a", "3") "}"), 2);
	EXPECT_EQ(value(e, SYNC("bucket", "/a", "3") ",le=\"0.000004096\"}"), 1);
	EXPECT_EQ(value(e, SYNC("bucket", "/a", "3") ",le=\"0.000008192\"}"), 2);
	EXPECT_EQ(value(e, SYNC("count", "/", "2") "}"), -1);
	EXPECT_EQ(value(e, STATE("folded")), 0);
	at(made, 2);
	add(made, 2, "/", 3, 300);
	g = add(made, 3, "/a", 2, 200);
	row_add(&g->sync.row, 0, 4095);
	add(made, 4, "/b", 1, 100);
	exporter_update(e, &made->m);
	/* the limit has no room for "/b"; after that, 7/8 of the limit have no room for "/a" */
	EXPECT_EQ(value(e, STATE("folded")), 2);
	EXPECT_EQ(value(e, SYNC("count", "/a", "3") "}"), -1);
	exporter_free(e);
	free(made);
}

/* Sums near 2^64 must not wrap around, because Prometheus would take that for a restart. */
TEST(sums_do_not_wrap_at_64_bits)
{
	struct made *made = calloc(1, sizeof(*made));
	struct exporter *e = exporter_with(10, 1000);
	struct group_sum *g;
	size_t size;
	char *text;

	at(made, 1);
	g = add(made, 2, "/", 0, 0);
	for (int i = 0; i < 3; i++)
		row_add(&g->device.row, UINT64_MAX, UINT64_MAX);
	exporter_update(e, &made->m);
	text = exporter_text(e, false, &size);
	EXPECT_TRUE(strstr(text,
			   "iospan_cgroup_bytes_total" LABELS("/", "2") "} "
									"55340232221128654845\n"));
	EXPECT_TRUE(strstr(
		text,
		"iospan_cgroup_latency_seconds_sum" LABELS("/", "2") "} "
								     "55340232221.128654845\n"));
	free(text);
	exporter_free(e);
	free(made);
}

TEST_MAIN
