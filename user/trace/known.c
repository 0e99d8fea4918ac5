// SPDX-License-Identifier: GPL-2.0-or-later
/* Stores the names and streams that a reader has found in NAMES chunks, which are parts of a trace
 * file. A stream is a set of attributes, such as disk and process, that many accesses share. A
 * record is one name or stream in a chunk. */
#include "user/trace/reader.h"

#include <stdlib.h>

#include "bpf/abi.h"
#include "user/base/need.h"
#include "user/trace/format.h"

#define PAGE 256 /* number of names or streams in one page (block of memory) of a known_list */

struct known_stream {
	struct trace_stream s;
	bool known;
};

static void *item(const struct known_list *l, u32 number, size_t size)
{
	u32 page = (number - 1) / PAGE;

	if (!number || page >= l->n_pages || !l->pages[page])
		return NULL;
	return (char *)l->pages[page] + (number - 1) % PAGE * size;
}

static void *make_item(struct known_list *l, u32 number, size_t size)
{
	u32 page = (number - 1) / PAGE;

	l->pages = need_index(l->pages, &l->n_pages, page, sizeof(*l->pages));
	if (!l->pages[page])
		l->pages[page] = need(calloc(PAGE, size));
	if (number > l->highest)
		l->highest = number;
	return item(l, number, size);
}

const struct trace_name *known_name(const struct known *k, u32 kind, u32 number)
{
	const struct trace_name *n;

	if (kind >= TRACE_KINDS)
		return NULL;
	n = item(&k->names[kind], number, sizeof(*n));
	return n && n->text ? n : NULL;
}

const struct trace_stream *known_stream(const struct known *k, u32 number)
{
	const struct known_stream *s = item(&k->streams, number, sizeof(*s));

	return s && s->known ? &s->s : NULL;
}

static bool refers(const struct known *k, u32 kind, u32 number)
{
	return !number || known_name(k, kind, number);
}

/* Returns a copy of @text, the text of a name. The text of a cgroup may continue after a NUL with
 * the names of its container. If it does, sets *@names to the text after the NUL, otherwise to
 * NULL. */
static const char *copy_text(const u8 *text, size_t length, const char **names)
{
	char *copy = need(calloc(1, length + 1));
	size_t end;

	memcpy(copy, text, length);
	end = strlen(copy);
	*names = end < length ? copy + end + 1 : NULL;
	return copy;
}

/* Adds the name in one record of a NAMES chunk. Ignores a name with a number that is already known.
 * Ignores a cgroup with an unknown parent, because the chunk with the parent may be damaged. */
static int read_name(struct known *k, u32 kind, const u8 *at, const u8 *text, size_t length)
{
	struct trace_name n = {
		.kind = kind,
		.parent = get32(at + 4),
		.id = get64(at + 8),
		.dev = get64(at + 16),
		.stacked = get32(at + 24) & 1,
	};
	u32 number = get32(at);

	if (length >= TRACE_TEXT)
		return -EBADMSG;
	if (kind != TRACE_GROUP)
		n.parent = 0;
	if (known_name(k, kind, number) || !refers(k, TRACE_GROUP, n.parent))
		return 0;
	n.text = copy_text(text, length, &n.names);
	*(struct trace_name *)make_item(&k->names[kind], number, sizeof(n)) = n;
	return 0;
}

/* Adds the stream in one record of a NAMES chunk. Ignores a stream with an unknown name, because
 * the chunk with the name may be damaged. Also ignores an unknown layer, operation or source. */
static void read_stream(struct known *k, const u8 *at)
{
	struct trace_stream s = {
		.layer = at[4],
		.op = at[5],
		.source = at[6],
		.disk = get32(at + 8),
		.group = get32(at + 12),
		.process = get32(at + 16),
		.file = get32(at + 20),
	};
	struct known_stream *to;
	u32 number = get32(at);

	if (s.layer >= LAYERS || s.op >= OP_MAX || s.source >= SRC_MAX || known_stream(k, number) ||
	    !refers(k, TRACE_DISK, s.disk) || !refers(k, TRACE_GROUP, s.group) ||
	    !refers(k, TRACE_PROCESS, s.process) || !refers(k, TRACE_FILE, s.file))
		return;
	to = make_item(&k->streams, number, sizeof(*to));
	to->s = s;
	to->known = true;
	while (known_stream(k, k->streams_gapless + 1))
		k->streams_gapless++;
}

static int read_record(struct known *k, const u8 *at, size_t size, u64 highest)
{
	u8 kind = at[2], fixed = at[3];
	const u8 *text = at + NAME_HEAD + fixed;
	size_t least = kind == KIND_STREAM ? STREAM_FIXED : NAME_FIXED;

	if (kind >= TRACE_KINDS && kind != KIND_STREAM)
		return 0; /* a later version of the format added this kind of record: skip it */
	if (fixed < least || size < NAME_HEAD + (size_t)fixed)
		return -EBADMSG;
	at += NAME_HEAD;
	if (!get32(at) || get32(at) > highest)
		return -EBADMSG;
	if (kind != KIND_STREAM)
		return read_name(k, kind, at, text, size - NAME_HEAD - fixed);
	read_stream(k, at);
	return 0;
}

int known_read(struct known *k, const u8 *raw, size_t size, u64 highest)
{
	while (size) {
		size_t length = size < NAME_HEAD ? 0 : get16(raw);
		int ret;

		if (length < NAME_HEAD || length > size)
			return -EBADMSG;
		ret = read_record(k, raw, length, highest);
		if (ret)
			return ret;
		raw += length;
		size -= length;
	}
	return 0;
}

static void release_list(struct known_list *l)
{
	for (u32 i = 0; i < l->n_pages; i++)
		free(l->pages[i]);
	free(l->pages);
}

void known_release(struct known *k)
{
	for (u32 kind = 0; kind < TRACE_KINDS; kind++) {
		for (u32 i = 1; i <= k->names[kind].highest; i++) {
			const struct trace_name *n = known_name(k, kind, i);

			free(n ? (char *)n->text : NULL);
		}
		release_list(&k->names[kind]);
	}
	release_list(&k->streams);
}
