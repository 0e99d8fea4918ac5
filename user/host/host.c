// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads lines and values from files of /sys and /proc, and the list of mounts. */
#include "user/host/host.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

const struct host this_host = { .sys = "/sys", .proc = "/proc", .boot = "/boot" };

static void trim(char *s)
{
	char *start = s + strspn(s, " \t\n");
	size_t len = strlen(start);

	while (len && isspace((unsigned char)start[len - 1]))
		len--;
	memmove(s, start, len);
	s[len] = '\0';
}

bool host_line(char *buf, size_t size, const char *path, ...)
{
	char full[PATH_MAX];
	va_list ap;
	FILE *f;
	int n;

	buf[0] = '\0';
	va_start(ap, path);
	n = vsnprintf(full, sizeof(full), path, ap);
	va_end(ap);
	if (n < 0 || n >= (int)sizeof(full))
		return false;
	f = fopen(full, "re");
	if (!f)
		return false;
	if (!fgets(buf, size, f))
		buf[0] = '\0';
	fclose(f);
	trim(buf);
	return buf[0];
}

bool host_field(const struct host *h, const char *file, const char *name, char *buf, size_t size)
{
	char path[PATH_MAX], *line = NULL;
	size_t cap = 0, len = strlen(name);
	bool found = false;
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", h->proc, file);
	f = fopen(path, "re");
	while (f && !found && getline(&line, &cap, f) > 0) {
		char *colon = strchr(line, ':');

		found = colon && !strncmp(line, name, len) &&
			strspn(line + len, " \t") == (size_t)(colon - line) - len;
		if (!found)
			continue;
		colon += 1 + strspn(colon + 1, " \t");
		colon[strcspn(colon, "\n")] = '\0';
		snprintf(buf, size, "%s", colon);
	}
	if (f)
		fclose(f);
	free(line);
	return found;
}

bool host_memory(const struct host *h, const char *name, uint64_t *bytes)
{
	unsigned long long kib;
	char text[64], unit[8];

	if (!host_field(h, "meminfo", name, text, sizeof(text)) ||
	    sscanf(text, "%llu %7s", &kib, unit) != 2 || strcmp(unit, "kB"))
		return false;
	*bytes = (uint64_t)kib << 10;
	return true;
}

char *host_unescape(char *s)
{
	char *to = s;

	for (const char *from = s; *from; to++) {
		unsigned code;

		if (*from == '\\' && sscanf(from + 1, "%3o", &code) == 1 &&
		    strspn(from + 1, "01234567") >= 3) {
			*to = code;
			from += 4;
		} else {
			*to = *from++;
		}
	}
	*to = '\0';
	return s;
}

/* Parses a line of mountinfo into @m. Overwrites the line; the strings of @m point into it. */
static bool parse_mount(char *line, struct mount *m)
{
	char *save = NULL, *tail = strstr(line, " - "), *rest, *id, *dev;

	if (!tail)
		return false;
	*tail = '\0';
	id = strtok_r(line, " ", &save);
	strtok_r(NULL, " ", &save); /* skips the id of the parent mount */
	dev = strtok_r(NULL, " ", &save);
	m->root = strtok_r(NULL, " ", &save);
	m->point = strtok_r(NULL, " ", &save);
	m->options = strtok_r(NULL, " ", &save);
	if (!m->options || sscanf(id, "%llu", &m->id) != 1 ||
	    sscanf(dev, "%u:%u", &m->major, &m->minor) != 2)
		return false;
	rest = tail + 3;
	m->type = strsep(&rest, " ");
	m->source = strsep(&rest, " "); /* strtok_r() would skip an empty source */
	m->super = strsep(&rest, " \n");
	if (!m->super)
		return false;
	host_unescape(m->root);
	host_unescape(m->point);
	host_unescape(m->source);
	return true;
}

int host_mounts(const char *mountinfo, bool (*fn)(const struct mount *m, void *arg), void *arg)
{
	FILE *f = fopen(mountinfo, "re");
	char *line = NULL;
	size_t size = 0;
	int found = 0;

	if (!f)
		return -errno;
	while (!found && getline(&line, &size, f) > 0) {
		struct mount m;

		found = parse_mount(line, &m) && fn(&m, arg);
	}
	free(line);
	fclose(f);
	return found;
}

struct wanted {
	unsigned long long id;
	bool (*fn)(const struct mount *m, void *arg);
	void *arg;
};

static bool has_id(const struct mount *m, void *arg)
{
	const struct wanted *w = arg;

	return m->id == w->id && w->fn(m, w->arg);
}

static int own_mounts(const struct host *h, bool (*fn)(const struct mount *m, void *arg), void *arg)
{
	char mountinfo[PATH_MAX];

	snprintf(mountinfo, sizeof(mountinfo), "%s/self/mountinfo", h->proc);
	return host_mounts(mountinfo, fn, arg) == 1 ? 0 : -ENOENT;
}

int host_mount_of(const struct host *h, const char *path,
		  bool (*fn)(const struct mount *m, void *arg), void *arg)
{
	struct wanted w = { .fn = fn, .arg = arg };
	struct statx stx;

	if (statx(AT_FDCWD, path, 0, STATX_MNT_ID, &stx))
		return -errno;
	if (!(stx.stx_mask & STATX_MNT_ID))
		return -ENOENT;
	w.id = stx.stx_mnt_id;
	return own_mounts(h, has_id, &w);
}

struct longest {
	const char *path;
	/* length in bytes of the longest mount point found so far that contains the path */
	size_t len;
	unsigned long long id;
};

/* Takes mount @m if its mount point contains the path, and no mount point found so far is longer.
 * Of several mounts at the same point, takes the last one, because it hides the earlier ones. */
static bool is_longer(const struct mount *m, void *arg)
{
	size_t len = strcmp(m->point, "/") ? strlen(m->point) : 0;
	struct longest *l = arg;

	if (len >= l->len && !strncmp(l->path, m->point, len) &&
	    (l->path[len] == '/' || !l->path[len])) {
		l->len = len;
		l->id = m->id;
	}
	return false;
}

int host_mount_by_text(const struct host *h, const char *path,
		       bool (*fn)(const struct mount *m, void *arg), void *arg)
{
	struct longest l = { .path = path };
	struct wanted w = { .fn = fn, .arg = arg };

	own_mounts(h, is_longer, &l);
	w.id = l.id;
	return own_mounts(h, has_id, &w);
}

/* inode number of the outermost pid namespace: PROC_PID_INIT_INO of the kernel */
#define INIT_PIDNS_INODE 0xEFFFFFFC

bool host_is_init_pidns(void)
{
	struct stat st;

	return !stat("/proc/self/ns/pid", &st) && st.st_ino == INIT_PIDNS_INODE;
}
