// SPDX-License-Identifier: GPL-2.0-or-later
/* Collects the limits of this process's cgroups and their parents. Each controller file, such as
 * io.max, has one limit per line. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "user/host/cgroup.h"
#include "user/host/environment-cgroups.h"
#include "user/base/out.h"

/* In cgroup version 1, "no limit" is shown as LONG_MAX, rounded down to a multiple of the page
 * size. The page size varies, so each value of at least V1_NO_LIMIT is taken to mean "no limit". */
#define V1_NO_LIMIT (1ull << 62)

static const struct {
	enum cgroup_tree tree;
	const char *file;
} files[] = {
	{ CGROUP_V2, "memory.max" },
	{ CGROUP_V2, "memory.high" },
	{ CGROUP_V2, "io.max" },
	{ CGROUP_V2, "io.latency" },
	{ CGROUP_V2, "cpu.max" },
	{ CGROUP_MEMORY, "memory.limit_in_bytes" },
	{ CGROUP_BLKIO, "blkio.throttle.read_bps_device" },
	{ CGROUP_BLKIO, "blkio.throttle.write_bps_device" },
	{ CGROUP_BLKIO, "blkio.throttle.read_iops_device" },
	{ CGROUP_BLKIO, "blkio.throttle.write_iops_device" },
};

static bool is_limit(const char *line)
{
	return *line && strncmp(line, "max", 3) != 0 && strtoull(line, NULL, 10) < V1_NO_LIMIT;
}

/* Reads @file in the cgroup directory @group. Calls @fn for each line that sets a limit. */
static void each_limit(const char *group, const char *file,
		       void (*fn)(void *arg, const char *group, const char *file, const char *line),
		       void *arg)
{
	char path[PATH_MAX + 64], line[256];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", group, file);
	f = fopen(path, "re");
	while (f && fgets(line, sizeof(line), f)) {
		line[strcspn(line, "\n")] = '\0';
		if (is_limit(line))
			fn(arg, group, file, line);
	}
	if (f)
		fclose(f);
}

/* Appends a limit to @list as an object, such as {"cgroup": "/a", "file": "io.max", "content": "8:0
 * rbps=1000"}. */
static void add_limit(void *list, const char *group, const char *file, const char *line)
{
	struct out *o = out_object();

	out_str(o, "cgroup", group);
	out_str(o, "file", file);
	out_str(o, "content", line);
	out_append(list, o);
}

static void keep_least(void *least, const char *group, const char *file, const char *line)
{
	uint64_t limit = strtoull(line, NULL, 10), *so_far = least;

	if (limit < *so_far)
		*so_far = limit;
}

/* Removes the last component of the path @group. Returns false if the result is not the path of a
 * cgroup. */
static bool to_parent(char *group)
{
	char path[PATH_MAX + 64], *slash = strrchr(group, '/');

	if (!slash || slash == group)
		return false;
	*slash = '\0';
	snprintf(path, sizeof(path), "%s/cgroup.procs", group);
	return !access(path, F_OK);
}

/* Calls @fn for each limit of @cg and its parents. Reads only files with a name that starts with
 * @kind. Changes cg->path. */
static void each_limit_above(struct cgroup *cg, enum cgroup_tree tree, const char *kind,
			     void (*fn)(void *arg, const char *group, const char *file,
					const char *line),
			     void *arg)
{
	do {
		for (unsigned i = 0; i < sizeof(files) / sizeof(*files); i++)
			if (files[i].tree == tree && *cg->path &&
			    !strncmp(files[i].file, kind, strlen(kind)))
				each_limit(cg->path, files[i].file, fn, arg);
	} while (to_parent(cg->path));
}

uint64_t environment_memory_limit(void)
{
	static const enum cgroup_tree trees[] = { CGROUP_V2, CGROUP_MEMORY };
	uint64_t least = UINT64_MAX;

	for (int i = 0; i < 2; i++) {
		struct cgroup cg = { .path = "" };

		cgroup_self(trees[i], &cg);
		each_limit_above(&cg, trees[i], "memory.", keep_least, &least);
	}
	return least;
}

struct out *environment_cgroups(void)
{
	static const char *const trees[] = {
		[CGROUP_V2] = "v2",
		[CGROUP_BLKIO] = "v1_blkio",
		[CGROUP_MEMORY] = "v1_memory",
	};
	struct out *o = out_object(), *list = out_array();

	for (unsigned tree = 0; tree < sizeof(trees) / sizeof(*trees); tree++) {
		struct cgroup cg = { .path = "" };

		cgroup_self(tree, &cg);
		out_str(o, trees[tree], *cg.path ? cg.path : NULL);
		each_limit_above(&cg, tree, "", add_limit, list);
	}
	out_put(o, "limits", list);
	return o;
}
