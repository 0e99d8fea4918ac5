// SPDX-License-Identifier: GPL-2.0-or-later
#include "tools/input/input-filter.h"

#include <stdlib.h>

#include "user/base/err.h"
#include "user/trace/unmatched.h"

/* Prints an error with the present names, and returns -ENODATA, if the filter matches none of
 * them. */
static int check_kind(const struct input *in, u32 kind)
{
	const char *wanted = in->filter.text[kind];
	struct present present = {};
	bool matched = false;
	char *text;

	for (u32 i = 1; i < in->names.n[kind]; i++) {
		matched |= trace_name_matches(in->names.of[kind][i], wanted);
		present_add(&present, in->names.of[kind][i]->text);
	}
	if (matched) {
		free(present.list);
		return 0;
	}
	text = unmatched_text(&present, trace_kind_names[kind], wanted);
	error(-ENODATA, "%s", text);
	free(text);
	return -ENODATA;
}

int input_check_matches(const struct input *in)
{
	bool some = false;

	for (u32 kind = 0; kind < TRACE_KINDS && !in->seen; kind++) {
		if (!in->filter.text[kind])
			continue;
		if (check_kind(in, kind))
			return -ENODATA;
		some = true;
	}
	return some ? error(-ENODATA, "no access matches all filters") : 0;
}
