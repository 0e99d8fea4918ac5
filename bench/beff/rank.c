// SPDX-License-Identifier: GPL-2.0-or-later
/* Runs one step of b_eff_io on one process (rank). In a step, ranks open, check or close their
 * files, or run a pattern: repeated I/O calls with one chunk size. An extension is a series of
 * accesses that the b_eff_io paper does not define. */
#include "bench/beff/engine.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/load/stream.h"
#include "user/base/clock.h"
#include "user/base/err.h"
#include "user/base/need.h"

/* bytes of the largest call of patterns with a fixed chunk size; the chunk size MPART depends on
 * the memory */
#define MOST_OF_CHUNKS (2ULL << 20)

u64 beff_buffer_bytes(const struct beff_setup *s)
{
	return s->mpart > MOST_OF_CHUNKS ? s->mpart : MOST_OF_CHUNKS;
}

/* Stores in r->out that @call failed with @error, unless r->out already has an error. */
static void note_error(struct beff_rank *r, enum beff_call call, int error)
{
	if (error && !r->out->error) {
		r->out->error = error;
		r->out->call = call;
	}
}

static int print_error(const struct beff_setup *s, unsigned rank, const struct beff_outcome *o)
{
	static const char *const calls[] = {
		[BEFF_CALL_OPEN] = "open",   [BEFF_CALL_WRITE] = "write",
		[BEFF_CALL_READ] = "read",   [BEFF_CALL_SYNC] = "sync",
		[BEFF_CALL_CLOSE] = "close", [BEFF_CALL_MEMORY] = "allocate memory for",
	};

	return error(o->error, "process %u cannot %s its file in '%s': %s", rank, calls[o->call],
		     s->dir, o->error == -ENODATA ? "unexpected end of file" : strerror(-o->error));
}

static void add_outcome(struct beff_outcome *all, const struct beff_outcome *one, bool one_clock)
{
	all->errors += one->errors;
	all->checked_bytes += one->checked_bytes;
	if (one_clock && one->start_ns < all->start_ns)
		all->start_ns = one->start_ns;
	if (one_clock && one->end_ns < all->end_ns)
		all->end_ns = one->end_ns;
}

int beff_gather(const struct beff_setup *s, const struct beff_part *parts, unsigned ranks,
		const struct span *span, struct beff_outcome *out, struct sum *app)
{
	*out = parts[0].out;
	*app = (struct sum){};
	for (unsigned i = 0; i < ranks; i++) {
		if (parts[i].out.error < 0)
			return print_error(s, i, &parts[i].out);
		if (i)
			add_outcome(out, &parts[i].out, span);
		sum_add_row(app, &parts[i].row);
	}
	out->ns = app->elapsed_ns = out->end_ns - out->start_ns;
	if (span)
		sum_set_span(app, span_time_ns(span->word, now_ns()), out->ns);
	return 0;
}

/* Returns the path of the file that the rank uses in this step, named as in b_eff_io revision 2.1.
 * The caller frees it. */
static char *file_path(const struct beff_rank *r)
{
	const struct beff_step *s = r->step;
	char rank[16] = "";

	if (s->type == BEFF_SEPARATED)
		snprintf(rank, sizeof(rank), ".%03u", r->number);
	return need_text("%s/b_eff_io_data_i%02u_%03u_%u%s", r->setup->path, s->partition,
			 s->shape.ranks, s->type, rank);
}

static struct beff_owner owner_of(const struct beff_rank *r)
{
	return (struct beff_owner){ r->number, r->step->pattern, r->step->written };
}

static u64 chunks_in_call(const struct beff_rank *r)
{
	return beff_chunks_in_call(&beff_patterns[r->step->pattern]);
}

/* Returns the number of the chunk that repetition @i of an extension accesses. If the extension
 * reads the chunks of all ranks, also stores in *@rank the rank that wrote the chunk. */
static u64 extension_chunk(const struct beff_rank *r, u64 i, unsigned *rank)
{
	const struct beff_shape *s = &r->step->shape;
	u64 n = s->repetitions[r->step->pattern];

	if (r->step->extension != BEFF_SAME)
		return stream_mix((u64)r->number << 40 ^ i) % n;
	*rank = i % s->ranks;
	return i / s->ranks % n;
}

static void mark_chunks(struct beff_rank *r, u64 first)
{
	u64 l = r->extent.l;

	for (u64 i = 0; i < chunks_in_call(r); i++)
		beff_mark(owner_of(r), first + i, r->buffer + i * l, l);
}

static void check_stamps(struct beff_rank *r, struct beff_owner of, u64 first)
{
	u64 l = r->extent.l;

	for (u64 i = 0; i < chunks_in_call(r); i++)
		r->out->errors += !beff_is_marked(of, first + i, r->buffer + i * l, l);
}

static void run_call(struct beff_rank *r, u64 repetition)
{
	u64 first = repetition * chunks_in_call(r), start, end;
	bool write = r->step->access != BEFF_READ;
	struct beff_owner of = owner_of(r);

	if (r->step->extension) {
		first = extension_chunk(r, repetition, &of.rank);
		r->extent.at = beff_offset(&r->step->shape, r->step->pattern, of.rank, 0);
	}
	if (write)
		mark_chunks(r, first);
	start = now_ns();
	span_enter(r->span, start);
	note_error(r, write ? BEFF_CALL_WRITE : BEFF_CALL_READ, r->io->move(r, write, first));
	end = now_ns();
	span_leave(r->span, end);
	row_add(r->row, r->extent.call, end - start);
	r->out->io_ns += end - start;
	if (!write && !r->out->error)
		check_stamps(r, of, first);
}

static void timed_barrier(struct beff_rank *r)
{
	u64 start = now_ns();

	r->io->barrier(r);
	r->out->barrier_ns += now_ns() - start;
}

/* Returns the number of repetitions until the ranks check the time limit again. This is 1 or, if
 * setup->geometric is true, twice the previous number @last. It is less if fewer repetitions fit
 * into the rest of the time limit. It is 0 if the pattern must end now. */
static u64 next_repetitions(const struct beff_rank *r, u64 last)
{
	u64 done = r->out->repetitions, most = r->setup->geometric ? 2 * last : 1;
	double elapsed = now_ns() - r->out->start_ns;
	double fit = (r->step->time_ns / elapsed - 1) * done;

	if (fit < 1 || (r->stop && __atomic_load_n(r->stop, __ATOMIC_RELAXED)))
		return 0;
	return fit < most ? fit : most;
}

/* Returns the next number of repetitions, the same on all ranks. Rank 0 chooses the number after a
 * barrier, when all ranks have finished the previous repetitions. */
static u64 agree_on_repetitions(struct beff_rank *r, u64 last)
{
	u64 start, n = 0;

	timed_barrier(r);
	if (!r->number)
		n = next_repetitions(r, last);
	start = now_ns();
	n = r->io->agree(r, n);
	r->out->barrier_ns += now_ns() - start;
	return n;
}

static void repeat(struct beff_rank *r)
{
	u64 n = r->step->time_ns ? 1 : r->step->shape.repetitions[r->step->pattern];

	while (n) {
		for (u64 i = 0; i < n; i++)
			run_call(r, r->out->repetitions++);
		n = r->step->time_ns ? agree_on_repetitions(r, n) : 0;
	}
}

static void sync_all(struct beff_rank *r)
{
	u64 start;

	timed_barrier(r);
	start = now_ns();
	note_error(r, BEFF_CALL_SYNC, r->io->sync(r));
	r->out->sync_ns = now_ns() - start;
}

static void step_run(struct beff_rank *r)
{
	const struct beff_shape *s = &r->step->shape;
	unsigned p = r->step->pattern;

	r->extent = (struct beff_extent){ beff_l(s, p), beff_call(s, p),
					  beff_offset(s, p, r->number, 0), beff_stride(s, p) };
	for (u64 i = 0; i < chunks_in_call(r); i++)
		beff_fill(owner_of(r), r->buffer + i * r->extent.l, r->extent.l);
	r->io->barrier(r);
	r->out->start_ns = now_ns();
	if (r->io->view)
		note_error(r, BEFF_CALL_OPEN, r->io->view(r));
	repeat(r);
	if (r->step->access != BEFF_READ)
		sync_all(r);
	timed_barrier(r);
	r->out->end_ns = now_ns();
}

static void step_open(struct beff_rank *r)
{
	char *path = file_path(r);

	if (r->io->join)
		r->io->join(r);
	r->io->barrier(r);
	r->out->start_ns = now_ns();
	note_error(r, BEFF_CALL_OPEN, r->io->open(r, path));
	r->io->barrier(r);
	r->out->end_ns = now_ns();
	free(path);
}

static void step_close(struct beff_rank *r)
{
	r->io->barrier(r);
	r->out->start_ns = now_ns();
	note_error(r, BEFF_CALL_CLOSE, r->io->close(r));
	r->io->barrier(r);
	r->out->end_ns = now_ns();
}

/* The chunks of one pattern that a rank checks: .n chunks of .l bytes, without gaps, from file
 * offset .at on. .first: if chunks of different ranks alternate in the file, number of chunks of
 * all ranks before .at; otherwise 0. */
struct chunks {
	unsigned pattern;
	u64 l, at, first, n;
};

/* Returns true if chunks of different ranks alternate in the file. A rank then also checks chunks
 * that other ranks wrote. */
static bool are_interleaved(const struct beff_shape *s, const struct chunks *c)
{
	return beff_stride(s, c->pattern) != c->l;
}

static struct chunks chunks_of_rank(const struct beff_rank *r, unsigned p)
{
	const struct beff_shape *s = &r->step->shape;
	struct chunks c = { .pattern = p, .l = beff_l(s, p) };

	c.n = c.l ? beff_bytes_of(s, p) / c.l : 0;
	c.first = are_interleaved(s, &c) ? r->number * c.n : 0;
	c.at = are_interleaved(s, &c) ? beff_offset(s, p, 0, 0) + c.first * c.l :
					beff_offset(s, p, r->number, 0);
	return c;
}

static bool chunk_is_whole(const struct beff_rank *r, const struct chunks *c, u64 i,
			   const char *data)
{
	struct beff_owner o = { r->number, c->pattern, r->step->written };
	u64 k = i;

	if (are_interleaved(&r->step->shape, c)) {
		o.rank = (c->first + i) % r->step->shape.ranks;
		k = (c->first + i) / r->step->shape.ranks;
	}
	return beff_is_whole(o, k, data, c->l);
}

/* Reads @bytes from offset @at. Returns 0, -ENODATA if the file ends too early, or -errno. */
static int read_whole(int fd, char *to, u64 bytes, u64 at)
{
	while (bytes) {
		ssize_t n = pread(fd, to, bytes, at);

		if (n <= 0)
			return n ? -errno : -ENODATA;
		to += n;
		at += n;
		bytes -= n;
	}
	return 0;
}

static int check_chunks(struct beff_rank *r, const struct chunks *c, int fd)
{
	u64 together = c->l ? beff_buffer_bytes(r->setup) / c->l : 0;
	int ret = 0;

	for (u64 i = 0, n; i < c->n && !ret; i += n) {
		n = c->n - i < together ? c->n - i : together;
		ret = read_whole(fd, r->buffer, n * c->l, c->at + i * c->l);
		for (u64 k = 0; k < n && !ret; k++)
			r->out->errors += !chunk_is_whole(r, c, i + k, r->buffer + k * c->l);
		r->out->checked_bytes += ret ? 0 : n * c->l;
	}
	return ret;
}

static void step_check(struct beff_rank *r)
{
	char *path = file_path(r);
	int fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC), ret = 0;

	free(path);
	if (fd < 0) {
		note_error(r, BEFF_CALL_OPEN, -errno);
		return;
	}
	for (unsigned p = 0; p < BEFF_PATTERNS && !ret; p++) {
		struct chunks c = chunks_of_rank(r, p);

		if (beff_patterns[p].type == r->step->type)
			ret = check_chunks(r, &c, fd);
	}
	note_error(r, BEFF_CALL_READ, ret);
	close(fd);
}

void beff_rank_step(struct beff_rank *r)
{
	static void (*const steps[])(struct beff_rank * r) = {
		[BEFF_OPEN] = step_open,
		[BEFF_RUN] = step_run,
		[BEFF_CLOSE] = step_close,
		[BEFF_CHECK] = step_check,
	};

	*r->out = (struct beff_outcome){};
	steps[r->step->what](r);
}
