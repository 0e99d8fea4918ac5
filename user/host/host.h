/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files of /sys, /proc and /boot, and mounts. Tests pass directories of their own. */
#ifndef IOSPAN_HOST_H
#define IOSPAN_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct host {
	const char *sys, *proc, *boot; /* directories that are read as /sys, /proc and /boot */
};

extern const struct host this_host;

/* Reads the first line, trimmed, into @buf. Returns false and sets "" if there is none. */
bool host_line(char *buf, size_t size, const char *path, ...) __attribute__((format(printf, 3, 4)));

/* Reads the value of "NAME:" in @file of /proc, such as "cpuinfo"; false: there is none. */
bool host_field(const struct host *h, const char *file, const char *name, char *buf, size_t size);
/* Reads the value of @name in /proc/meminfo and converts it to bytes. */
bool host_memory(const struct host *h, const char *name, uint64_t *bytes);

/* Decodes escapes of mountinfo and swaps, such as "\040" for a blank, in place. Returns @s. */
char *host_unescape(char *s);

/* A mount, as one line of mountinfo:
 *
 * 36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw,errors=continue
 * id    dev  root  point options             type  source    super */
struct mount {
	unsigned long long id;
	unsigned major, minor;
	char *root, *point, *options, *type, *source, *super;
};

/* Calls @fn for each mount in @mountinfo until it returns true: then 1, else 0, or -errno. */
int host_mounts(const char *mountinfo, bool (*fn)(const struct mount *m, void *arg), void *arg);

/* Calls @fn with the mount of @path in this process's namespace. Returns 0 if @fn returned true;
 * -ENOENT if false or unknown; or -errno. */
int host_mount_of(const struct host *h, const char *path,
		  bool (*fn)(const struct mount *m, void *arg), void *arg);

/* Like host_mount_of(), without access to @path: a server that does not answer cannot block. @path
 * is absolute, without symbolic links. */
int host_mount_by_text(const struct host *h, const char *path,
		       bool (*fn)(const struct mount *m, void *arg), void *arg);

#endif
