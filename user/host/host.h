/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files of /sys, /proc and /boot, and the list of mounts. Tests use a struct host with directories
 * of their own. */
#ifndef IOSPAN_HOST_H
#define IOSPAN_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct host {
	const char *sys, *proc, *boot; /* directories */
};

extern const struct host this_host;

/* Reads the first line of a file, without blanks at its ends. Returns false, and "", if there is
 * no such file or the line is empty. */
bool host_line(char *buf, size_t size, const char *path, ...) __attribute__((format(printf, 3, 4)));

/* Reads the value after "NAME:" in @file of /proc, such as "cpuinfo". Returns false if there is no
 * such line. */
bool host_field(const struct host *h, const char *file, const char *name, char *buf, size_t size);
/* Reads the value of @name in meminfo, in bytes. */
bool host_memory(const struct host *h, const char *name, uint64_t *bytes);

/* Replaces, in place, the escapes for blanks in paths of mountinfo and swaps, such as "\040".
 * Returns @s. */
char *host_unescape(char *s);

/* ---- mounts ---- */

/* 36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw,errors=continue
 * id    dev  root  point options             type  source    super */
struct mount {
	unsigned long long id;
	unsigned major, minor;
	char *root, *point, *options, *type, *source, *super;
};

/* Calls @fn for each mount in a file such as /proc/self/mountinfo until it returns true. Returns 1
 * if it did, 0 if it did not, -errno if the file cannot be read. */
int host_mounts(const char *mountinfo, bool (*fn)(const struct mount *m, void *arg), void *arg);

/* Calls @fn with the mount that holds @path, in our own namespace. Returns 0 if @fn returned true,
 * -ENOENT if it did not or the mount is not known, or another -errno. */
int host_mount_of(const struct host *h, const char *path,
		  bool (*fn)(const struct mount *m, void *arg), void *arg);

/* Like host_mount_of(), for an absolute path without symbolic links. Compares only text, so a
 * server that does not answer cannot block it. */
int host_mount_by_text(const struct host *h, const char *path,
		       bool (*fn)(const struct mount *m, void *arg), void *arg);

#endif
