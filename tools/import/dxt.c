// SPDX-License-Identifier: GPL-2.0-or-later
/* Imports the output of darshan-dxt-parser. For each file and rank, comments precede the rows:
 *
 * # DXT, file_id: 1542722479531699073, file_name: /scratch/out
 * # DXT, rank: 3, hostname: node7
 * # DXT, write_count: 1, read_count: 0
 * # Module    Rank  Wt/Rd  Segment          Offset          Length    Start(s)      End(s)
 * X_MPIIO       3  write        0               0         1048576      0.1203      0.1245
 *
 * A row may end with Lustre targets and a thread: "[ 12] 140230". Darshan before 3.1.7 prints -1 as
 * the offset of X_MPIIO. */
#include "tools/import/import.h"

#include <stdlib.h>
#include <string.h>

#include "bpf/event.h"
#include "user/base/num.h"
#include "user/base/err.h"

#define RESOLUTION_NS 100000

struct dxt {
	u64 accesses;
	/* number of accesses that start and end in the same 0.1 ms, which is Darshan's
	 * resolution */
	u64 instants;
	u64 of_others; /* number of rows of the module (X_POSIX or X_MPIIO) that is not imported */
	u64 unplaced;  /* number of accesses with an unknown offset (-1) */
	/* number of warnings that the parser printed, except those about incomplete data */
	u64 warnings;
	char warning[160]; /* text of the first warning that .warnings counts */
};

struct dxt_input {
	/* file and host that the last comments named; the following rows belong to them */
	char *file, *host;
	const char *module; /* module of the rows to import, "X_MPIIO" or "X_POSIX" */
};

/* Chooses the module to import: MPI-IO if the file has it, else POSIX. MPI-IO calls POSIX
 * functions, so both modules together would count each access twice. */
static int dxt_open(struct import *im, struct import_file *in)
{
	struct dxt_input *input = in->own;

	if (im->o->module) {
		input->module = strcmp(im->o->module, "mpiio") ? "X_POSIX" : "X_MPIIO";
		return 0;
	}
	if (fseeko(in->f, 0, SEEK_SET))
		return import_refuse(im,
				     "cannot be read twice to see which modules it has; "
				     "give --module mpiio or posix");
	input->module = "X_POSIX";
	while (input->module[2] == 'P' && fgets(in->text, IMPORT_LINE, in->f))
		if (!strncmp(in->text + strspn(in->text, " "), "X_MPIIO ", 8))
			input->module = "X_MPIIO";
	rewind(in->f);
	return 0;
}

static bool has_prefix(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

static void replace_text(char **to, const char *text)
{
	free(*to);
	*to = need(strdup(text));
}

/* Handles a warning of darshan-dxt-parser. A warning about incomplete data, such as "The DXT_POSIX
 * module contains incomplete data!", becomes a note of the trace. Other warnings are counted. */
static void note_warning(struct import *im, const char *text)
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

/* Takes the file name or host from a comment line. The file name or host extends to the end of the
 * line, because a file name may contain commas. */
static int read_comment(struct import *im, struct dxt_input *input, const char *text)
{
	const char *name = strstr(text, ", file_name: "), *host = strstr(text, ", hostname: ");

	if (has_prefix(text, "# DXT, file_id: ")) {
		if (!name)
			return import_bad(im, "'file_name' is missing");
		replace_text(&input->file, name + strlen(", file_name: "));
	} else if (has_prefix(text, "# DXT, rank: ")) {
		if (!host)
			return import_bad(im, "'hostname' is missing");
		replace_text(&input->host, host + strlen(", hostname: "));
	} else if (darshan_warns(text)) {
		note_warning(im, text + 2);
	} else if (!has_prefix(text, "# DXT") && !has_prefix(text, "# darshan")) {
		return IMPORT_COMMENT;
	}
	return 0;
}

struct segment {
	const char *module;
	bool shared; /* true if the row has rank -1, which stands for all ranks */
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

/* Parses the offset of a row. In rows of X_MPIIO the offset may be -1, which means unknown. */
static bool take_offset(char **s, struct segment *r)
{
	char *word;

	if (take_u64(s, &r->at.offset))
		return true;
	r->at.offset = TRACE_NO_OFFSET;
	word = take_word(s);
	return word && !strcmp(word, "-1") && !strcmp(r->module, "X_MPIIO");
}

/* Parses the row @text into @r. Returns NULL, or a text that says what was expected instead.
 * Ignores text after the end time. */
static const char *parse_row(char *text, struct segment *r)
{
	char *s = text;

	r->module = take_word(&s);
	if (!r->module || (strcmp(r->module, "X_POSIX") && strcmp(r->module, "X_MPIIO")))
		return "a line of X_POSIX or X_MPIIO";
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
	return r->at.start_ns > r->at.end_ns ? "an access that ends after it starts" : NULL;
}

static int add_access(struct import *im, struct dxt_input *input, const struct segment *row)
{
	struct dxt *dxt = im->own;
	struct access x = ACCESS_NONE;
	char process[128];

	snprintf(process, sizeof(process), "%.80s:rank %s%llu", input->host ?: "?",
		 row->shared ? "-" : "", (unsigned long long)row->rank);
	im->resolution_ns = RESOLUTION_NS;
	if (!dxt->accesses++)
		import_note(im,
			    "times have a resolution of 0.1 ms: T and the metrics derived from it "
			    "are not exact");
	dxt->instants += row->at.start_ns == row->at.end_ns;
	dxt->unplaced += row->at.offset == TRACE_NO_OFFSET;
	x.at = row->at;
	x.layer = LAYER_APP;
	x.op = row->op;
	x.process.text = process;
	x.file.text = input->file;
	return import_add(im, &x);
}

static int dxt_line(struct import *im, struct import_file *in, char *text)
{
	struct dxt *dxt = im->own;
	struct dxt_input *input = in->own;
	struct segment row = { .shared = false };
	const char *expected;

	if (!*text)
		return 0;
	if (*text == '#')
		return read_comment(im, input, text);
	expected = parse_row(text, &row);
	if (expected)
		return import_bad(im, "not %s", expected);
	in->at_ns = row.at.end_ns;
	if (strcmp(row.module, input->module)) {
		dxt->of_others++;
		return 0;
	}
	if (!input->file)
		return import_bad(im, "a line before '# DXT, file_id: ...' names its file");
	return add_access(im, input, &row);
}

static int dxt_end(struct import *im)
{
	const struct dxt *dxt = im->own;

	if (dxt->instants)
		import_note(im,
			    "%llu of %llu accesses start and end in the same 0.1 ms: they "
			    "add nothing to T",
			    (unsigned long long)dxt->instants, (unsigned long long)dxt->accesses);
	if (dxt->unplaced)
		import_note(im,
			    "%llu of %llu accesses have no offset: this version of Darshan does "
			    "not keep it for MPI-IO",
			    (unsigned long long)dxt->unplaced, (unsigned long long)dxt->accesses);
	if (dxt->warnings)
		import_note(im, "%llu warning%s of darshan-dxt-parser; the first: %s",
			    (unsigned long long)dxt->warnings, num_word(dxt->warnings, "", "s"),
			    dxt->warning);
	if (dxt->of_others)
		import_note(im,
			    "%llu line%s of the other module left out; --module "
			    "selects one",
			    (unsigned long long)dxt->of_others, num_word(dxt->of_others, "", "s"));
	if (im->inputs_n > 1)
		import_note(im, "the times of each input count from the start of its own job");
	return 0;
}

static void dxt_close(struct import_file *in)
{
	struct dxt_input *input = in->own;

	free(input->file);
	free(input->host);
}

const struct importer import_dxt = {
	.name = "dxt",
	.layer = "app",
	.own_size = sizeof(struct dxt),
	.input_size = sizeof(struct dxt_input),
	.open = dxt_open,
	.line = dxt_line,
	.end = dxt_end,
	.close = dxt_close,
};
