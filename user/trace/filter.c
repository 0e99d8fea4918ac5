// SPDX-License-Identifier: GPL-2.0-or-later
#include "user/trace/filter.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/words.h"
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

static bool matches_pattern(const struct trace_name *n, const char *pattern)
{
	const char *slash = strrchr(n->text, '/');
	char id[DEV_TEXT];

	if (n->kind == TRACE_DISK && !strncmp(pattern, "/dev/", 5))
		pattern += 5;
	return matches_text(n->text, pattern) ||
		(slash && !strchr(pattern, '/') && matches_text(slash + 1, pattern)) ||
		(n->id && !strcmp(id_text(id, n), pattern));
}

bool trace_name_matches(const struct trace_name *n, const char *list)
{
	bool matches = false;
	char *pattern;

	while (!matches && (pattern = words_item(&list))) {
		matches = matches_pattern(n, pattern);
		free(pattern);
	}
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
