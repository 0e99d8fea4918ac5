// SPDX-License-Identifier: GPL-2.0-or-later
/* Imports blkparse's default output: a line for each event of blktrace, then a summary. */
#include <ctype.h>
#include <string.h>

#include "user/base/num.h"
#include "user/metric/measurement.h"
#include "tools/import/blkparse.h"
#include "tools/import/import.h"

struct blkparse {
	struct pairing pairing;
	u64 skips; /* number of times that blktrace lost events */
};

struct blkparse_input {
	/* true after the first line of the summary, which is the last part of the input */
	bool summary;
};

static int blkparse_begin(struct import *im)
{
	struct blkparse *b = im->own;

	b->pairing.flights = flights_new();
	b->pairing.layer = LAYER_DEVICE;
	for (int i = 0; im->o->layer && i < LAYERS; i++)
		if (!strcmp(layer_names[i], im->o->layer))
			b->pairing.layer = i;
	if (b->pairing.layer != LAYER_DEVICE)
		import_note(im,
			    "the accesses of layer %s are requests as they came to the block "
			    "layer, from Q to C of blktrace",
			    layer_names[b->pairing.layer]);
	return 0;
}

/* Returns true for the first line of the summary, like "CPU0 (sda):" or "Total (sda):". */
static bool is_summary(const char *text)
{
	if (!strncmp(text, "Total (", 7))
		return true;
	if (strncmp(text, "CPU", 3) || !isdigit((unsigned char)text[3]))
		return false;
	text += 3 + strspn(text + 3, "0123456789");
	return !strncmp(text, " (", 2);
}

/* If @text is a line such as "Skips: 3 forward (1,024 - 12.3%)", adds the number of skips, here 3,
 * to b->skips. */
static void count_skips(struct blkparse *b, char *text)
{
	u64 n;

	if (strncmp(text, "Skips:", 6))
		return;
	text += 6;
	if (take_u64(&text, &n))
		b->skips += n;
}

static int blkparse_line(struct import *im, struct import_file *in, char *text)
{
	struct blkparse *b = im->own;
	struct blkparse_input *input = in->own;
	struct event e;
	const char *fault;
	bool skip;

	input->summary |= is_summary(text);
	if (input->summary) {
		count_skips(b, text);
		return event_parse(text, &e, &skip) ?
			0 :
			import_bad(im,
				   "an event after the summary; give each text as an input "
				   "of its own");
	}
	if (!*text || !strncmp(text, "Input file ", 11))
		return 0;
	fault = event_parse(text, &e, &skip);
	if (fault)
		return import_bad(im, "%s", fault);
	return skip ? 0 : pairing_take(im, &b->pairing, &e);
}

static int blkparse_end(struct import *im)
{
	const struct blkparse *b = im->own;
	const struct flights *t = b->pairing.flights;
	bool device = b->pairing.layer == LAYER_DEVICE;

	if (b->pairing.unqueued)
		import_note(im,
			    "%llu access%s measured from Q to C: the disks have no D, as "
			    "disks without requests",
			    (unsigned long long)b->pairing.unqueued,
			    num_word(b->pairing.unqueued, "", "es"));
	import_lost(im, "completions_unmatched", b->pairing.unmatched);
	import_lost(im, "issues_unmatched", flights_left(t, device ? FLIGHT_ISSUED : FLIGHT_BIO));
	import_lost(im, "given_up", flights_given_up(t));
	import_lost(im, "recorder_skips", b->skips);
	return 0;
}

static void blkparse_release(struct import *im)
{
	struct blkparse *b = im->own;

	pairing_release(&b->pairing);
}

const struct importer import_blkparse = {
	.name = "blkparse",
	.layer = "device",
	.sorted = true,
	.own_size = sizeof(struct blkparse),
	.input_size = sizeof(struct blkparse_input),
	.begin = blkparse_begin,
	.time = event_time,
	.line = blkparse_line,
	.end = blkparse_end,
	.release = blkparse_release,
};
