/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes synthetic machines: copies of files of /proc and /sys in the scratch directory. */
#ifndef IOSPAN_TESTS_MADE_HOST_H
#define IOSPAN_TESTS_MADE_HOST_H

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "user/host/host.h"
#include "tests/lib/harness.h"

#define MADE_PATH (2 * PATH_MAX)

static inline struct host made_host(void)
{
	return (struct host){ .sys = scratch_dir(), .proc = scratch_dir(), .boot = scratch_dir() };
}

/* Sets @path to the path of @name in the scratch directory, and makes the directories above it. */
static inline void made_path(char path[MADE_PATH], const char *name)
{
	snprintf(path, MADE_PATH, "%s/%s", scratch_dir(), name);
	for (char *slash = path + strlen(scratch_dir()); (slash = strchr(slash + 1, '/'));) {
		*slash = '\0';
		mkdir(path, 0755);
		*slash = '/';
	}
}

static inline void made_file(const char *text, const char *name, ...)
	__attribute__((format(printf, 2, 3)));
static inline void made_file(const char *text, const char *name, ...)
{
	char path[MADE_PATH], below[PATH_MAX];
	va_list ap;
	FILE *f;

	if (!text)
		return;
	va_start(ap, name);
	vsnprintf(below, sizeof(below), name, ap);
	va_end(ap);
	made_path(path, below);
	f = fopen(path, "w");
	ASSERT_TRUE(f != NULL);
	fprintf(f, "%s\n", text);
	fclose(f);
}

/* Makes the sysfs directory of a disk such as "pci0000:00/ata1/block/sda", with its links in
 * class/block and dev/block. */
static inline void made_disk(const char *device, const char *number)
{
	char path[PATH_MAX], link[MADE_PATH], target[MADE_PATH];

	made_file(number, "devices/%s/dev", device);
	snprintf(target, sizeof(target), "%s/devices/%s", scratch_dir(), device);
	snprintf(path, sizeof(path), "dev/block/%s", number);
	made_path(link, path);
	ASSERT_EQ(symlink(target, link), 0);
	snprintf(path, sizeof(path), "class/block%s", strrchr(device, '/'));
	made_path(link, path);
	ASSERT_EQ(symlink(target, link), 0);
}

#endif
