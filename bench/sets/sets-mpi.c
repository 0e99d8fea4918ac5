// SPDX-License-Identifier: GPL-2.0-or-later
/* Runs bench sets by processes of MPI (ranks). Rank 0 sends an order to all ranks, which then read
 * the file of a case together. */
#include "bench/sets/sets.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bench/beff/mpi-ranks.h"
#include "bench/load/others.h"
#include "user/base/clock.h"
#include "user/base/err.h"
#include "user/base/num.h"
#include "user/base/signals.h"

struct order {
	struct mpi_file file;
	u64 size; /* request size in bytes */
};

struct part {
	struct row row; /* counters of the app layer; each MPI call is an access */
	u64 start_ns, end_ns;
	double busy_ns;
	/* -errno; 0: no error; 1: this rank opened the file, but another rank could not */
	int error;
};

struct shared {
	struct span span; /* time in which at least one rank reads */
	int stop;	  /* error of poll_sets(), which ends the run on all ranks; 0: continue */
};

static struct mpi_place place;

static int read_request(void *to, u64 bytes, struct part *p)
{
	struct shared *s = place.shared;
	u64 start = now_ns(), end;
	int ret;

	span_enter(&s->span, start);
	ret = place.library->reader->read(to, bytes);
	end = now_ns();
	span_leave(&s->span, end);
	row_add(&p->row, bytes, end - start);
	return ret;
}

/* Reads the file request by request. Checks s->stop only after a request, never before the first. A
 * collective read is a single request in which all ranks take part. A rank that skipped it would
 * block the other ranks. */
static void read_requests(const struct order *o, void *buffer, struct part *p)
{
	const struct shared *s = place.shared;
	bool stopped = false;

	p->start_ns = now_ns();
	for (u64 done = 0; done < o->file.bytes && !p->error && !stopped; done += o->size) {
		p->error = read_request(buffer, o->size, p);
		stopped = __atomic_load_n(&s->stop, __ATOMIC_RELAXED);
	}
	p->end_ns = now_ns();
}

static void obey_read(const void *order, void *part)
{
	const struct mpi_reader *reader = place.library->reader;
	const struct order *o = order;
	struct part *p = part;
	double before = others_own_ns();
	void *buffer;

	if (place.rank >= o->file.ranks)
		return;
	buffer = mmap(NULL, o->size, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	need(buffer == MAP_FAILED ? NULL : buffer);
	p->error = reader->open(&o->file, place.rank);
	reader->barrier();
	read_requests(o, buffer, p);
	reader->barrier();
	reader->close();
	munmap(buffer, o->size);
	p->busy_ns = others_own_ns() - before;
}

static void append_hint(struct beff_hints_now *h, const char *key, const char *value)
{
	struct beff_hint *hint = &h->list[h->n++];

	snprintf(hint->key, sizeof(hint->key), "%s", key);
	snprintf(hint->value, sizeof(hint->value), "%s", value);
}

static void append_size(struct beff_hints_now *h, const char *key, u64 bytes)
{
	char text[NUM_TEXT];

	append_hint(h, key, num_whole_text(text, bytes));
}

/* Adds hints that make ROMIO, an MPI-IO implementation, read the regions by data sieving or
 * two-phase reads as @r demands. Other implementations ignore the hints. */
static void romio_hints(const struct regions *r, struct beff_hints_now *h)
{
	append_hint(h, "romio_ds_read", r->buffer ? "enable" : "disable");
	if (r->buffer)
		append_size(h, "ind_rd_buffer_size", r->buffer);
	if (!r->shared)
		return;
	append_hint(h, "romio_cb_read", "enable");
	append_size(h, "cb_buffer_size", r->shared);
}

/* Fills in the message @o, by which rank 0 makes the ranks read the file of the case. The file may
 * have no name, so the path leads to descriptor @fd of this process. */
static void make_read_order(const struct sets_case *c, int fd, struct order *o)
{
	snprintf(o->file.path, sizeof(o->file.path), "/proc/%d/fd/%d", (int)getpid(), fd);
	o->file.ranks = c->procs;
	o->file.bytes = c->bytes / c->procs;
	o->file.regions = c->regions;
	o->size = c->size;
	if (c->regions.size)
		romio_hints(&c->regions, &o->file.hints);
}

static int add_up_parts(const struct part *all, u64 ranks, struct sum *app, struct others *before)
{
	const struct shared *s = place.shared;
	u64 start = all->start_ns, end = 0;

	for (u64 i = 0; i < ranks; i++) {
		if (all[i].error < 0)
			return error(all[i].error, "process %llu cannot read: %s",
				     (unsigned long long)i,
				     all[i].error == -ENODATA ? "unexpected end of file" :
								strerror(-all[i].error));
		sum_add_row(app, &all[i].row);
		start = all[i].start_ns < start ? all[i].start_ns : start;
		end = all[i].end_ns > end ? all[i].end_ns : end;
		/* Rank 0 is this process, so others_since() already leaves out its CPU time. */
		before->busy_ns += i ? all[i].busy_ns : 0;
	}
	app->elapsed_ns = end - start;
	sum_set_span(app, span_time_ns(s->span.word, now_ns()), end - start);
	return 0;
}

static int poll_sets(void *of)
{
	struct sets *s = of;

	if (s->layers.traced)
		layers_poll(&s->layers);
	return signals_pending() ? -EINTR : 0;
}

int sets_mpi_begin(struct sets *s)
{
	if (!place.shared)
		return error(-EXDEV,
			     "cannot measure processes on several machines; start all of "
			     "them on one");
	return s->layers.grouped ? mpi_enter_groups(&s->layers.session) : 0;
}

int sets_mpi_read(struct sets *s, const struct sets_case *c, int fd, struct sum *app,
		  struct others *before)
{
	struct shared *shared = place.shared;
	struct order o = {};
	struct part *all;
	int ret;

	make_read_order(c, fd, &o);
	*shared = (struct shared){};
	all = mpi_ask_watched(&o, poll_sets, s, &shared->stop);
	ret = shared->stop ?: add_up_parts(all, c->procs, app, before);
	free(all);
	return ret;
}

const char *sets_mpi_version(void)
{
	return place.library->version();
}

int sets_mpi_run(int (*lead)(void *arg, unsigned ranks), void *arg)
{
	static const struct mpi_work work = {
		.obey = obey_read,
		.order_bytes = sizeof(struct order),
		.part_bytes = sizeof(struct part),
		.shared_bytes = sizeof(struct shared),
	};

	return mpi_run(&work, &place, lead, arg);
}
