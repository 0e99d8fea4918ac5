// SPDX-License-Identifier: GPL-2.0-or-later
#include "bench/guard/mapped.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/dm-ioctl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/sysmacros.h>
#include <unistd.h>
#include "user/base/err.h"

#define TABLE_BYTES (1 << 20)

/* Returns the device-mapper table of disk @dev: the list of disks that store its data. The caller
 * frees it. NULL: the table cannot be read. */
static struct dm_ioctl *read_table(int control, dev_t dev)
{
	struct dm_ioctl *table = need(calloc(1, TABLE_BYTES));

	table->version[0] = DM_VERSION_MAJOR;
	table->data_size = TABLE_BYTES;
	table->data_start = sizeof(*table);
	table->dev = dev;
	table->flags = DM_STATUS_TABLE_FLAG;
	if (!ioctl(control, DM_TABLE_STATUS, table) && !(table->flags & DM_BUFFER_FULL_FLAG))
		return table;
	free(table);
	return NULL;
}

static void add_segments(struct victims *v, const struct disk *d, const struct dm_ioctl *table)
{
	const char *data = (const char *)table + table->data_start;
	const struct dm_target_spec *target = (const void *)data;
	unsigned before = v->segments_n;

	for (unsigned i = 0; i < table->target_count; i++) {
		struct segment s = { .dev = d->dev, .backing.held = true };
		unsigned major, minor;
		unsigned long long at;
		struct disk below;

		if (strcmp(target->target_type, "linear") != 0 ||
		    sscanf((const char *)(target + 1), "%u:%u %llu", &major, &minor, &at) != 3) {
			/* The disk is not linear. Without segments, reach_slaves() assumes that all
			 * bytes of the disks below are affected. */
			v->segments_n = before;
			return;
		}
		s.backing.dev = makedev(major, minor);
		if (!disk_by_dev(v->host, s.backing.dev, &below))
			strcpy(s.backing.name, below.partition[0] ? below.partition : below.name);
		strcpy(s.name, d->name);
		s.start = target->sector_start << 9;
		s.size = target->length << 9;
		s.offset = at << 9;
		victims_add_segment(v, &s);
		target = (const void *)(data + target->next);
	}
}

void mapped_read(struct victims *v)
{
	int control = open("/dev/mapper/control", O_RDWR | O_CLOEXEC);
	char path[PATH_MAX];
	struct dirent *e;
	DIR *dir;

	if (control < 0)
		return;
	snprintf(path, sizeof(path), "%s/class/block", v->host->sys);
	dir = opendir(path);
	while (dir && (e = readdir(dir))) {
		struct dm_ioctl *table;
		struct disk d;

		if (strncmp(e->d_name, "dm-", 3) != 0 || disk_by_name(v->host, e->d_name, &d))
			continue;
		table = read_table(control, d.dev);
		if (table)
			add_segments(v, &d, table);
		free(table);
	}
	if (dir)
		closedir(dir);
	close(control);
}
