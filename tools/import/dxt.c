// SPDX-License-Identifier: GPL-2.0-or-later
/* What darshan-dxt-parser prints: for each file and rank a few comments, and then rows
 *
 *	# DXT, file_id: 1542722479531699073, file_name: /scratch/out
 *	# DXT, rank: 3, hostname: node7
 *	# DXT, write_count: 1, read_count: 0
 *	# Module    Rank  Wt/Rd  Segment          Offset          Length    Start(s)      End(s)
 *	 X_MPIIO       3  write        0               0         1048576      0.1203      0.1245
 *
 * Lustre targets and the thread may follow the end: "[ 12] 140230". Before 3.1.7 Darshan did not
 * keep the offsets of X_MPIIO; they are -1. */
#include "tools/import/import.h"
#include "tools/import/import-text.h"
#include "tools/import/import-trace.h"

#include <stdlib.h>
#include <string.h>

#include "bpf/event.h"
#include "user/base/err.h"
#include "user/metric/measurement.h"

#define RESOLUTION_NS 100000

struct dxt {			/* of all inputs */
	u64 accesses, instants; /* those too short for the resolution */
	u64 of_others;		/* rows of the other module */
	u64 unplaced;		/* those with an offset of -1 */
	u64 warnings;		/* of the parser, without those of incomplete data */
	char warning[160];	/* the first of them */
};

struct record { /* the one that is read, of one input */
	char *file, *host;
	const char *module; /* to take: "X_MPIIO" or "X_POSIX" */
};

/* A program that uses MPI-IO has each of its accesses once more in POSIX. */
static int dxt_open(struct import *im, struct import_file *in)
{
	struct record *r = in->own;

	if (im->o->module) {
		r->module = strcmp(im->o->module, "mpiio") ? "X_POSIX" : "X_MPIIO";
		return 0;
	}
	if (fseeko(in->f, 0, SEEK_SET))
		return import_refuse(im,
				     "cannot be read twice to see which modules it has; "
				     "--module mpiio or posix says it");
	r->module = "X_POSIX";
	while (r->module[2] == 'P' && fgets(in->text, IMPORT_LINE, in->f))
		if (!strncmp(in->text + strspn(in->text, " "), "X_MPIIO ", 8))
			r->module = "X_MPIIO";
	rewind(in->f);
	return 0;
}

static bool starts(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

static void keep(char **to, const char *text)
{
	free(*to);
	*to = need(strdup(text));
}

/* "# *WARNING*: The DXT_POSIX module contains incomplete data!", "# WARNING: Darshan logs ..." */
static void take_warning(struct import *im, const char *text)
{
	static const char *const modules[] = { "DXT_POSIX", "DXT_MPIIO" };
	struct dxt *dxt = im->own;

	for (int i = 0; i < 2; i++)
		if (strstr(text, "incomplete data") && strstr(text, modules[i])) {
			import_note(im,
				    "the %s module contains incomplete data: Darshan ran out of "
				    "memory for it, and accesses are missing",
				    modules[i]);
			return;
		}
	if (!dxt->warnings++)
		snprintf(dxt->warning, sizeof(dxt->warning), "%s", text);
}

/* Only two of the comments matter, and warnings. Names may have commas in them. */
static int take_comment(struct import *im, struct record *r, const char *text)
{
	const char *name = strstr(text, ", file_name: "), *host = strstr(text, ", hostname: ");

	if (starts(text, "# DXT, file_id: ")) {
		if (!name)
			return import_bad(im, "'file_name' is missing");
		keep(&r->file, name + strlen(", file_name: "));
	} else if (starts(text, "# DXT, rank: ")) {
		if (!host)
			return import_bad(im, "'hostname' is missing");
		keep(&r->host, host + strlen(", hostname: "));
	} else if (darshan_warns(text)) {
		take_warning(im, text + 2);
	} else if (!starts(text, "# DXT") && !starts(text, "# darshan")) {
		return IMPORT_COMMENT;
	}
	return 0;
}

struct segment {
	const char *module;
	bool shared; /* rank -1 */
	u64 rank, segment;
	u8 op;
	struct trace_access at;
};

static bool take_op(char **s, u8 *op)
{
	const char *word = take_word(s);

	if (!word)
		return false;
	*op = strcmp(word, "write") ? OP_READ : OP_WRITE;
	return *op == OP_WRITE || !strcmp(word, "read");
}

/* An unknown one is -1, of X_MPIIO only. */
static bool take_offset(char **s, struct segment *r)
{
	char *word;

	if (take_u64(s, &r->at.offset))
		return true;
	r->at.offset = TRACE_NO_OFFSET;
	word = take_word(s);
	return word && !strcmp(word, "-1") && !strcmp(r->module, "X_MPIIO");
}

/* Returns the name of the thing that @text is not, or NULL if it is a row. Text after the end
 * time is ignored. */
static const char *parse(char *text, struct segment *r)
{
	char *s = text;

	r->module = take_word(&s);
	if (!r->module || (strcmp(r->module, "X_POSIX") && strcmp(r->module, "X_MPIIO")))
		return "a row of X_POSIX or X_MPIIO";
	r->shared = take_char(&s, '-');
	if (!take_u64(&s, &r->rank))
		return "a rank";
	if (!take_op(&s, &r->op))
		return "'read' or 'write'";
	if (!take_u64(&s, &r->segment) || !take_offset(&s, r) || !take_u64(&s, &r->at.bytes))
		return "segment, offset and length";
	if (!take_seconds(&s, &r->at.start_ns) || !take_seconds(&s, &r->at.end_ns) ||
	    (*s && *s != ' '))
		return "start and end in seconds";
	return r->at.start_ns > r->at.end_ns ? "a row that ends after it begins" : NULL;
}

static int add(struct import *im, struct record *r, const struct segment *row)
{
	struct dxt *dxt = im->own;
	struct access x = ACCESS_NONE;
	char process[128];

	snprintf(process, sizeof(process), "%.80s:rank %s%llu", r->host ?: "?",
		 row->shared ? "-" : "", (unsigned long long)row->rank);
	im->resolution_ns = RESOLUTION_NS;
	if (!dxt->accesses++)
		import_note(im,
			    "times have a resolution of 0.1 ms: T and what is made of it are "
			    "not exact");
	dxt->instants += row->at.start_ns == row->at.end_ns;
	dxt->unplaced += row->at.offset == TRACE_NO_OFFSET;
	x.at = row->at;
	x.layer = LAYER_APP;
	x.op = row->op;
	x.process.text = process;
	x.file.text = r->file;
	return import_add(im, &x);
}

static int dxt_line(struct import *im, struct import_file *in, char *text)
{
	struct dxt *dxt = im->own;
	struct record *r = in->own;
	struct segment row = { .shared = false };
	const char * not ;

	if (!*text)
		return 0;
	if (*text == '#')
		return take_comment(im, r, text);
	not = parse(text, &row);
	if (not )
		return import_bad(im, "not %s", not );
	in->at_ns = row.at.end_ns;
	if (strcmp(row.module, r->module)) {
		dxt->of_others++;
		return 0;
	}
	if (!r->file)
		return import_bad(im, "a row before '# DXT, file_id: ...' names its file");
	return add(im, r, &row);
}

static int dxt_end(struct import *im)
{
	const struct dxt *dxt = im->own;

	if (dxt->instants)
		import_note(im,
			    "%llu of %llu accesses begin and end in the same 0.1 ms: they "
			    "add nothing to T",
			    (unsigned long long)dxt->instants, (unsigned long long)dxt->accesses);
	if (dxt->unplaced)
		import_note(im,
			    "%llu of %llu accesses have no offset: this version of Darshan does "
			    "not keep it for MPI-IO",
			    (unsigned long long)dxt->unplaced, (unsigned long long)dxt->accesses);
	if (dxt->warnings)
		import_note(im, "%llu warning%s of darshan-dxt-parser; the first: %s",
			    (unsigned long long)dxt->warnings, dxt->warnings == 1 ? "" : "s",
			    dxt->warning);
	if (dxt->of_others)
		import_note(im,
			    "%llu rows of the other module were left out; --module says "
			    "which to take",
			    (unsigned long long)dxt->of_others);
	if (im->inputs_n > 1)
		import_note(im, "the times of each input count from its job's own begin");
	return 0;
}

static void dxt_close(struct import_file *in)
{
	struct record *r = in->own;

	free(r->file);
	free(r->host);
}

const struct importer import_dxt = {
	.name = "dxt",
	.layer = "app",
	.own_size = sizeof(struct dxt),
	.input_size = sizeof(struct record),
	.open = dxt_open,
	.line = dxt_line,
	.end = dxt_end,
	.close = dxt_close,
};
