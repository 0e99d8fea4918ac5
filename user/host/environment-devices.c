// SPDX-License-Identifier: GPL-2.0-or-later
/* Collects attributes of disks from sysfs, for the environment (settings of the machine) that a
 * result records. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include "user/host/class.h"
#include "user/host/environment.h"
#include "user/host/environment-devices.h"
#include "user/base/err.h"
#include "user/base/out.h"

/* The JSON keys of a disk, and the files in its sysfs directory from which the values are read. */
static const struct {
	const char *key, *file;
	/* factor by which the number in the file becomes bytes or ns; 0: the value is text */
	unsigned unit;
} attributes[] = {
	{ "read_only", "ro", 1 },
	{ "rotational", "queue/rotational", 1 },
	{ "nr_requests", "queue/nr_requests", 1 },
	{ "queue_depth", "device/queue_depth", 1 },
	{ "write_cache", "queue/write_cache", 0 },
	{ "fua", "queue/fua", 1 },
	{ "wbt_latency_ns", "queue/wbt_lat_usec", 1000 },
	{ "nomerges", "queue/nomerges", 1 },
	{ "rq_affinity", "queue/rq_affinity", 1 },
	{ "iostats", "queue/iostats", 1 },
	{ "io_poll", "queue/io_poll", 1 },
	{ "read_ahead_bytes", "queue/read_ahead_kb", 1024 },
	{ "max_request_bytes", "queue/max_sectors_kb", 1024 },
	{ "max_hardware_request_bytes", "queue/max_hw_sectors_kb", 1024 },
	{ "logical_block_bytes", "queue/logical_block_size", 1 },
	{ "physical_block_bytes", "queue/physical_block_size", 1 },
	{ "optimal_io_bytes", "queue/optimal_io_size", 1 },
	{ "discard_max_bytes", "queue/discard_max_bytes", 1 },
	{ "zoned", "queue/zoned", 0 },
	{ "numa_node", "device/numa_node", 1 },
};

/* Reads the disk's scheduler. The file lists all schedulers, the active one in brackets: "none
 * [mq-deadline] kyber". */
static void put_scheduler(struct out *o, const struct disk *d)
{
	char text[256], *from, *to;

	disk_line(d, "queue/scheduler", text, sizeof(text));
	from = strchr(text, '[');
	to = from ? strchr(from, ']') : NULL;
	if (to)
		*to = '\0';
	/* A disk that takes bios instead of requests has no scheduler; its file has "none" without
	 * brackets. */
	out_str(o, "scheduler", to ? from + 1 : *text ? text : NULL);
}

/* Reads the firmware version. NVMe, SCSI and MMC have it in different files. */
static void put_firmware(struct out *o, const struct disk *d)
{
	char text[64];

	out_str(o, "firmware",
		disk_line(d, "device/firmware_rev", text, sizeof(text)) ||
				disk_line(d, "device/rev", text, sizeof(text)) ||
				disk_line(d, "device/fwrev", text, sizeof(text)) ?
			text :
			NULL);
}

static void put_class(struct out *o, const struct host *h, const struct disk *d)
{
	struct class c;

	class_of_disk(h, d, &c);
	out_str(o, "class", class_name(c.kind));
	out_str(o, "reported_class", c.reported == CLASS_UNKNOWN ? NULL : class_name(c.reported));
	out_str(o, "transport", c.transport);
	out_str(o, "platform", c.platform);
	out_str(o, "vendor", *c.vendor ? c.vendor : NULL);
	out_str(o, "model", *c.model ? c.model : NULL);
}

static void put_attributes(struct out *o, const struct disk *d)
{
	char text[256], names[1][DISK_NAME];
	long long sectors;
	unsigned queues = disk_list(d, "mq", names, 0);

	if (disk_number(d, "size", &sectors))
		out_u64(o, "bytes", (unsigned long long)sectors << 9);
	else
		out_null(o, "bytes");
	put_scheduler(o, d);
	if (queues)
		out_u64(o, "hardware_queues", queues);
	else
		out_null(o, "hardware_queues");
	for (unsigned i = 0; i < sizeof(attributes) / sizeof(*attributes); i++) {
		bool there = disk_line(d, attributes[i].file, text, sizeof(text));

		if (attributes[i].unit)
			environment_number(o, attributes[i].key, text, attributes[i].unit);
		else
			out_str(o, attributes[i].key, there ? text : NULL);
	}
}

struct device_walk {
	const struct host *host;
	struct out *list, *below;
	unsigned n;
	/* Device numbers of the disks that are already in the list. If two disks are stacked on one
	 * disk, this disk is listed only once. */
	dev_t seen[64];
};

static void walk_disk(struct device_walk *w, const struct disk *d);

static void walk_below(const struct disk *d, void *arg)
{
	struct device_walk *w = arg;

	out_append_str(w->below, d->name);
	walk_disk(w, d);
}

static void walk_disk(struct device_walk *w, const struct disk *d)
{
	struct out *o, *before = w->below;
	char dev[32];

	for (unsigned i = 0; i < w->n; i++)
		if (w->seen[i] == d->dev)
			return;
	if (w->n == sizeof(w->seen) / sizeof(*w->seen))
		return;
	w->seen[w->n++] = d->dev;
	o = out_object();
	snprintf(dev, sizeof(dev), "%u:%u", major(d->dev), minor(d->dev));
	out_str(o, "name", d->name);
	out_str(o, "dev", dev);
	out_str(o, "partition", *d->partition ? d->partition : NULL);
	put_class(o, w->host, d);
	put_firmware(o, d);
	put_attributes(o, d);
	w->below = out_array();
	out_put(o, "lower_devices", w->below);
	out_append(w->list, o);
	class_each_below(w->host, d, walk_below, w);
	w->below = before;
}

struct out *environment_devices(const struct host *h, const dev_t *disks, unsigned n)
{
	struct device_walk w = { .host = h, .list = out_array() };
	struct disk *d = need(malloc(sizeof(*d)));

	for (unsigned i = 0; i < n; i++)
		if (!disk_by_dev(h, disks[i], d))
			walk_disk(&w, d);
	free(d);
	return w.list;
}
