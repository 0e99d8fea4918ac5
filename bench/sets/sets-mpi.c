// SPDX-License-Identifier: GPL-2.0-or-later
#include "bench/sets/sets-mpi.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bench/beff/mpi-ranks.h"
#include "bench/load/others.h"
#include "user/base/clock.h"
#include "user/base/err.h"
#include "user/base/signals.h"

struct order {
	struct mpi_file file;
	u64 size; /* of each of a rank's requests */
};

struct part {
	struct row row; /* app layer: a call is an access */
	u64 start_ns, end_ns;
	double busy_ns;
	int error;
};

struct shared {
	struct span span; /* over all ranks */
	int asked;	  /* to end: they give it up */
};

static struct mpi_place place;

/* ---- what each rank does ---- */

static int read_one(void *to, u64 bytes, struct part *p)
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

/* All have opened it and wait for each other. */
static void read_all(const struct order *o, void *buffer, struct part *p)
{
	const struct shared *s = place.shared;

	p->start_ns = now_ns();
	for (u64 done = 0; done < o->file.bytes && !p->error; done += o->size) {
		if (__atomic_load_n(&s->asked, __ATOMIC_RELAXED))
			break;
		p->error = read_one(buffer, o->size, p);
	}
	p->end_ns = now_ns();
}

static void obey(const void *order, void *part)
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
	read_all(o, buffer, p);
	reader->barrier();
	reader->close();
	munmap(buffer, o->size);
	p->busy_ns = others_own_ns() - before;
}

/* ---- what rank 0 does ---- */

static void add_hint(struct beff_hints_now *h, const char *key, const char *value)
{
	struct beff_hint *hint = &h->list[h->n++];

	snprintf(hint->key, sizeof(hint->key), "%s", key);
	snprintf(hint->value, sizeof(hint->value), "%s", value);
}

static void add_size(struct beff_hints_now *h, const char *key, u64 bytes)
{
	char text[24];

	snprintf(text, sizeof(text), "%llu", (unsigned long long)bytes);
	add_hint(h, key, text);
}

/* ROMIO's, of regions; who knows none of them goes on as it likes. */
static void set_hints(const struct regions *r, struct beff_hints_now *h)
{
	add_hint(h, "romio_ds_read", r->buffer ? "enable" : "disable");
	if (r->buffer)
		add_size(h, "ind_rd_buffer_size", r->buffer);
	if (!r->shared)
		return;
	add_hint(h, "romio_cb_read", "enable");
	add_size(h, "cb_buffer_size", r->shared);
}

/* A file that may have no name has one in this process. */
static void make_order(const struct sets_case *c, int fd, struct order *o)
{
	snprintf(o->file.path, sizeof(o->file.path), "/proc/%d/fd/%d", (int)getpid(), fd);
	o->file.ranks = c->procs;
	o->file.bytes = c->bytes / c->procs;
	o->file.regions = c->regions;
	o->size = c->size;
	if (c->regions.size)
		set_hints(&c->regions, &o->file.hints);
}

static int gather(const struct part *all, u64 ranks, struct sum *app, struct others *before)
{
	const struct shared *s = place.shared;
	u64 start = all->start_ns, end = 0;

	for (u64 i = 0; i < ranks; i++) {
		if (all[i].error)
			return error(all[i].error, "process %llu cannot read: %s",
				     (unsigned long long)i,
				     all[i].error == -ENODATA ? "it ends too soon" :
								strerror(-all[i].error));
		sum_add_row(app, &all[i].row);
		start = all[i].start_ns < start ? all[i].start_ns : start;
		end = all[i].end_ns > end ? all[i].end_ns : end;
		before->busy_ns += i ? all[i].busy_ns : 0; /* this one is told apart */
	}
	app->elapsed_ns = end - start;
	sum_set_span(app, span_time_ns(s->span.word, now_ns()), end - start);
	return 0;
}

static int look(void *of)
{
	struct sets *s = of;

	if (s->layers.traced)
		layers_poll(&s->layers);
	return signals_pending() ? -EINTR : 0;
}

int sets_mpi_begin(struct sets *s)
{
	if (!place.shared)
		return error(-EXDEV, "the processes are on several machines; one is measured");
	return s->layers.grouped ? mpi_enter_groups(&s->layers.session) : 0;
}

int sets_mpi_read(struct sets *s, const struct sets_case *c, int fd, struct sum *app,
		  struct others *before)
{
	struct shared *shared = place.shared;
	struct order o = {};
	struct part *all;
	int ret;

	make_order(c, fd, &o);
	*shared = (struct shared){};
	all = mpi_ask_watched(&o, look, s, &shared->asked);
	ret = shared->asked ?: gather(all, c->procs, app, before);
	free(all);
	return ret;
}

void sets_mpi_end(void)
{
	mpi_leave_groups();
}

const char *sets_mpi_version(void)
{
	return place.library->version();
}

int sets_mpi_run(int (*lead)(void *arg, unsigned ranks), void *arg)
{
	static const struct mpi_work work = {
		.obey = obey,
		.order_bytes = sizeof(struct order),
		.part_bytes = sizeof(struct part),
		.shared_bytes = sizeof(struct shared),
	};

	return mpi_run(&work, &place, lead, arg);
}
