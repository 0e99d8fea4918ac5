// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests the description of the machine in each result: against other tools on this machine, and for
 * synthetic machines. */
#include <jansson.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/sysmacros.h>
#include <zlib.h>
#include "user/base/out-print.h"
#include "user/host/cgroup.h"
#include "user/host/cgroup-tree.h"
#include "user/base/clock.h"
#include "user/host/disk.h"
#include "user/host/environment.h"
#include "user/host/environment-cgroups.h"
#include "user/base/out.h"
#include "tests/unit/made-host.h"

static json_t *read_back(struct out *node)
{
	char *text;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	json_t *doc;

	out_json(f, node);
	fclose(f);
	out_free(node);
	doc = json_loads(text, 0, NULL);
	ASSERT_TRUE(doc != NULL);
	free(text);
	return doc;
}

/* Returns the value at @path, such as "devices.0.name"; NULL: there is none. */
static json_t *at(json_t *node, const char *path)
{
	char copy[256], *save = NULL;

	snprintf(copy, sizeof(copy), "%s", path);
	for (char *word = strtok_r(copy, ".", &save); word && node;
	     word = strtok_r(NULL, ".", &save))
		node = json_is_array(node) ? json_array_get(node, atoi(word)) :
					     json_object_get(node, word);
	return node;
}

static const char *text_at(json_t *doc, const char *path)
{
	return json_string_value(at(doc, path));
}

static const char *said(const char *command)
{
	static char line[512];
	struct result r = run_command("%s", command);

	snprintf(line, sizeof(line), "%s", r.out);
	line[strcspn(line, "\n")] = '\0';
	run_free(&r);
	return *line ? line : NULL;
}

static void expect_said(json_t *doc, const char *path, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
static void expect_said(json_t *doc, const char *path, const char *fmt, ...)
{
	json_t *node = at(doc, path);
	char command[512], text[64];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(command, sizeof(command), fmt, ap);
	va_end(ap);
	printf("%s: %s\n", path, command);
	if (json_is_integer(node)) {
		snprintf(text, sizeof(text), "%lld", (long long)json_integer_value(node));
		EXPECT_STR(text, said(command));
	} else {
		EXPECT_STR(json_string_value(node), said(command));
	}
}

TEST(this_machine_as_others_see_it)
{
	json_t *doc = read_back(environment(&this_host, scratch_dir()));

	EXPECT_STR(text_at(doc, "iospan"), VERSION);
	expect_said(doc, "kernel", "uname -r");
	expect_said(doc, "kernel_version", "uname -v");
	expect_said(doc, "machine", "uname -m");
	expect_said(doc, "processor_count", "getconf _NPROCESSORS_ONLN");
	expect_said(doc, "processors.allowed_processor_count", "nproc");
	expect_said(doc, "processors.model", "sed -n 's/^model name[^:]*: //p' /proc/cpuinfo");
	expect_said(doc, "memory_bytes",
		    "awk '/^MemTotal:/ { printf \"%%.0f\", $2 * 1024 }' /proc/meminfo");
	expect_said(doc, "processors.governor",
		    "cat /sys/devices/system/cpu/cpu*/cpufreq/scaling_governor | sort -u");
	expect_said(doc, "processors.vulnerabilities.meltdown",
		    "cat /sys/devices/system/cpu/vulnerabilities/meltdown");
	EXPECT_GT(json_integer_value(at(doc, "cache.cached_bytes")), 0);
	EXPECT_TRUE(json_is_integer(at(doc, "cache.dirty_bytes")));
	EXPECT_TRUE(json_is_integer(at(doc, "cache.writeback_bytes")));
	json_decref(doc);
}

TEST(this_machines_configuration)
{
	static const char *const names[] = { "BLK_CGROUP", "BLK_WBT", "BLK_WBT_MQ", "HZ",
					     "BLK_CGROUP_IOLATENCY" };
	json_t *doc = read_back(environment(&this_host, NULL));

	NEEDS(said("{ zcat /proc/config.gz || cat /boot/config-$(uname -r); } 2>&-"),
	      "this kernel's configuration is nowhere");
	for (unsigned i = 0; i < sizeof(names) / sizeof(*names); i++) {
		char path[64];

		snprintf(path, sizeof(path), "kernel_config.%s", names[i]);
		expect_said(doc, path,
			    "{ zcat /proc/config.gz || cat /boot/config-$(uname -r)"
			    "; } 2>&- | sed -n 's/^CONFIG_%s=//p; "
			    "s/^# CONFIG_%s is not set/n/p'",
			    names[i], names[i]);
	}
	json_decref(doc);
}

TEST(what_is_worked_on)
{
	json_t *doc = read_back(environment(&this_host, scratch_dir()));
	char name[64];
	struct disk d;

	EXPECT_STR(text_at(doc, "target.path"), scratch_dir());
	expect_said(doc, "target.file_system", "findmnt -no FSTYPE -T %s", scratch_dir());
	expect_said(doc, "target.mount_point", "findmnt -no TARGET -T %s", scratch_dir());
	expect_said(doc, "target.mount_options", "findmnt -no VFS-OPTIONS -T %s", scratch_dir());
	expect_said(doc, "target.super_options", "findmnt -no FS-OPTIONS -T %s", scratch_dir());
	expect_said(doc, "target.source", "findmnt -nvo SOURCE -T %s", scratch_dir());
	NEEDS(!disk_by_path(&this_host, scratch_dir(), &d), "it lies on no disk");
	snprintf(name, sizeof(name), "%.60s", d.name);
	EXPECT_STR(text_at(doc, "devices.0.name"), name);
	expect_said(doc, "devices.0.bytes", "lsblk -bdno SIZE /dev/%s", name);
	expect_said(doc, "devices.0.scheduler", "lsblk -dno SCHED /dev/%s", name);
	expect_said(doc, "devices.0.dev", "lsblk -dno MAJ:MIN /dev/%s | tr -d ' '", name);
	expect_said(doc, "devices.0.rotational", "lsblk -dno ROTA /dev/%s | tr -d ' '", name);
	expect_said(doc, "devices.0.nr_requests", "lsblk -dno RQ-SIZE /dev/%s | tr -d ' '", name);
	expect_said(doc, "devices.0.logical_block_bytes", "lsblk -dno LOG-SEC /dev/%s | tr -d ' '",
		    name);
	expect_said(doc, "devices.0.physical_block_bytes", "lsblk -dno PHY-SEC /dev/%s | tr -d ' '",
		    name);
	for (const char *const *file =
		     (const char *const[]){ "write_cache", "nomerges", "iostats", "io_poll", NULL };
	     *file; file++) {
		char path[64];

		snprintf(path, sizeof(path), "devices.0.%s", *file);
		expect_said(doc, path, "cat /sys/block/%s/queue/%s", name, *file);
	}
	expect_said(doc, "devices.0.wbt_latency_ns",
		    "awk '$1 >= 0 {print $1 * 1000}' /sys/block/%s/queue/wbt_lat_usec", name);
	expect_said(doc, "devices.0.max_request_bytes",
		    "awk '{print $1 * 1024}' /sys/block/%s/queue/max_sectors_kb", name);
	json_decref(doc);
}

TEST(a_device_lies_in_no_file_system)
{
	static const char *const keys[] = { "file_system", "source", "mount_point", "mount_options",
					    "super_options" };
	const char *name = said("lsblk -dno NAME | head -n 1");
	char path[64];
	json_t *doc;

	NEEDS(name, "no disk here");
	snprintf(path, sizeof(path), "/dev/%.50s", name);
	NEEDS(!access(path, F_OK), "no such node");
	doc = read_back(environment(&this_host, path));
	EXPECT_STR(text_at(doc, "target.path"), path);
	EXPECT_STR(text_at(doc, "devices.0.name"), strrchr(path, '/') + 1);
	for (unsigned i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		EXPECT_TRUE(json_is_null(json_object_get(at(doc, "target"), keys[i])));
	json_decref(doc);
}

#define NVME "pci0000:00/nvme/nvme0/nvme0n1"

TEST(a_made_up_disk)
{
	struct host h = made_host();
	char number[32];
	struct stat st;
	json_t *doc;

	ASSERT_EQ(stat(scratch_dir(), &st), 0);
	NEEDS(major(st.st_dev), "this file system has no disk of its own");
	snprintf(number, sizeof(number), "%u:%u", major(st.st_dev), minor(st.st_dev));
	made_disk("virtual/block/dm-0", number);
	made_file("none", "devices/virtual/block/dm-0/queue/scheduler");
	made_file("", "devices/virtual/block/dm-0/slaves/nvme0n1/x");
	made_disk(NVME, "259:0");
	made_file("2000409264", "devices/" NVME "/size");
	made_file("none [mq-deadline] kyber", "devices/" NVME "/queue/scheduler");
	made_file("4B2QGXA7", "devices/" NVME "/device/firmware_rev");
	made_file("Samsung SSD 980", "devices/" NVME "/device/model");
	made_file("0", "devices/" NVME "/mq/0/x");
	made_file("0", "devices/" NVME "/mq/1/x");
	made_file("-1", "devices/" NVME "/device/numa_node");
	made_file("write back", "devices/" NVME "/queue/write_cache");
	doc = read_back(environment(&h, scratch_dir()));
	EXPECT_EQ(json_array_size(at(doc, "devices")), 2);
	EXPECT_STR(text_at(doc, "devices.0.name"), "dm-0");
	EXPECT_STR(text_at(doc, "devices.0.scheduler"), "none");
	EXPECT_STR(text_at(doc, "devices.0.class"), "nvme");
	EXPECT_STR(text_at(doc, "devices.0.lower_devices.0"), "nvme0n1");
	EXPECT_STR(text_at(doc, "devices.1.name"), "nvme0n1");
	EXPECT_STR(text_at(doc, "devices.1.dev"), "259:0");
	EXPECT_STR(text_at(doc, "devices.1.scheduler"), "mq-deadline");
	EXPECT_STR(text_at(doc, "devices.1.firmware"), "4B2QGXA7");
	EXPECT_STR(text_at(doc, "devices.1.model"), "Samsung SSD 980");
	EXPECT_STR(text_at(doc, "devices.1.write_cache"), "write back");
	EXPECT_EQ(json_integer_value(at(doc, "devices.1.bytes")), 2000409264LL * 512);
	EXPECT_EQ(json_integer_value(at(doc, "devices.1.hardware_queues")), 2);
	EXPECT_TRUE(json_is_null(at(doc, "devices.1.numa_node")));
	EXPECT_TRUE(json_is_null(at(doc, "devices.1.queue_depth")));
	EXPECT_TRUE(json_is_null(at(doc, "devices.1.wbt_latency_ns")));
	json_decref(doc);
}

static void expect_null(json_t *doc, const char *path)
{
	printf("%s\n", path);
	EXPECT_TRUE(json_is_null(at(doc, path)));
}

TEST(what_a_host_does_not_say_is_null)
{
	static const char *const paths[] = {
		"kernel_config",
		"processors.model",
		"processors.microcode",
		"processors.online",
		"processors.governor",
		"processors.clocksource",
		"processors.vulnerabilities",
		"memory_bytes",
		"cache.cached_bytes",
		"cache.dirty_bytes",
		"cache.writeback_bytes",
		"target.file_system",
		"target.source",
		"target.mount_point",
		"target.mount_options",
		"target.super_options",
	};
	struct host h = made_host();
	json_t *doc = read_back(environment(&h, scratch_dir()));

	for (unsigned i = 0; i < sizeof(paths) / sizeof(*paths); i++)
		expect_null(doc, paths[i]);
	EXPECT_TRUE(json_is_array(at(doc, "devices")));
	EXPECT_EQ(json_array_size(at(doc, "devices")), 0);
	json_decref(doc);
	doc = read_back(environment(&h, NULL));
	expect_null(doc, "target");
	expect_null(doc, "devices");
	json_decref(doc);
}

TEST(what_a_made_up_host_says)
{
	struct host h = made_host();
	json_t *doc;

	made_file("MemTotal:  16384 kB\nDirty: 12 kB\nWriteback: many kB", "meminfo");
	made_file("processor\t: 0\nmodel name\t: Some CPU @ 3 GHz", "cpuinfo");
	made_file("performance", "devices/system/cpu/cpu0/cpufreq/scaling_governor");
	made_file("performance", "devices/system/cpu/cpu1/cpufreq/scaling_governor");
	made_file("powersave", "devices/system/cpu/cpu10/cpufreq/scaling_governor");
	doc = read_back(environment(&h, NULL));
	EXPECT_EQ(json_integer_value(at(doc, "memory_bytes")), 16384 << 10);
	EXPECT_EQ(json_integer_value(at(doc, "cache.dirty_bytes")), 12 << 10);
	expect_null(doc, "cache.writeback_bytes");
	expect_null(doc, "cache.cached_bytes");
	EXPECT_STR(text_at(doc, "processors.model"), "Some CPU @ 3 GHz");
	EXPECT_STR(text_at(doc, "processors.governor"), "performance,powersave");
	json_decref(doc);
}

/* The configuration of the kernel is a text file in /boot, or a compressed file in /proc. If both
 * exist, iospan must read the file in /proc, because it describes the running kernel. */
TEST(configurations_of_both_kinds)
{
	struct host h = made_host();
	char path[MADE_PATH];
	json_t *doc;
	gzFile f;

	made_file("CONFIG_BLK_CGROUP=y\n# CONFIG_BLK_WBT is not set\nCONFIG_HZ=250\n"
		  "CONFIG_BLK_WBT_MQX=y\n# CONFIG_BLK_WBT_MQ is not setup",
		  "config-%s", said("uname -r"));
	doc = read_back(environment(&h, NULL));
	EXPECT_STR(text_at(doc, "kernel_config.BLK_CGROUP"), "y");
	EXPECT_STR(text_at(doc, "kernel_config.BLK_WBT"), "n");
	EXPECT_STR(text_at(doc, "kernel_config.HZ"), "250");
	expect_null(doc, "kernel_config.BLK_CGROUP_IOCOST");
	json_decref(doc);
	made_path(path, "config.gz");
	f = gzopen(path, "w");
	gzputs(f, "CONFIG_HZ=1000\n");
	gzclose(f);
	doc = read_back(environment(&h, NULL));
	EXPECT_STR(text_at(doc, "kernel_config.HZ"), "1000");
	expect_null(doc, "kernel_config.BLK_CGROUP");
	json_decref(doc);
}

static void remove_group(const struct cgroup *cg)
{
	struct cgroup_place p;

	cgroup_place_open(&p, cg);
	EXPECT_GE(cgroup_remove(&p, now_ns() + 100000000000), 0);
	cgroup_place_close(&p);
}

static void limits_of(enum cgroup_tree tree, const char *file, const char *value)
{
	struct cgroup self = { .path = "" }, top, inner;
	char path[PATH_MAX + 64], name[64];
	json_t *doc, *limit;
	struct result r;
	size_t i, found = 0;
	bool refused;

	NEEDS(geteuid() == 0, "needs root");
	snprintf(path, sizeof(path), "grep -E ' cgroup%s' /proc/self/mounts",
		 tree == CGROUP_V2	       ? "2 " :
			 tree == CGROUP_MEMORY ? " .*memory" :
						 " .*blkio");
	NEEDS(said(path), "no such hierarchy");
	ASSERT_EQ(cgroup_self(tree, &self), 0);
	snprintf(name, sizeof(name), "iospan-test-limits-%d", (int)getpid());
	ASSERT_EQ(cgroup_child(&self, name, &top), 0);
	ASSERT_EQ(cgroup_make(&top), 0);
	ASSERT_EQ(cgroup_child(&top, "inner", &inner), 0);
	ASSERT_EQ(cgroup_make(&inner), 0);
	snprintf(path, sizeof(path), "%s/%s", top.path, file);
	if (tree != CGROUP_V2)
		/* the file exists only if this hierarchy has the controller */
		EXPECT_EQ(access(path, F_OK), 0);
	r = run_command("echo '%s' >%s", value, path);
	refused = r.status != 0;
	run_free(&r);
	if (refused) {
		remove_group(&top);
		NEEDS(false, "the controller of '%s' is not on", file);
	}
	EXPECT_EQ(cgroup_enter(&inner, 0), 0);
	doc = read_back(environment_cgroups());
	EXPECT_EQ(cgroup_enter(&self, 0), 0);
	remove_group(&top);
	json_array_foreach (at(doc, "limits"), i, limit) {
		if (strcmp(text_at(limit, "cgroup"), top.path) != 0)
			continue;
		EXPECT_STR(text_at(limit, "file"), file);
		EXPECT_STR(text_at(limit, "content"), value);
		found++;
	}
	EXPECT_EQ(found, 1);
	json_array_foreach (at(doc, "limits"), i, limit)
		EXPECT_TRUE(strcmp(text_at(limit, "cgroup"), inner.path) != 0);
	json_decref(doc);
}

TEST(memory_limit_of_version_1)
{
	limits_of(CGROUP_MEMORY, "memory.limit_in_bytes", "268435456");
}

TEST(throttle_of_version_1)
{
	struct disk d;
	char text[64];

	NEEDS(!disk_by_path(&this_host, scratch_dir(), &d), "no disk");
	snprintf(text, sizeof(text), "%u:%u 1073741824", major(d.dev), minor(d.dev));
	limits_of(CGROUP_BLKIO, "blkio.throttle.read_bps_device", text);
}

TEST(memory_limit_of_version_2)
{
	limits_of(CGROUP_V2, "memory.high", "268435456");
}

TEST_MAIN
