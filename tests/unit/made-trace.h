/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes traces with random accesses, reads them, and compares. A trace is read in batches of
 * accesses. A stream is a combination of disk, cgroup, process and file that accesses share. */
#ifndef IOSPAN_TESTS_MADE_TRACE_H
#define IOSPAN_TESTS_MADE_TRACE_H

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include "user/trace/trace.h"
#include "user/trace/trace-read.h"
#include "user/trace/write.h"
#include "user/kernel/tracer.h"
#include "tests/lib/harness.h"

#define MADE_STREAMS 40
#define ALL_COLUMNS (TRACE_OFFSET | TRACE_QUEUED | TRACE_HELD)

/* State of the random generator xorshift64*, which gives the same numbers on all machines. */
static u64 made_state = 1993;
static u64 made_random(void)
{
	made_state ^= made_state >> 12;
	made_state ^= made_state << 25;
	made_state ^= made_state >> 27;
	return made_state * 0x2545f4914f6cdd1dULL;
}

static u64 made_below(u64 n)
{
	return made_random() % n;
}

/* Keeps the text until the exit, so that the leak checker does not report it. */
static char *keep(char *text)
{
	static struct kept {
		struct kept *next;
		char *text;
	} * all;
	struct kept *k = malloc(sizeof(*k));

	*k = (struct kept){ all, text };
	all = k;
	return text;
}

static inline char *scratch_path(const char *name)
{
	char *path;

	ASSERT_TRUE(asprintf(&path, "%s/%s", scratch_dir(), name) > 0);
	return keep(path);
}

static inline struct trace_writer *made_writer(const char *path, u64 max_bytes, unsigned files_kept)
{
	struct trace_write_options o = { .max_bytes = max_bytes, .files_kept = files_kept };
	struct out *meta = out_object();
	struct trace_writer *w;

	out_str(meta, "command", "dd");
	ASSERT_EQ(trace_create(&w, path, meta, &o), 0);
	out_free(meta);
	return w;
}

/* The accesses that the test has written. A stream is a combination of disk, cgroup, process and
 * file that accesses share. .texts has the names of each stream; same_stream() stores them. */
struct made {
	struct trace_access *a;
	u32 n, room;
	char *texts[MADE_STREAMS + 1];
};

static u32 made_name(struct trace_writer *w, u32 kind, u32 parent, u64 id)
{
	static const char *const words[] = { "vda", "/job/a", "dd", "/srv/d\xff\n ta" };
	char text[64];
	struct trace_name n = { .kind = kind, .parent = parent, .id = id, .text = text };

	snprintf(text, sizeof(text), "%s-%lu", words[kind], id);
	n.dev = kind == TRACE_FILE ? 254 << 20 | id : 0;
	n.stacked = kind == TRACE_DISK && id % 2;
	return trace_name(w, &n);
}

static inline void made_streams(struct trace_writer *w)
{
	for (u32 i = 1; i <= MADE_STREAMS; i++) {
		u32 top = made_name(w, TRACE_GROUP, 0, 1);
		struct trace_stream s = {
			.layer = i % LAYERS,
			.op = i % OP_MAX,
			.source = i % SRC_MAX,
			.disk = i % 3 ? made_name(w, TRACE_DISK, 0, i / 5) : 0,
			.group = made_name(w, TRACE_GROUP, i % 2 ? top : 0, 2 + i / 7),
			.process = made_name(w, TRACE_PROCESS, 0, 100 + i / 2),
			.file = i % 4 ? made_name(w, TRACE_FILE, 0, i) : 0,
		};

		ASSERT_EQ(trace_stream(w, &s), i);
	}
}

static void print_name(FILE *f, const struct trace_reader *r, u32 kind, u32 number)
{
	const struct trace_name *n = trace_name_of(r, kind, number);

	if (!number) {
		fprintf(f, "- ");
		return;
	}
	ASSERT_TRUE(n != NULL);
	fprintf(f, "%u %lu %lu %d %s ", n->kind, n->id, n->dev, n->stacked, n->text);
	if (n->parent) {
		fprintf(f, "below ");
		print_name(f, r, TRACE_GROUP, n->parent);
	}
}

static char *stream_text(const struct trace_reader *r, u32 number)
{
	const struct trace_stream *s = trace_stream_of(r, number);
	char *text;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	ASSERT_TRUE(s != NULL);
	fprintf(f, "%u %u %u ", s->layer, s->op, s->source);
	print_name(f, r, TRACE_DISK, s->disk);
	print_name(f, r, TRACE_GROUP, s->group);
	print_name(f, r, TRACE_PROCESS, s->process);
	print_name(f, r, TRACE_FILE, s->file);
	fclose(f);
	return text;
}

/* If @wild, some accesses have arbitrary values, which the trace must keep too. */
static struct trace_access made_access(u64 *now, bool wild)
{
	struct trace_access a = {
		.bytes = 512 * made_below(64),
		.offset = 4096 * made_below(1 << 20),
		.stream = 1 + made_below(MADE_STREAMS),
		.flags = made_below(8) ? 0 : made_below(16),
	};

	*now += made_below(5000);
	a.end_ns = *now - made_below(300);
	a.start_ns = a.end_ns - made_below(100000);
	a.queued_ns = made_below(3) ? 0 : made_below(2000);
	a.held_ns = a.flags & TRACE_PART ? made_below(9000) : 0;
	if (!made_below(9))
		a.offset = TRACE_NO_OFFSET;
	if (wild && !made_below(50)) {
		u64 *fields[] = { &a.bytes, &a.offset, &a.queued_ns, &a.held_ns };

		*fields[made_below(4)] = made_random();
		a.flags = made_below(256);
		a.start_ns = made_random();
		a.end_ns = made_random();
	}
	return a;
}

static int made_add(struct made *m, struct trace_writer *w, const struct trace_access *a)
{
	if (m->n == m->room) {
		m->room = m->room ? 2 * m->room : 1024;
		m->a = reallocarray(m->a, m->room, sizeof(*m->a));
	}
	m->a[m->n++] = *a;
	return trace_add(w, a);
}

static inline void made_accesses(struct made *m, struct trace_writer *w, u32 n, u32 chunk,
				 bool wild)
{
	u64 now = 1000000000;

	for (u32 i = 0; i < n; i++) {
		struct trace_access a = made_access(&now, wild);

		ASSERT_EQ(made_add(m, w, &a), 0);
		if (chunk && (i + 1) % chunk == 0)
			ASSERT_EQ(trace_flush(w), 0);
	}
}

static bool same_access(const struct trace_batch *b, u32 i, const struct trace_access *a)
{
	return b->start_ns[i] == a->start_ns && b->end_ns[i] == a->end_ns &&
		b->bytes[i] == a->bytes && b->flags[i] == a->flags &&
		(!b->offset || b->offset[i] == a->offset) &&
		(!b->queued_ns || b->queued_ns[i] == a->queued_ns) &&
		(!b->held_ns || b->held_ns[i] == a->held_ns);
}

/* A stream has a number @written in the test and a number @seen in the trace. Returns true if the
 * names of the stream are those of the first call for @written, or if this is the first call. */
static bool same_stream(struct made *m, const struct trace_reader *r, u32 seen, u32 written)
{
	char *text = stream_text(r, seen);
	bool same;

	if (!m->texts[written])
		m->texts[written] = keep(strdup(text));
	same = !strcmp(text, m->texts[written]);
	free(text);
	return same;
}

/* Checks that the accesses of a batch lie between b->first_ns and b->last_ns. Also checks that none
 * starts before @before_ns, a limit from the previous batch. */
static bool batch_holds(const struct trace_batch *b, u64 before_ns)
{
	bool good = true;

	for (u32 i = 0; i < b->n; i++)
		good &= (b->flags[i] & TRACE_UNSPANNED) ||
			(b->start_ns[i] >= b->first_ns && b->end_ns[i] <= b->last_ns &&
			 b->start_ns[i] >= before_ns);
	return good;
}

/* Compares the accesses that @r reads with the written accesses, starting with number @from.
 * Written accesses may be missing in the trace. Returns the number of accesses that were read. */
static inline u32 made_compare(struct made *m, struct trace_reader *r, u32 from)
{
	const struct trace_batch *b;
	u64 before_ns = 0;
	u32 seen = 0;
	int n;

	while ((n = trace_next(r, &b)) > 0) {
		ASSERT_EQ(n, b->n);
		ASSERT_TRUE(batch_holds(b, before_ns));
		before_ns = b->before_ns;
		for (u32 i = 0; i < b->n; i++) {
			while (from < m->n && !same_access(b, i, &m->a[from]))
				from++;
			ASSERT_TRUE(from < m->n);
			ASSERT_TRUE(same_stream(m, r, b->stream[i], m->a[from].stream));
			from++;
			seen++;
		}
	}
	ASSERT_EQ(n, 0);
	ASSERT_EQ(trace_state(r)->accesses, seen);
	return seen;
}

static inline u8 *file_bytes(const char *path, size_t *size)
{
	int fd = open(path, O_RDONLY);
	struct stat st;
	u8 *bytes;

	ASSERT_TRUE(fd >= 0 && fstat(fd, &st) == 0);
	*size = st.st_size;
	bytes = malloc(*size + 1);
	ASSERT_EQ(read(fd, bytes, *size), *size);
	close(fd);
	return bytes;
}

/* Returns the path of a file in memory with these bytes. The next call overwrites the file. */
static inline const char *memory_file(const u8 *bytes, size_t size)
{
	static char path[64];
	static int fd = -1;

	if (fd < 0)
		fd = memfd_create("trace", MFD_CLOEXEC);
	ASSERT_EQ(ftruncate(fd, size), 0);
	ASSERT_EQ(pwrite(fd, bytes, size, 0), size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return path;
}

#endif
