// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds where linear device-mapper disks, such as logical volumes, store their bytes. A segment is
 * a range of bytes of such a disk that is contiguous on a disk below. */
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

/* The first and the largest size of the buffer for a table. Since Linux 6.8, a table has at most
 * 2^20 segments, each of 64 bytes if it is linear. */
#define TABLE_BYTES (1 << 20)
#define TABLE_BYTES_MAX (1 << 27)

/* If a disk has more segments than this, iospan assumes that each byte may be anywhere on the disks
 * below (segment.scattered). A struct segment takes 8 KiB, so more segments would take too much
 * memory, and too much time to compare. */
#define SEGMENTS_MAX 1000

/* Returns the device-mapper table of disk @dev: the list of disks that store its data. The caller
 * frees it. NULL: the table cannot be read. */
static struct dm_ioctl *read_table(int control, dev_t dev)
{
	for (unsigned size = TABLE_BYTES; size <= TABLE_BYTES_MAX; size *= 2) {
		struct dm_ioctl *table = need(calloc(1, size));
		bool read;

		table->version[0] = DM_VERSION_MAJOR;
		table->data_size = size;
		table->data_start = sizeof(*table);
		table->dev = dev;
		table->flags = DM_STATUS_TABLE_FLAG;
		read = !ioctl(control, DM_TABLE_STATUS, table);
		if (read && !(table->flags & DM_BUFFER_FULL_FLAG))
			return table;
		free(table);
		if (!read)
			break;
	}
	return NULL;
}

/* Parses one line of a device-mapper table into @s. Returns false if @target does not map
 * linearly. */
static bool parse_target(const struct dm_target_spec *target, struct segment *s)
{
	unsigned major, minor;
	unsigned long long at;

	if (strcmp(target->target_type, "linear") != 0 ||
	    sscanf((const char *)(target + 1), "%u:%u %llu", &major, &minor, &at) != 3)
		return false;
	s->backing.dev = makedev(major, minor);
	s->start = target->sector_start << 9;
	s->size = target->length << 9;
	s->offset = at << 9;
	return true;
}

static bool is_scattered_over(const struct victims *v, const struct segment *s)
{
	for (unsigned i = 0; i < v->segments_n; i++)
		if (v->segments[i].scattered && v->segments[i].dev == s->dev &&
		    v->segments[i].backing.dev == s->backing.dev)
			return true;
	return false;
}

static void add_segments(struct victims *v, const struct disk *d, const struct dm_ioctl *table)
{
	const char *data = (const char *)table + table->data_start;
	const struct dm_target_spec *target = (const void *)data;
	struct segment s = { .dev = d->dev, .backing.held = true };
	unsigned before = v->segments_n;

	strcpy(s.name, d->name);
	s.scattered = table->target_count > SEGMENTS_MAX;
	for (unsigned i = 0; i < table->target_count; i++) {
		struct disk below;

		if (!parse_target(target, &s)) {
			/* not linear: reach_slaves() assumes that all bytes of the disks below are
			 * affected */
			v->segments_n = before;
			return;
		}
		target = (const void *)(data + target->next);
		if (is_scattered_over(v, &s))
			continue;
		s.backing.name[0] = '\0';
		if (!disk_by_dev(v->host, s.backing.dev, &below))
			strcpy(s.backing.name, below.partition[0] ? below.partition : below.name);
		victims_add_segment(v, &s);
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
