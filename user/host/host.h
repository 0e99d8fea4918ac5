/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The machine as the kernel's files tell it: where they are, and what one line of
 * them says. Tests have roots of their own, with recorded machines below. */
#ifndef IOSPAN_HOST_H
#define IOSPAN_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct host {
	const char *sys, *proc, *boot;
};

extern const struct host this_host;

/* The first line of a file, without the blanks at its ends. False, and "", when
 * there is no such file or nothing in that line. */
bool host_line(char *buf, size_t size, const char *path, ...) __attribute__((format(printf, 3, 4)));

/* The value behind "NAME:" in a file of proc such as cpuinfo. False: no such line. */
bool host_field(const struct host *h, const char *file, const char *name, char *buf, size_t size);
/* The same of meminfo, in bytes. */
bool host_memory(const struct host *h, const char *name, uint64_t *bytes);

/* Undoes, in place, what the kernel does to blanks in the paths of mountinfo and
 * swaps: "\040" and the like. Returns @s. */
char *host_unescape(char *s);

/* ---- mounts ---- */

/* 36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw,errors=continue
 * id    dev  root  point options             type  source    super */
struct mount {
	unsigned long long id;
	unsigned major, minor;
	char *root, *point, *options, *type, *source, *super;
};

/* Calls @fn for each mount in a file such as /proc/self/mountinfo, until it returns
 * true: then 1. 0 when it never did, -errno when the file cannot be read. */
int host_mounts(const char *mountinfo, bool (*fn)(const struct mount *m, void *arg), void *arg);

/* The same with the mount that holds @path, in our own namespace. -ENOENT: not known. */
int host_mount_of(const struct host *h, const char *path,
		  bool (*fn)(const struct mount *m, void *arg), void *arg);

/* Like host_mount_of(), for an absolute path without links, by comparing text. It asks no file
 * system, so a server that does not answer cannot block it. */
int host_mount_by_text(const struct host *h, const char *path,
		       bool (*fn)(const struct mount *m, void *arg), void *arg);

#endif
