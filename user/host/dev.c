// SPDX-License-Identifier: GPL-2.0-or-later
/* Lists the disks of this machine and counts their requests in flight, from /sys/block. */
#include "user/host/dev.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define SYS_BLOCK "/sys/block"
#define DISK_PATH 300

const char *dev_text(char *buf, u64 dev)
{
	snprintf(buf, DEV_TEXT, "%llu:%llu", (unsigned long long)DEV_MAJOR(dev),
		 (unsigned long long)DEV_MINOR(dev));
	return buf;
}

/* Returns the number at the start of the file @path, or 0 if there is none. */
static unsigned long read_number(const char *path)
{
	unsigned long n = 0;
	FILE *f = fopen(path, "re");

	if (!f)
		return 0;
	if (fscanf(f, "%lu", &n) != 1)
		n = 0;
	fclose(f);
	return n;
}

/* Returns the number of requests that disk @name can have in flight. For each hardware queue, adds
 * nr_tags, nr_requests or @least, whichever is largest. Sets *@queues to the number of hardware
 * queues. Both numbers are 0 for a disk that takes bios instead of requests, such as dm. */
static unsigned disk_requests(const char *name, unsigned least, unsigned *queues)
{
	char path[600];
	unsigned long depth, sum = 0;
	struct dirent *d;
	DIR *dir;

	snprintf(path, sizeof(path), SYS_BLOCK "/%s/queue/nr_requests", name);
	depth = read_number(path);
	if (depth < least)
		depth = least;
	snprintf(path, sizeof(path), SYS_BLOCK "/%s/mq", name);
	dir = opendir(path);
	*queues = 0;
	if (!dir)
		return 0;
	while ((d = readdir(dir))) {
		unsigned long tags;

		if (d->d_name[0] == '.')
			continue;
		++*queues;
		snprintf(path, sizeof(path), SYS_BLOCK "/%s/mq/%s/nr_tags", name, d->d_name);
		tags = read_number(path);
		sum += tags > depth ? tags : depth;
	}
	closedir(dir);
	return sum;
}

void dev_capacity(unsigned least, unsigned *disks, unsigned *requests, unsigned *queues)
{
	struct dirent *d;
	DIR *dir = opendir(SYS_BLOCK);

	*disks = *requests = *queues = 0;
	if (!dir)
		return;
	while ((d = readdir(dir))) {
		unsigned own;

		if (d->d_name[0] == '.')
			continue;
		++*disks;
		*requests += disk_requests(d->d_name, least, &own);
		if (own > *queues)
			*queues = own;
	}
	closedir(dir);
}

/* Writes the path of @file in the sysfs directory of disk @name to @path, and returns @path. sysfs
 * replaces '/' in the name of a disk by '!'. */
static const char *disk_path(char path[DISK_PATH], const char *name, const char *file)
{
	int n = snprintf(path, DISK_PATH, SYS_BLOCK "/");

	for (const char *c = name; *c && n < 200; c++)
		path[n++] = *c == '/' ? '!' : *c;
	snprintf(path + n, DISK_PATH - n, "/%s", file);
	return path;
}

static FILE *disk_file(const char *name, const char *file)
{
	char path[DISK_PATH];

	return fopen(disk_path(path, name, file), "re");
}

bool dev_is_absent(const char *name, u64 diskseq)
{
	FILE *f = disk_file(name, "diskseq");
	unsigned long long now = diskseq;
	char path[DISK_PATH];

	if (!f)
		return access(disk_path(path, name, ""), F_OK) && !access(SYS_BLOCK, F_OK);
	if (fscanf(f, "%llu", &now) != 1)
		now = diskseq;
	fclose(f);
	return now != diskseq;
}

bool dev_is_bio_based(const char *name)
{
	FILE *mq = disk_file(name, "mq"), *size = mq ? NULL : disk_file(name, "size");
	unsigned long long sectors = 0;

	if (mq)
		fclose(mq);
	if (size && fscanf(size, "%llu", &sectors) != 1)
		sectors = 0;
	if (size)
		fclose(size);
	return sectors;
}

static void each_disk(void (*fn)(void *arg, const char *name, u32 dev), void *arg, char *name)
{
	unsigned major, minor;
	FILE *f = disk_file(name, "dev");

	if (!f)
		return;
	if (fscanf(f, "%u:%u", &major, &minor) == 2) {
		for (char *c = name; *c; c++)
			*c = *c == '!' ? '/' : *c;
		fn(arg, name, dev_number(major, minor));
	}
	fclose(f);
}

void dev_each(void (*fn)(void *arg, const char *name, u32 dev), void *arg)
{
	struct dirent *d;
	DIR *dir = opendir(SYS_BLOCK);

	while (dir && (d = readdir(dir)))
		if (d->d_name[0] != '.')
			each_disk(fn, arg, d->d_name);
	if (dir)
		closedir(dir);
}

bool dev_counts_inflight(const char *name)
{
	unsigned long long reads = 0, writes = 0;
	int on = 0;
	FILE *f = disk_file(name, "queue/iostats");

	if (!f)
		return true; /* the disk was removed, so nothing is in flight */
	if (!strncmp(name, "dm-", 3)) {
		fclose(f);
		return false;
	}
	if (fscanf(f, "%d", &on) != 1)
		on = 0;
	fclose(f);
	f = on ? disk_file(name, "stat") : NULL;
	if (!f)
		return false;
	if (fscanf(f, "%llu %*u %*u %*u %llu", &reads, &writes) != 2)
		reads = writes = 0;
	fclose(f);
	return reads || writes;
}

long dev_inflight(const char *name)
{
	long reads, writes, sum = -1;
	FILE *f = disk_file(name, "inflight");

	if (!f)
		return -1;
	if (fscanf(f, "%ld %ld", &reads, &writes) == 2)
		sum = reads + writes;
	fclose(f);
	return sum;
}
