// SPDX-License-Identifier: GPL-2.0-or-later
/* objects-driver TRACE: prints the JSON objects in a trace, and the parent of each of its cgroups:
 * {"meta": ..., "sums": ..., "groups": {PATH: PATH OF ITS PARENT}} */
#include <stdio.h>
#include <stdlib.h>
#include "user/base/out-print.h"
#include "user/trace/trace.h"
#include "user/trace/trace-read.h"
#include "user/trace/write.h"

static void print(const char *key, const struct out *object, const char *end)
{
	char *text = object ? out_canonical(object, NULL) : NULL;

	printf("\"%s\": %s%s", key, text ? text : "null", end);
	free(text);
}

static struct out *groups_of(const struct trace_reader *r)
{
	struct out *groups = out_object();

	for (u32 i = 1; i <= trace_names(r, TRACE_GROUP); i++) {
		const struct trace_name *n = trace_name_of(r, TRACE_GROUP, i);

		out_str(groups, n->text,
			n->parent ? trace_name_of(r, TRACE_GROUP, n->parent)->text : NULL);
	}
	return groups;
}

int main(int argc, char **argv)
{
	struct trace_reader *r = NULL;
	const struct trace_batch *batch;
	struct out *groups;

	if (argc != 2 || trace_open(&r, argv[1], 0) < 0)
		return 1;
	while (trace_next(r, &batch) > 0)
		;
	putchar('{');
	print("meta", trace_meta(r), ", ");
	print("sums", trace_sums(r), ", ");
	groups = groups_of(r);
	print("groups", groups, "}\n");
	out_free(groups);
	trace_close(r);
	return 0;
}
