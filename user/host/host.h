/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads files of /sys, /proc and /boot, and the list of mounts. Tests pass a struct host with
 * directories of their own. */
#ifndef IOSPAN_HOST_H
#define IOSPAN_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct host {
	const char *sys, *proc, *boot; /* directories that are read as /sys, /proc and /boot */
};

extern const struct host this_host;

/* Reads the first line of a file into @buf, without white space at its ends. If the line is missing
 * or empty, sets @buf to "" and returns false. */
bool host_line(char *buf, size_t size, const char *path, ...) __attribute__((format(printf, 3, 4)));

/* Reads the value after "NAME:" in a file of /proc; @file is its name, such as "cpuinfo". Returns
 * false if there is no such line. */
bool host_field(const struct host *h, const char *file, const char *name, char *buf, size_t size);
/* Reads the value of @name in /proc/meminfo and converts it to bytes. */
bool host_memory(const struct host *h, const char *name, uint64_t *bytes);

/* Decodes the escapes in paths of mountinfo and swaps, such as "\040" for a blank. Works in place
 * and returns @s. */
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

/* Calls @fn for each mount in @mountinfo, a file such as /proc/self/mountinfo, until @fn returns
 * true. Returns 1 if a call returned true, 0 if no call did, or -errno. */
int host_mounts(const char *mountinfo, bool (*fn)(const struct mount *m, void *arg), void *arg);

/* Calls @fn with the mount that contains @path, in this process's mount namespace. Returns 0 if @fn
 * returned true, and -ENOENT if @fn returned false. Returns -ENOENT or another -errno if the mount
 * cannot be found. */
int host_mount_of(const struct host *h, const char *path,
		  bool (*fn)(const struct mount *m, void *arg), void *arg);

/* Like host_mount_of(), but compares only the text of @path with the mount points, and does not
 * access @path. So a file server that does not answer cannot block this function. @path must be
 * absolute and without symbolic links. */
int host_mount_by_text(const struct host *h, const char *path,
		       bool (*fn)(const struct mount *m, void *arg), void *arg);

/* Returns true if this process is in the outermost pid namespace. BPF programs see the process ids
 * of that namespace. */
bool host_is_init_pidns(void);

#endif
