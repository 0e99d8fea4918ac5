// SPDX-License-Identifier: GPL-2.0-or-later
#include "bench/load/verify-result.h"

#include <stdio.h>

#include "user/base/num.h"
#include "user/base/out.h"

static const char *const verdict_words[VERDICTS] = {
	[VERDICT_LOST] = "lost",
	[VERDICT_TORN] = "torn",
	[VERDICT_MISDIRECTED] = "misdirected",
	[VERDICT_CORRUPT] = "corrupt",
	[VERDICT_UNREADABLE] = "unreadable",
};

static struct out *stamp_json(const struct verify *v, char *const *targets,
			      const struct verify_stamp *s, bool is_known)
{
	struct out *o;

	if (s->run != v->run)
		return NULL;
	o = out_object();
	out_str(o, "path", targets[s->writer % v->targets]);
	out_u64(o, "offset_bytes", s->offset);
	out_u64_or_null(o, "writer", !v->shared, s->writer + 1);
	out_u64_or_null(o, "generation", is_known, s->generation);
	return o;
}

static struct out *finding_json(const struct verify *v, char *const *targets,
				const struct finding *f)
{
	const struct verify_stamp expected = {
		.offset = f->offset,
		.writer = f->writer,
		.generation = f->generation,
		.run = v->run,
	};
	struct out *o = out_object();

	out_str(o, "verdict", verdict_words[f->verdict]);
	out_u64(o, "bytes", f->bytes);
	out_bool(o, "at_end", f->at_end);
	out_put(o, "expected", stamp_json(v, targets, &expected, !f->unknown));
	out_put(o, "actual", stamp_json(v, targets, &f->found, true));
	out_u64(o, "wrong_bytes", f->wrong_bytes);
	out_bool(o, "zeroes", f->zeroes);
	return o;
}

char *verify_text(char text[VERIFY_TEXT], const struct verify *v)
{
	text[0] = 0;
	if (v)
		snprintf(text, VERIFY_TEXT, "; %llu difference%s found",
			 (unsigned long long)verify_places(v), num_word(verify_places(v), "", "s"));
	return text;
}

struct out *verify_json(const struct verify *v, char *const *targets)
{
	struct out *o = out_object(), *first = out_array();

	out_u64(o, "checked_bytes", v->checked_bytes[0]);
	out_u64(o, "read_back_bytes", v->checked_bytes[1]);
	out_u64(o, "unchecked_bytes", v->unchecked_bytes[0] + v->unchecked_bytes[1]);
	out_bool(o, "from_cache", v->cached);
	out_bool(o, "complete", !v->cut);
	out_u64(o, "differences", verify_places(v));
	for (int i = 0; i < VERDICTS; i++)
		out_u64(o, verdict_words[i], v->places[i]);
	for (u32 i = 0; i < v->found && i < VERIFY_FIRST; i++)
		out_append(first, finding_json(v, targets, &v->first[i]));
	out_put(o, "first_differences", first);
	return o;
}

const struct view_column verify_checks[] = {
	COLUMN("checked_bytes", .title = "checked during the load"),
	COLUMN("read_back_bytes", .title = "read back"),
	COLUMN("from_cache", .title = "from", .mark = "page cache"),
	COLUMN("unchecked_bytes", .title = "not checked"),
	COLUMN("differences"),
	COLUMN("lost"),
	COLUMN("torn"),
	COLUMN("misdirected"),
	COLUMN("corrupt"),
	COLUMN("unreadable"),
	{},
};

const struct view_column verify_differences[] = {
	COLUMN("verdict"),
	COLUMN("expected.path", .title = "target"),
	COLUMN("at_end", .title = "", .mark = "at the end"),
	COLUMN_OF("expected.offset_bytes", "offset", VIEW_DIGITS),
	COLUMN("bytes"),
	COLUMN("expected.writer", .title = "process"),
	COLUMN("expected.generation"),
	COLUMN("actual.path", .title = "found data of"),
	COLUMN_OF("actual.offset_bytes", "at", VIEW_DIGITS),
	COLUMN("actual.writer", .title = "by process"),
	COLUMN("actual.generation", .title = "found generation"),
	COLUMN("wrong_bytes", .title = "wrong", .kind = VIEW_COUNT),
	COLUMN("zeroes", .title = "", .mark = "zeroes"),
	{},
};
