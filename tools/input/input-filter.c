// SPDX-License-Identifier: GPL-2.0-or-later
/* Checks that the user's filters, such as --device, match names in the traces. A pattern is one
 * element of the list that the option takes. */
#include "tools/input/input.h"

#include <stdlib.h>

#include "user/base/err.h"
#include "user/base/words.h"
#include "user/trace/unmatched.h"

/* Checks that @pattern matches a name of @kind in the traces. If it matches none, returns a message
 * that lists these names. The caller frees the message. Otherwise returns NULL. */
static char *unmatched_pattern(const struct input *in, u32 kind, const char *pattern)
{
	struct present present = {};

	for (u32 i = 1; i < in->names.n[kind]; i++) {
		if (trace_name_matches(in->names.of[kind][i], pattern)) {
			present_free(&present);
			return NULL;
		}
		present_add(&present, in->names.of[kind][i]->text);
	}
	return unmatched_text(&present, trace_kind_names[kind], pattern);
}

/* Checks that each pattern of the filter for @kind matches a name. If a pattern matches none,
 * prints a warning. If in addition no access passed all filters, prints an error instead and
 * returns -ENODATA. Otherwise returns 0. */
static int check_kind(const struct input *in, u32 kind)
{
	const char *list = in->filter.text[kind];
	char *pattern, *text;
	int ret = 0;

	while (!ret && (pattern = words_item(&list))) {
		text = unmatched_pattern(in, kind, pattern);
		if (text && in->seen)
			warn("%s", text);
		else if (text)
			ret = error(-ENODATA, "%s", text);
		free(text);
		free(pattern);
	}
	return ret;
}

int input_check_matches(const struct input *in)
{
	bool some = false;

	for (u32 kind = 0; kind < TRACE_KINDS; kind++) {
		if (!in->filter.text[kind])
			continue;
		if (check_kind(in, kind))
			return -ENODATA;
		some = true;
	}
	return some && !in->seen ? error(-ENODATA, "no access matches all filters") : 0;
}
