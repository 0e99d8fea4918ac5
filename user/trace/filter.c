// SPDX-License-Identifier: GPL-2.0-or-later
/* Compares the names of disks, cgroups, processes and files with the patterns of a user's filter.
 * In addition to its path, a cgroup may have a readable name, such as "docker:web". */
#include "user/trace/filter.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/words.h"
#include "user/host/cgroup-names.h"
#include "user/host/containers.h"
#include "user/host/dev.h"

/* Returns the id of name @n as users write it: "254:0" for a disk, otherwise a number such as
 * "1234". */
static const char *id_text(char buf[DEV_TEXT], const struct trace_name *n)
{
	if (n->kind == TRACE_DISK)
		return dev_text(buf, n->id);
	snprintf(buf, DEV_TEXT, "%llu", (unsigned long long)n->id);
	return buf;
}

static bool matches_text(const char *text, const char *pattern)
{
	return !strcmp(text, pattern) || !fnmatch(pattern, text, 0);
}

/* Returns true if @pattern matches @path. A pattern without a slash may also match only the last
 * component of @path. */
static bool matches_path(const char *path, const char *pattern)
{
	const char *slash = strrchr(path, '/');

	return matches_text(path, pattern) ||
		(slash && !strchr(pattern, '/') && matches_text(slash + 1, pattern));
}

/* Returns true if @pattern matches a name of the cgroup's container. "pod=web*" is compared with
 * the name of the pod. "web*" is compared with the names of pod and container, but not with the
 * namespace. */
static bool matches_part(const struct trace_name *n, const char *pattern)
{
	bool matches = false;

	for (int part = 0; part < CGROUP_NAMES_PARTS && !matches; part++) {
		const char *key = cgroup_names_parts[part];
		char *name = cgroup_names_part(n->text, n->names ?: "", part);
		size_t length = strlen(key);

		if (!strncmp(pattern, key, length) && pattern[length] == '=')
			matches = *name && matches_text(name, pattern + length + 1);
		else
			matches = *name && part != CGROUP_NAMESPACE && matches_text(name, pattern);
		free(name);
	}
	return matches;
}

/* Returns true if @pattern matches the readable name of a cgroup, or a name of its container. */
static bool matches_group(const struct trace_name *n, const char *pattern)
{
	char *name = cgroup_name(n->text, n->names ?: "");
	bool matches = name && matches_path(name, pattern);

	free(name);
	return matches || matches_part(n, pattern);
}

static bool matches_pattern(const struct trace_name *n, const char *pattern)
{
	char id[DEV_TEXT];

	if (n->kind == TRACE_DISK && !strncmp(pattern, "/dev/", 5))
		pattern += 5;
	return matches_path(n->text, pattern) || (n->id && !strcmp(id_text(id, n), pattern)) ||
		(n->kind == TRACE_GROUP && matches_group(n, pattern));
}

/* Replaces each group of slashes by one slash. Returns true if @path has changed. */
static bool squeeze_slashes(char *path)
{
	char *to = path;

	for (const char *from = path; *from; from++)
		if (*from != '/' || to == path || to[-1] != '/')
			*to++ = *from;
	if (!*to)
		return false;
	*to = '\0';
	return true;
}

bool trace_name_matches(const struct trace_name *n, const char *list)
{
	bool matches = false;
	char *pattern;

	while (!matches && (pattern = words_item(&list))) {
		matches = matches_pattern(n, pattern) ||
			(n->kind == TRACE_GROUP && squeeze_slashes(pattern) &&
			 matches_pattern(n, pattern));
		free(pattern);
	}
	return matches;
}

bool trace_group_matches(const char *path, u64 id, const char *list)
{
	char *names = container_names(path);
	const struct trace_name n = { .kind = TRACE_GROUP, .id = id, .text = path, .names = names };
	bool matches = trace_name_matches(&n, list);

	free(names);
	return matches;
}

bool trace_filter_names(const struct trace_filter *f, u32 kind, u32 number, trace_lookup *lookup,
			const void *of)
{
	const char *wanted = f->text[kind];
	const struct trace_name *n;

	if (!wanted)
		return true;
	for (; number; number = kind == TRACE_GROUP ? n->parent : 0) {
		n = lookup(of, kind, number);
		if (trace_name_matches(n, wanted))
			return true;
	}
	return false;
}

bool trace_filter_passes(const struct trace_filter *f, const struct trace_stream *s,
			 trace_lookup *lookup, const void *of)
{
	return f->layers >> s->layer & 1 && f->ops >> s->op & 1 &&
		trace_filter_names(f, TRACE_DISK, s->disk, lookup, of) &&
		trace_filter_names(f, TRACE_GROUP, s->group, lookup, of) &&
		trace_filter_names(f, TRACE_PROCESS, s->process, lookup, of) &&
		trace_filter_names(f, TRACE_FILE, s->file, lookup, of);
}
