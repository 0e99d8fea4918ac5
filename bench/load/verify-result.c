// SPDX-License-Identifier: GPL-2.0-or-later
#include "bench/load/verify-result.h"

#include "user/base/err.h"
#include "user/base/num.h"
#include "user/base/table.h"
#include "user/base/out.h"

static const char *const verdict_words[VERDICTS] = {
	[VERDICT_LOST] = "lost",
	[VERDICT_TORN] = "torn",
	[VERDICT_MISDIRECTED] = "misdirected",
	[VERDICT_CORRUPT] = "corrupt",
	[VERDICT_UNREADABLE] = "unreadable",
};

static const char *target_of(const struct verify *v, char *const *targets, u64 writer)
{
	return targets[writer % v->targets];
}

/* ---- the result as text ---- */

static void found_text(FILE *f, const struct verify *v, char *const *targets,
		       const struct finding *found)
{
	const struct verify_stamp *s = &found->found;

	if (found->verdict == VERDICT_CORRUPT && found->zeroes)
		fprintf(f, "zeroes found");
	else if (found->verdict == VERDICT_CORRUPT)
		fprintf(f, "%u of the first %d bytes differ", found->wrong_bytes, VERIFY_SECTOR);
	else if (found->verdict == VERDICT_UNREADABLE)
		fprintf(f, "cannot be read");
	else if (s->run != v->run)
		fprintf(f, "data from before this load found");
	else if (found->verdict == VERDICT_MISDIRECTED)
		out_line_format(f, "found the data of '%s' at %llu, generation %u of process %u",
				target_of(v, targets, s->writer), (unsigned long long)s->offset,
				s->generation, s->writer + 1);
	else
		fprintf(f, "generation %u found", s->generation);
}

static void finding_text(FILE *f, const struct verify *v, char *const *targets,
			 const struct finding *found)
{
	char bytes[NUM_TEXT];

	out_line_format(f, "    '%s' at %llu, %s: %s; ", target_of(v, targets, found->writer),
			(unsigned long long)found->offset, num_size_arg(bytes, found->bytes),
			verdict_words[found->verdict]);
	if (found->generation < UNIT_UNKNOWN)
		fprintf(f, "generation %u of process %u expected, ", found->generation,
			found->writer + 1);
	found_text(f, v, targets, found);
	fprintf(f, "%s\n", found->at_end ? "" : " during the load");
}

void verify_text(FILE *f, const struct verify *v, char *const *targets)
{
	char a[NUM_TEXT], b[NUM_TEXT];
	u64 unchecked = v->unchecked_bytes[0] + v->unchecked_bytes[1];

	fprintf(f, "\n  verify: %s checked during the load, %s read back%s: ",
		num_bytes_text(a, v->checked_bytes[0]), num_bytes_text(b, v->checked_bytes[1]),
		v->cached ? " from the page cache" : "");
	fprintf(f, "%llu difference%s\n", (unsigned long long)verify_places(v),
		num_word(verify_places(v), "", "s"));
	for (int i = 0; i < VERDICTS; i++)
		if (v->places[i])
			fprintf(f, "    %s: %llu\n", verdict_words[i],
				(unsigned long long)v->places[i]);
	for (u32 i = 0; i < v->found && i < VERIFY_FIRST; i++)
		finding_text(f, v, targets, &v->first[i]);
	if (v->found > VERIFY_FIRST)
		fprintf(f, "    ... and %u more\n", v->found - VERIFY_FIRST);
	if (unchecked)
		fprintf(f,
			"    not checked: %s, because a write was in flight or had "
			"failed\n",
			num_bytes_text(a, unchecked));
	if (v->cut)
		note(f, "interrupted before all data was read back");
}

/* ---- the result as JSON ---- */

static struct out *stamp_json(const struct verify *v, char *const *targets,
			      const struct verify_stamp *s)
{
	struct out *o;

	if (s->run != v->run)
		return NULL;
	o = out_object();
	out_str(o, "path", target_of(v, targets, s->writer));
	out_u64(o, "offset_bytes", s->offset);
	out_u64(o, "writer", s->writer + 1);
	out_u64(o, "generation", s->generation);
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
	out_put(o, "expected", stamp_json(v, targets, &expected));
	out_put(o, "actual", stamp_json(v, targets, &f->found));
	return o;
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
