// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests the cgroups in the exporter's document. A series is one counter with its labels. If there
 * are too many series, the exporter folds cgroups: it removes their series. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "user/host/containers.h"
#include "tests/unit/exporter/made-exporter.h"

#define BUCKET(le) "iospan_cgroup_latency_seconds_bucket" LABELS("/", "2") ",le=\"" le "\"}"

#define DOCKER_ID "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define DOCKER(name, container) \
	"iospan_cgroup_accesses_total{cgroup=\"/docker/" DOCKER_ID "\",name=\"docker:" name \
	"\",id=\"7\",namespace=\"\",pod=\"\",container=\"" container "\",layer=\"device\"}"

/* Only the container's own cgroup has the container's labels. A cgroup below it has none, because a
 * sum over these labels would count its I/O twice. */
TEST(a_container_has_its_name_once)
{
	struct exporter *e = exporter_with(10, 1000);

	at(1);
	add(7, "/lxc.payload.web", 5, 50);
	add(8, "/lxc.payload.web/a", 3, 30);
	exporter_update(e, &made.m);
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
}

/* The container runtime may write the container's name after the first I/O, and remove the name
 * before the last I/O. The series must get the name as a label, and keep it. */
TEST(a_name_that_is_written_later_becomes_a_label)
{
	struct exporter *e = exporter_with(1000, 1000);
	struct result r;

	ASSERT_EQ(containers_reset(scratch_dir()), 0);
	scratch_enter();
	at(1);
	add(7, "/docker/" DOCKER_ID, 5, 50);
	exporter_update(e, &made.m);
	EXPECT_EQ(value(e, DOCKER("0123456789ab", "0123456789ab")), 5);
	r = run_command("mkdir -p var/lib/docker/containers/" DOCKER_ID);
	ASSERT_EQ(r.status, 0);
	run_free(&r);
	scratch_put("var/lib/docker/containers/" DOCKER_ID "/config.v2.json",
		    "{\"Name\":\"/web\"}");
	for (int i = 0; i < 500 && value(e, DOCKER("web", "web")) < 0; i++) {
		usleep(100000);
		exporter_update(e, &made.m);
	}
	EXPECT_EQ(value(e, DOCKER("web", "web")), 5);
	EXPECT_EQ(value(e, DOCKER("0123456789ab", "0123456789ab")), -1);
	ASSERT_EQ(containers_reset("/"), 0);
	exporter_update(e, &made.m);
	EXPECT_EQ(value(e, DOCKER("web", "web")), 5);
	exporter_free(e);
}

/* Removed cgroups stay for keep_ns, so that a scrape sees their last values. */
TEST(removed_groups_stay_for_a_time)
{
	struct exporter *e = exporter_with(10, 1000);

	at(1);
	add(7, "/a", 5, 50);
	exporter_update(e, &made.m);
	EXPECT_EQ(value(e, GROUP("/a", "7")), 5);
	at(2);
	add(8, "/a", 3, 30);
	exporter_update(e, &made.m);
	EXPECT_EQ(value(e, GROUP("/a", "7")), 5);
	EXPECT_EQ(value(e, GROUP("/a", "8")), 3);
	EXPECT_EQ(value(e, STATE("removed")), 1);
	at(11);
	exporter_update(e, &made.m);
	EXPECT_EQ(value(e, GROUP("/a", "7")), 5);
	at(12);
	exporter_update(e, &made.m);
	EXPECT_EQ(value(e, GROUP("/a", "7")), -1);
	EXPECT_EQ(value(e, GROUP("/a", "8")), 3);
	at(21);
	exporter_update(e, &made.m);
	EXPECT_EQ(value(e, STATE("removed")), 0);
	exporter_free(e);
}

#define VFS_LABELS(path, id) OF(path, id) ",layer=\"vfs\""
#define VFS_GROUP(path, id) "iospan_cgroup_accesses_total" VFS_LABELS(path, id) "}"
#define VFS_PART(path, id) "iospan_accesses_total" VFS_LABELS(path, id) ",op=\"read\"}"
#define VFS_SYNCS(path, id) "iospan_cgroup_sync_latency_seconds_count" VFS_LABELS(path, id) "}"
#define MEASURED(layer) "iospan_layer_measured{layer=\"" layer "\"}"
#define FOLDED(layer) "iospan_folded_accesses_total{layer=\"" layer "\"}"

static bool holds(struct exporter *e, const char *part)
{
	size_t size;
	char *text = exporter_text(e, false, &size);
	bool found = strstr(text, part);

	free(text);
	return found;
}

static void add_vfs(u64 id, const char *path, struct group_part *part)
{
	struct group_sum *g = add(id, path, 5, 50);

	*part = (struct group_part){ .layer = LAYER_VFS, .op = VFS_READ, .accesses = 9 };
	g->vfs.row.accesses = 9;
	g->sync.row.accesses = g->sync.row.timed = g->sync.row.hist[0] = 2;
	g->parts = part;
	g->parts_n = 1;
}

/* If iospan stops measuring the vfs layer, all cgroups must lose their series of that layer, even
 * the removed cgroup "/b". The tracer still reports the last counts of the layer. */
TEST(series_of_the_vfs_layer_end)
{
	const struct exporter_limits limits = { .keep_ns = 10 * S,
						.max_series = 1000,
						.cpu = 0.005 };
	struct exporter *e = exporter_new(1 << LAYER_VFS | 1 << LAYER_DEVICE, &limits);
	struct group_part parts[2];

	at(1);
	add_vfs(7, "/a", &parts[0]);
	add_vfs(8, "/b", &parts[1]);
	exporter_update(e, &made.m);
	EXPECT_EQ(value(e, VFS_GROUP("/b", "8")), 9);
	EXPECT_EQ(value(e, VFS_PART("/b", "8")), 9);
	EXPECT_EQ(value(e, VFS_SYNCS("/b", "8")), 2);
	EXPECT_EQ(value(e, MEASURED("vfs")), 1);
	EXPECT_EQ(value(e, FOLDED("vfs")), 0);
	exporter_end_vfs(e);
	at(2);
	add_vfs(7, "/a", &parts[0]);
	exporter_update(e, &made.m);
	EXPECT_TRUE(!holds(e, ",layer=\"vfs\""));
	EXPECT_EQ(value(e, GROUP("/a", "7")), 5);
	EXPECT_EQ(value(e, GROUP("/b", "8")), 5);
	EXPECT_EQ(value(e, MEASURED("vfs")), 0);
	EXPECT_EQ(value(e, MEASURED("device")), 1);
	EXPECT_EQ(value(e, FOLDED("vfs")), -1);
	EXPECT_EQ(value(e, FOLDED("device")), 0);
	EXPECT_TRUE(holds(e, "iospan_cpu_limit_ratio 0.005\n"));
	exporter_free(e);
}

#define PSI(path) "iospan_cgroup_psi_some_seconds_total" OF(path, "7") "}"
#define DIRTY(path) "iospan_cgroup_dirty_throttled_seconds_total" OF(path, "7") "}"

/* If the pressure is unknown, the document has no series for it. If a cgroup was removed, its last
 * known pressure stays. */
TEST(pressure_of_the_machine_and_of_groups)
{
	struct exporter *e = exporter_with(10, 1000);

	at(1);
	add(7, "/a", 5, 50);
	exporter_update(e, &made.m);
	EXPECT_EQ(value(e, PSI("/a")), -1);
	EXPECT_EQ(value(e, "iospan_psi_some_seconds_total"), -1);
	made.m.pressure = (struct pressure){ .some_ns = 9 * S, .has_psi = true };
	made.m.groups[0].pressure = (struct pressure){ .some_ns = 3 * S,
						       .dirty_ns = 2 * S,
						       .has_psi = true,
						       .has_dirty = true };
	exporter_update(e, &made.m);
	EXPECT_EQ(value(e, "iospan_psi_some_seconds_total"), 9);
	EXPECT_EQ(value(e, PSI("/a")), 3);
	EXPECT_EQ(value(e, DIRTY("/a")), 2);
	made.m.groups[0].pressure.has_psi = false;
	exporter_update(e, &made.m);
	EXPECT_EQ(value(e, PSI("/a")), 3);
	exporter_free(e);
}

/* A bucket counts the accesses with a latency below its limit. The next bucket counts a latency
 * that equals the limit. */
TEST(buckets_end_at_powers_of_two)
{
	static const u64 times[] = { 1, 2047, 2048, 4095, 4096, 1 << 20, 1ULL << 35, 1ULL << 39 };
	struct exporter *e = exporter_with(10, 1000);
	struct group_sum *g;

	at(1);
	g = add(2, "/", 0, 0);
	for (size_t i = 0; i < sizeof(times) / sizeof(*times); i++)
		row_add(&g->device.row, 0, times[i]);
	exporter_update(e, &made.m);
	EXPECT_EQ(value(e, BUCKET("0.000002048")), 2);
	EXPECT_EQ(value(e, BUCKET("0.000004096")), 4);
	EXPECT_EQ(value(e, BUCKET("0.000008192")), 5);
	EXPECT_EQ(value(e, BUCKET("0.001048576")), 5);
	EXPECT_EQ(value(e, BUCKET("0.002097152")), 6);
	EXPECT_EQ(value(e, BUCKET("34.359738368")), 6);
	EXPECT_EQ(value(e, BUCKET("+Inf")), 8);
	exporter_free(e);
}

#define SYNC(what, path, id) \
	"iospan_cgroup_sync_latency_seconds_" what OF(path, id) ",layer=\"vfs\""

/* Only a cgroup with syncs has a histogram of their latency. The limit on the number of series also
 * counts the series of this histogram. */
TEST(syncs_have_a_histogram)
{
	struct exporter *e = exporter_with(10, 2 * 32 + 28);
	struct group_sum *g;

	at(1);
	add(2, "/", 3, 300);
	g = add(3, "/a", 2, 200);
	row_add(&g->sync.row, 0, 4095);
	row_add(&g->sync.row, 0, 7000);
	exporter_update(e, &made.m);
	EXPECT_EQ(value(e, SYNC("count", "/a", "3") "}"), 2);
	EXPECT_EQ(value(e, SYNC("bucket", "/a", "3") ",le=\"0.000004096\"}"), 1);
	EXPECT_EQ(value(e, SYNC("bucket", "/a", "3") ",le=\"0.000008192\"}"), 2);
	EXPECT_EQ(value(e, SYNC("count", "/", "2") "}"), -1);
	EXPECT_EQ(value(e, STATE("folded")), 0);
	at(2);
	add(2, "/", 3, 300);
	g = add(3, "/a", 2, 200);
	row_add(&g->sync.row, 0, 4095);
	add(4, "/b", 1, 100);
	exporter_update(e, &made.m);
	/* With "/b", there are more series than the limit allows. So the exporter folds (removes)
	 * "/b" and "/a", until at most 7/8 of the limit are in use. */
	EXPECT_EQ(value(e, STATE("folded")), 2);
	EXPECT_EQ(value(e, SYNC("count", "/a", "3") "}"), -1);
	exporter_free(e);
}

/* Sums near 2^64 must not wrap around, because Prometheus would take that for a restart. */
TEST(sums_do_not_wrap_at_64_bits)
{
	struct exporter *e = exporter_with(10, 1000);
	struct group_sum *g;
	size_t size;
	char *text;

	at(1);
	g = add(2, "/", 0, 0);
	for (int i = 0; i < 3; i++)
		row_add(&g->device.row, UINT64_MAX, UINT64_MAX);
	exporter_update(e, &made.m);
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
}

TEST_MAIN
