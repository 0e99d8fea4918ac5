// SPDX-License-Identifier: GPL-2.0-or-later
/* Collects the settings of the machine that may affect a result: kernel, processors, memory, file
 * system and disks. */
#include "user/host/environment.h"
#include "user/host/environment-cgroups.h"
#include "user/host/environment-devices.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>
#include <zlib.h>
#include "bpf/types.h"
#include "user/host/disk.h"
#include "user/base/err.h"
#include "user/base/out.h"

/* Options of the kernel configuration that affect how, or how fast, the kernel does I/O. */
static const char *const config_names[] = {
	"BLK_CGROUP",	"BLK_CGROUP_IOCOST", "BLK_CGROUP_IOLATENCY",  "BLK_DEV_THROTTLING",
	"BLK_WBT",	"BLK_WBT_MQ",	     "BLK_INLINE_ENCRYPTION", "BLK_DEV_INTEGRITY",
	"HZ",		"PREEMPT",	     "PREEMPT_DYNAMIC",	      "PREEMPT_VOLUNTARY",
	"PREEMPT_NONE",
};

#define CONFIGS (sizeof(config_names) / sizeof(*config_names))

void environment_number(struct out *object, const char *key, const char *text, unsigned unit)
{
	unsigned long long v;
	char *end;

	errno = 0;
	v = strtoull(text, &end, 10);
	if (errno || end == text || *end || *text == '-')
		out_null(object, key);
	else
		out_u64(object, key, v * unit);
}

static void set_cpuinfo(struct out *o, const char *key, const struct host *h, const char *name)
{
	char text[256];

	out_str(o, key, host_field(h, "cpuinfo", name, text, sizeof(text)) ? text : NULL);
}

static void set_meminfo(struct out *o, const char *key, const struct host *h, const char *name)
{
	uint64_t bytes;

	if (host_memory(h, name, &bytes))
		out_u64(o, key, bytes);
	else
		out_null(o, key);
}

static void set_line(struct out *o, const char *key, const char *root, const char *file)
{
	char text[512];

	out_str(o, key, host_line(text, sizeof(text), "%s/%s", root, file) ? text : NULL);
}

static int is_processor(const struct dirent *e)
{
	return !strncmp(e->d_name, "cpu", 3) && isdigit((unsigned char)e->d_name[3]);
}

/* Adds the CPU frequency governor. If processors have different governors, adds all of them,
 * separated by commas. */
static void set_governor(struct out *o, const struct host *h)
{
	char dir[PATH_MAX], text[64], all[512] = "";
	struct dirent **entries;
	int n;

	snprintf(dir, sizeof(dir), "%s/devices/system/cpu", h->sys);
	n = scandir(dir, &entries, is_processor, versionsort);
	for (int i = 0; i < n; i++) {
		if (host_line(text, sizeof(text), "%s/%s/cpufreq/scaling_governor", dir,
			      entries[i]->d_name) &&
		    !strstr(all, text)) {
			if (*all)
				strcat(all, ",");
			if (strlen(all) + strlen(text) + 2 < sizeof(all))
				strcat(all, text);
		}
		free(entries[i]);
	}
	if (n >= 0)
		free(entries);
	out_str(o, "governor", *all ? all : NULL);
}

static int is_visible(const struct dirent *e)
{
	return e->d_name[0] != '.';
}

/* Returns a JSON object of CPU vulnerabilities, such as {"meltdown": "Mitigation: PTI"}. */
static struct out *vulnerabilities(const struct host *h)
{
	char dir[PATH_MAX];
	struct dirent **entries;
	struct out *o;
	int n;

	snprintf(dir, sizeof(dir), "%s/devices/system/cpu/vulnerabilities", h->sys);
	n = scandir(dir, &entries, is_visible, alphasort);
	if (n < 0)
		return NULL;
	o = out_object();
	for (int i = 0; i < n; i++) {
		set_line(o, entries[i]->d_name, dir, entries[i]->d_name);
		free(entries[i]);
	}
	free(entries);
	return o;
}

static struct out *processors(const struct host *h)
{
	struct out *o = out_object();
	cpu_set_t allowed;

	set_cpuinfo(o, "model", h, "model name");
	set_cpuinfo(o, "microcode", h, "microcode");
	set_line(o, "online", h->sys, "devices/system/cpu/online");
	if (sched_getaffinity(0, sizeof(allowed), &allowed))
		out_null(o, "allowed_processor_count");
	else
		out_u64(o, "allowed_processor_count", CPU_COUNT(&allowed));
	set_governor(o, h);
	set_line(o, "clocksource", h->sys,
		 "devices/system/clocksource/clocksource0/current_clocksource");
	out_put(o, "vulnerabilities", vulnerabilities(h));
	return o;
}

/* Parses a line of the kernel configuration, such as "CONFIG_HZ=250". Sets *@value to the value of
 * the option; the line "# CONFIG_HZ is not set" gives "n". Returns the index of the option in
 * config_names, or -1 if it is not there. */
static int config_line(char *line, const char **value)
{
	bool off = !strncmp(line, "# ", 2);
	char *name = line + (off ? 2 : 0), *end;

	if (strncmp(name, "CONFIG_", 7) != 0)
		return -1;
	name += 7;
	end = name + strcspn(name, " =\n");
	if (off ? strncmp(end, " is not set", 11) != 0 : *end != '=')
		return -1;
	*value = off ? "n" : end + 1;
	end[1 + strcspn(end + 1, "\n")] = '\0';
	*end = '\0';
	for (unsigned i = 0; i < CONFIGS; i++)
		if (!strcmp(config_names[i], name))
			return i;
	return -1;
}

/* Opens the running kernel's configuration. The file may be compressed or not: gzread(3) reads
 * both. */
static gzFile open_config(const struct host *h, const char *release)
{
	char path[PATH_MAX];
	gzFile f;

	snprintf(path, sizeof(path), "%s/config.gz", h->proc);
	f = gzopen(path, "re");
	if (f)
		return f;
	snprintf(path, sizeof(path), "%s/config-%s", h->boot, release);
	return gzopen(path, "re");
}

/* Returns the values of the options in config_names. A value is null if this kernel does not know
 * the option. */
static struct out *kernel_config(const struct host *h, const char *release)
{
	gzFile f = open_config(h, release);
	struct out *o;
	char line[512];

	if (!f)
		return NULL;
	o = out_object();
	for (unsigned i = 0; i < CONFIGS; i++)
		out_null(o, config_names[i]);
	while (gzgets(f, line, sizeof(line))) {
		const char *value;
		int i = config_line(line, &value);

		if (i >= 0)
			out_str(o, config_names[i], value);
	}
	gzclose(f);
	return o;
}

static bool set_mount(const struct mount *m, void *arg)
{
	out_str(arg, "file_system", m->type);
	out_str(arg, "source", m->source);
	out_str(arg, "mount_point", m->point);
	out_str(arg, "mount_options", m->options);
	out_str(arg, "super_options", m->super);
	return true;
}

static struct out *target(const struct host *h, const char *path)
{
	static const char *const keys[] = { "file_system", "source", "mount_point", "mount_options",
					    "super_options" };
	char *real = path ? realpath(path, NULL) : NULL;
	struct out *o;
	struct stat st;

	if (!path)
		return NULL;
	o = out_object();
	out_str(o, "path", real ?: path);
	for (unsigned i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		out_null(o, keys[i]);
	/* A block device gets no values for the file system. Its node is in the file system of
	 * /dev, which is unrelated to the contents of the device. */
	if (real && !stat(real, &st) && !S_ISBLK(st.st_mode))
		host_mount_of(h, real, set_mount, o);
	free(real);
	return o;
}

static struct out *cache(const struct host *h)
{
	struct out *o = out_object();

	set_meminfo(o, "cached_bytes", h, "Cached");
	set_meminfo(o, "dirty_bytes", h, "Dirty");
	set_meminfo(o, "writeback_bytes", h, "Writeback");
	return o;
}

static struct out *machine(const struct host *h)
{
	struct out *o = out_object();
	struct utsname u = { .release = "" };

	uname(&u);
	out_str(o, "iospan", VERSION);
	out_str(o, "kernel", u.release);
	out_str(o, "kernel_version", u.version);
	out_put(o, "kernel_config", kernel_config(h, u.release));
	out_str(o, "machine", u.machine);
	out_u64(o, "processor_count", sysconf(_SC_NPROCESSORS_ONLN));
	out_put(o, "processors", processors(h));
	set_meminfo(o, "memory_bytes", h, "MemTotal");
	out_put(o, "cache", cache(h));
	out_put(o, "own_cgroups", environment_cgroups());
	return o;
}

struct out *environment(const struct host *h, const char *path)
{
	struct out *o = machine(h);
	struct disk *d = need(malloc(sizeof(*d)));
	bool has_disk = path && !disk_by_path(h, path, d);

	out_put(o, "target", target(h, path));
	out_put(o, "devices", path ? environment_devices(h, &d->dev, has_disk) : NULL);
	free(d);
	return o;
}

struct out *environment_of_disks(const struct host *h, const dev_t *disks, unsigned n)
{
	struct out *o = machine(h);

	out_null(o, "target");
	out_put(o, "devices", environment_devices(h, disks, n));
	return o;
}
