// SPDX-License-Identifier: GPL-2.0-or-later
/* Converts the fields of struct access, one I/O with its names, to and from text. A column is a
 * field as text, in CSV or JSON. */
#include "tools/input/access.h"

#include <stddef.h>
#include <string.h>

#include "user/base/control.h"
#include "user/host/dev.h"
#include "user/base/num.h"
#include "user/metric/measurement.h"
#include "user/base/table.h"

#define AT(field) offsetof(struct access, field)

const struct column columns[COLUMNS + 1] = {
	{ "layer", COLUMN_WORD, AT(layer), layer_names, LAYERS, 0 },
	{ "op", COLUMN_WORD, AT(op), op_names, OP_MAX, 0 },
	{ "source", COLUMN_WORD, AT(source), source_names, SRC_MAX, 0 },
	{ "device", COLUMN_TEXT, AT(disk.text), NULL, 0, 0 },
	{ "dev", COLUMN_DEV, AT(disk.id), NULL, 0, 0 },
	{ "stacked", COLUMN_BOOL, AT(disk.stacked), NULL, 0, 0 },
	{ "cgroup", COLUMN_TEXT, AT(group.text), NULL, 0, 0 },
	{ "process", COLUMN_TEXT, AT(process.text), NULL, 0, 0 },
	{ "pid", COLUMN_NUMBER, AT(process.id), NULL, 0, 0 },
	{ "file", COLUMN_TEXT, AT(file.text), NULL, 0, 0 },
	{ "inode", COLUMN_NUMBER, AT(file.id), NULL, 0, 0 },
	{ "file_dev", COLUMN_DEV, AT(file.dev), NULL, 0, 0 },
	/* from here on (COLUMNS_OWN), the values differ between the accesses of a stream */
	{ "start_ns", COLUMN_NUMBER, AT(at.start_ns), NULL, 0, 0 },
	{ "end_ns", COLUMN_NUMBER, AT(at.end_ns), NULL, 0, 0 },
	{ "bytes", COLUMN_NUMBER, AT(at.bytes), NULL, 0, 0 },
	{ "offset_bytes", COLUMN_OFFSET, AT(at.offset), NULL, 0, 0 },
	{ "queued_ns", COLUMN_NUMBER, AT(at.queued_ns), NULL, 0, 0 },
	{ "held_ns", COLUMN_NUMBER, AT(at.held_ns), NULL, 0, 0 },
	{ "error", COLUMN_FLAG, 0, NULL, 0, TRACE_FAILED },
	{ "part", COLUMN_FLAG, 0, NULL, 0, TRACE_PART },
	{ "untimed", COLUMN_FLAG, 0, NULL, 0, TRACE_UNTIMED },
	{ "unspanned", COLUMN_FLAG, 0, NULL, 0, TRACE_UNSPANNED },
	{ NULL, 0, 0, NULL, 0, 0 },
};

static const void *field(const struct column *c, const struct access *x)
{
	return (const char *)x + c->at;
}

static u64 number(const struct column *c, const struct access *x)
{
	return *(const u64 *)field(c, x);
}

static const char *text(const struct column *c, const struct access *x)
{
	return *(const char *const *)field(c, x);
}

/* Returns the word for the value of column @c, such as "read". Returns NULL if the value has no
 * word. Also returns NULL for the source of a device access. */
static const char *word(const struct column *c, const struct access *x)
{
	u8 v = *(const u8 *)field(c, x);

	if (c->words == source_names && x->layer == LAYER_DEVICE)
		return NULL;
	return v < c->words_n ? c->words[v] : NULL;
}

static bool truth(const struct column *c, const struct access *x)
{
	return c->type == COLUMN_FLAG ? x->at.flags & c->flag : *(const bool *)field(c, x);
}

/* Prints @v in decimal, faster than printf(), because an export prints about ten numbers per
 * access. */
static void print_number(FILE *f, u64 v)
{
	char digits[20], *p = digits + sizeof(digits);

	do
		*--p = '0' + v % 10;
	while (v /= 10);
	fwrite_unlocked(p, 1, digits + sizeof(digits) - p, f);
}

void column_write(FILE *f, const struct column *c, const struct access *x)
{
	char buf[DEV_TEXT];

	switch (c->type) {
	case COLUMN_WORD:
		out_csv_cell(f, word(c, x) ?: "");
		break;
	case COLUMN_TEXT:
		out_csv_cell(f, text(c, x) ?: "");
		break;
	case COLUMN_OFFSET:
		if (number(c, x) == TRACE_NO_OFFSET)
			break;
		/* fall through */
	case COLUMN_NUMBER:
		print_number(f, number(c, x));
		break;
	case COLUMN_DEV:
		fputs(number(c, x) ? dev_text(buf, number(c, x)) : "", f);
		break;
	case COLUMN_BOOL:
	case COLUMN_FLAG:
		putc_unlocked(truth(c, x) ? '1' : '0', f);
	}
}

void column_out(struct out *node, const struct column *c, const struct access *x)
{
	char buf[DEV_TEXT];

	switch (c->type) {
	case COLUMN_WORD:
		out_str(node, c->name, word(c, x));
		break;
	case COLUMN_TEXT:
		out_str(node, c->name, text(c, x));
		break;
	case COLUMN_DEV:
		out_str(node, c->name, number(c, x) ? dev_text(buf, number(c, x)) : NULL);
		break;
	case COLUMN_NUMBER:
		out_u64(node, c->name, number(c, x));
		break;
	case COLUMN_BOOL:
		out_bool(node, c->name, truth(c, x));
		break;
	case COLUMN_OFFSET:
	case COLUMN_FLAG: /* column_json() writes offsets and flags */
		break;
	}
}

void column_json(FILE *f, const struct column *c, const struct access *x)
{
	if (c->type == COLUMN_FLAG)
		fputs(truth(c, x) ? "true" : "false", f);
	else if (c->type == COLUMN_OFFSET && number(c, x) == TRACE_NO_OFFSET)
		fputs("null", f);
	else
		print_number(f, number(c, x));
}

static bool parse_column_word(const struct column *c, u8 *v, const char *s)
{
	for (unsigned i = 0; i < c->words_n; i++)
		if (!strcmp(c->words[i], s)) {
			*v = i;
			return true;
		}
	return false;
}

static bool parse_dev(u64 *v, const char *s)
{
	const char *colon = strchr(s, ':');
	char buf[DEV_TEXT];
	u64 major, minor;

	if (!colon || (size_t)(colon - s) >= sizeof(buf))
		return false;
	*(char *)mempcpy(buf, s, colon - s) = '\0';
	if (num_uint(buf, &major) || num_uint(colon + 1, &minor) || major >= 1 << 12 ||
	    minor >= 1 << 20)
		return false;
	*v = dev_number(major, minor);
	return true;
}

const char *column_read(const struct column *c, struct access *x, char *s)
{
	void *to = (char *)x + c->at;
	u64 n;

	if (!*s)
		return NULL;
	switch (c->type) {
	case COLUMN_WORD:
		return parse_column_word(c, to, s) ? NULL : "one of its words";
	case COLUMN_TEXT:
		unescape(s);
		*(const char **)to = s;
		return NULL;
	case COLUMN_OFFSET:
	case COLUMN_NUMBER:
		return num_uint(s, to) ? "a whole number below 2^64" : NULL;
	case COLUMN_DEV:
		return parse_dev(to, s) ? NULL : "MAJOR:MINOR";
	case COLUMN_BOOL:
	case COLUMN_FLAG:
		break;
	}
	/* In the files of other programs, this cell may be an errno, with either sign. Any number
	 * except 0 means true. */
	if (num_uint(s + (*s == '-'), &n))
		return "0 or 1";
	if (c->type == COLUMN_BOOL)
		*(bool *)to = n;
	else if (n)
		x->at.flags |= c->flag;
	return NULL;
}

int access_call_op(u8 op)
{
	static const int of[OP_MAX] = {
		[OP_READ] = VFS_READ, [OP_WRITE] = VFS_WRITE,	[OP_FLUSH] = -1,
		[OP_DISCARD] = -1,    [OP_OTHER] = -1,		[OP_SYNC] = VFS_SYNC,
		[OP_OPEN] = VFS_OPEN, [OP_CREATE] = VFS_CREATE, [OP_CLOSE] = VFS_CLOSE,
	};

	return op < OP_MAX ? of[op] : -1;
}

bool access_is_countable(const struct trace_stream *s)
{
	if (s->layer == LAYER_DEVICE)
		return s->op < DEVICE_OPS;
	return s->layer < LAYER_DEVICE && s->source < SRC_MAX && access_call_op(s->op) >= 0;
}
