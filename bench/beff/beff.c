// SPDX-License-Identifier: GPL-2.0-or-later
/* Runs b_eff_io: chooses the steps, and collects their results. A partition is a group of
 * processes, called ranks. In a step, the ranks open, check or close their files, or run a pattern:
 * repeated I/O calls with one chunk size. A node is a machine on which ranks run. */
#include "bench/beff/beff.h"

#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "bench/guard/guard.h"
#include "user/base/clock.h"
#include "user/base/err.h"
#include "user/base/need.h"
#include "user/base/num.h"
#include "user/kernel/feature.h"
#include "user/base/signals.h"

#define SPARE 5 /* a run leaves this percentage of the free space of the target unused */

static u64 least_bytes(const struct beff *b)
{
	u64 bytes = 0;

	for (unsigned i = 0; i < b->partitions_n; i++) {
		struct beff_shape s = b->partitions[i].shape;

		for (unsigned p = 0; p < BEFF_PATTERNS; p++) {
			s.repetitions[p] = 1;
			bytes += s.ranks * beff_bytes_of(&s, p);
		}
	}
	return bytes;
}

/* Checks that files can be created in the target, and that the target has enough free space. */
static int check_target(struct beff *b)
{
	const struct guard_options o = { .write = true, .bytes = least_bytes(b) };
	struct guard g;
	int ret = workdir_open(&b->workdir, b->target);

	if (ret)
		return ret;
	ret = guard_open_at(b->target, b->workdir.above, &o, &g);
	guard_close(&g);
	return ret;
}

static int make_directory(struct beff *b)
{
	char name[64];
	int ret;

	snprintf(name, sizeof(name), "iospan-beff-%d-%llx", (int)getpid(),
		 (unsigned long long)now_ns());
	b->setup.dir = need_text("%s/%s", b->target, name);
	ret = workdir_make(&b->workdir, b->target, name, b->keep);
	b->setup.fd = b->workdir.fd;
	b->setup.path = need_text("/proc/self/fd/%d", b->setup.fd);
	return ret;
}

/* Returns the free space of the target in bytes, or ~0 if the file system of the target has no size
 * limit. */
static u64 free_bytes(const struct beff *b)
{
	struct statvfs fs;

	return fstatvfs(b->workdir.above, &fs) || !fs.f_blocks ? ~0ULL :
								 (u64)fs.f_bavail * fs.f_frsize;
}

static int poll_run(void *arg)
{
	struct beff *b = arg;
	char room[NUM_TEXT];

	if (b->traced)
		layers_poll(&b->layers);
	if (signals_came(b->signals, &b->asked_ns))
		return -EINTR;
	if (free_bytes(b) / SPARE >= b->free_bytes / 100)
		return 0;
	return error(-ENOSPC,
		     "cannot write more to '%s': %s were free, of which %d %% are kept for other "
		     "programs; give a target with more room, or a shorter --duration, or a "
		     "smaller --memory for smaller chunks",
		     b->target, num_bytes_text(room, b->free_bytes), SPARE);
}

static struct beff_step make_step(const struct beff *b, enum beff_what what,
				  enum beff_access access, const struct beff_partition *p,
				  enum beff_type type)
{
	bool rewritten = beff_runs(BEFF_REWRITE, type, b->rewrite_all);

	return (struct beff_step){
		.what = what,
		.access = access,
		.type = type,
		.written = access == BEFF_READ && rewritten ? BEFF_REWRITE :
			access == BEFF_READ		    ? BEFF_WRITE :
							      access,
		.partition = p - b->partitions,
		.shape = p->shape,
	};
}

static int run_step(struct beff *b, const struct beff_step *step, struct beff_outcome *out,
		    struct sum *app)
{
	return b->engine->step(b->ranks, step, poll_run, b, out, app);
}

/* Returns the time limit of a pattern in ns; 0: no limit. Writing has a time limit for the types
 * scatter, shared and separated. The numbers of repetitions of all other patterns follow from the
 * repetitions of these writes. If b->repeated is true, all numbers of repetitions come from an
 * earlier result, so there is no time limit. */
static u64 time_limit(const struct beff *b, enum beff_access access, unsigned pattern)
{
	const struct beff_pattern *p = &beff_patterns[pattern];

	if (access != BEFF_WRITE || p->type >= BEFF_SEGMENTED || b->repeated)
		return 0;
	return beff_scheduled_ns(b, p->units);
}

static int measure_step(struct beff *b, struct beff_step *step, struct beff_cell *c)
{
	const struct beff_shape *shape = &step->shape;
	struct sum app;
	int ret = b->traced ? layers_attach(&b->layers) : 0;

	step->hints = beff_hints_for(&b->hints, shape->ranks, step->access, step->type,
				     beff_patterns[step->pattern].chunk);
	if (!ret)
		ret = run_step(b, step, &c->of, &app);
	if (!ret && b->traced)
		ret = layers_measure(&b->layers);
	if (ret) {
		c->of = (struct beff_outcome){};
		return ret;
	}
	c->bytes = c->of.repetitions * beff_call(shape, step->pattern) * shape->ranks;
	beff_set_layers(c, layers_last_json(b->traced ? &b->layers : NULL, &app));
	return 0;
}

static int run_pattern(struct beff *b, enum beff_access access, struct beff_partition *p,
		       unsigned pattern)
{
	struct beff_step step = make_step(b, BEFF_RUN, access, p, beff_patterns[pattern].type);
	struct beff_cell *c = &p->cells[access][pattern];
	int ret;

	step.pattern = pattern;
	step.time_ns = time_limit(b, access, pattern);
	ret = measure_step(b, &step, c);
	if (!ret)
		p->shape.repetitions[pattern] = c->of.repetitions;
	return ret;
}

static int open_or_close(struct beff *b, enum beff_what what, enum beff_access access,
			 struct beff_partition *p, enum beff_type type, u64 *ns)
{
	struct beff_step step = make_step(b, what, access, p, type);
	struct beff_outcome out;
	struct sum app;
	int ret;

	step.hints = beff_hints_for(&b->hints, p->shape.ranks, access, type, BEFF_CHUNKS);
	ret = run_step(b, &step, &out, &app);
	*ns = ret ? 0 : out.ns;
	return ret;
}

static int run_type(struct beff *b, enum beff_access access, struct beff_partition *p,
		    enum beff_type type)
{
	struct beff_total *t = &p->totals[access][type];
	int ret;

	if (access == BEFF_WRITE && type == BEFF_SEGMENTED)
		beff_segment(p->shape.repetitions, p->shape.mpart, &p->shape.segment,
			     &p->shape.filler);
	ret = open_or_close(b, BEFF_OPEN, access, p, type, &t->open_ns);
	for (unsigned i = 0; i < BEFF_PATTERNS && !ret; i++) {
		if (beff_patterns[i].type != type)
			continue;
		p->shape.repetitions[i] = p->shape.repetitions[i] ?:
			1; /* a pattern without time in the schedule (U = 0) runs once */
		ret = run_pattern(b, access, p, i);
		if (!ret && b->progress)
			b->progress(b, p, access, i);
	}
	if (!ret)
		ret = open_or_close(b, BEFF_CLOSE, access, p, type, &t->close_ns);
	t->done = !ret;
	return ret;
}

static int run_access(struct beff *b, enum beff_access access, struct beff_partition *p)
{
	int ret = 0;

	for (enum beff_type type = 0; type < BEFF_TYPES && !ret; type++)
		if (beff_runs(access, type, b->rewrite_all))
			ret = run_type(b, access, p, type);
	return ret;
}

/* Runs the patterns of an extension (accesses that the b_eff_io paper does not define). Each
 * pattern has the scheduled time of a pattern with weight 1 (U = 1). A write puts the same data
 * into the file as before, so the final check stays valid. */
static int run_extension(struct beff *b, struct beff_partition *p, enum beff_extension extension)
{
	enum beff_type type = beff_extension_type(extension);
	enum beff_access access = beff_extension_access(extension);
	struct beff_step step = make_step(b, BEFF_RUN, BEFF_READ, p, type);
	u64 ns;
	int ret = open_or_close(b, BEFF_OPEN, access, p, type, &ns);

	step.access = access;
	step.extension = extension;
	step.time_ns = beff_scheduled_ns(b, 1);
	for (unsigned i = 0; i < BEFF_EXTENDED && !ret; i++) {
		step.pattern = beff_find(type, beff_extended[i]);
		ret = measure_step(b, &step, &p->extended[extension][i]);
	}
	return ret ?: open_or_close(b, BEFF_CLOSE, access, p, type, &ns);
}

static int run_extensions(struct beff *b)
{
	int ret = 0;

	for (unsigned i = 0; i < b->partitions_n; i++)
		for (enum beff_extension e = BEFF_RANDOM; e < BEFF_EXTENSIONS && !ret; e++)
			ret = run_extension(b, &b->partitions[i], e);
	return ret;
}

static int check_partition(struct beff *b, struct beff_partition *p)
{
	int ret = 0;

	for (enum beff_type type = 0; type < BEFF_TYPES && !ret; type++) {
		struct beff_step step = make_step(b, BEFF_CHECK, BEFF_READ, p, type);
		struct beff_outcome out;
		struct sum app;

		ret = run_step(b, &step, &out, &app);
		if (ret)
			break;
		p->wrong += out.errors;
		p->checked_bytes += out.checked_bytes;
	}
	return ret;
}

static int check_partitions(struct beff *b)
{
	u64 start = now_ns();
	int ret = 0;

	for (unsigned i = 0; i < b->partitions_n && !ret; i++)
		ret = check_partition(b, &b->partitions[i]);
	b->check_ns = now_ns() - start;
	return ret;
}

static int run_steps(struct beff *b)
{
	int ret = 0;

	for (enum beff_access access = 0; access < BEFF_ACCESSES; access++)
		for (unsigned i = 0; i < b->partitions_n && !ret; i++)
			ret = run_access(b, access, &b->partitions[i]);
	if (!ret && b->extend)
		ret = run_extensions(b);
	return !ret && b->check ? check_partitions(b) : ret;
}

/* Returns the reason why the vfs and device layers of this run cannot be measured; NULL: they can
 * be measured. */
static const char *why_untraced(const struct beff *b)
{
	const char *why = b->engine->untraced ? b->engine->untraced() : NULL;

	return why ?: features_check() ? "this kernel cannot be traced, or not by this user" : NULL;
}

/* Sets the nodes of all ranks to this machine. Only MPI starts ranks on other machines. */
static void set_nodes(struct beff_setup *s)
{
	s->nodes = need(calloc(s->ranks, sizeof(*s->nodes)));
	s->nodes[0] = beff_this_node();
	for (unsigned i = 1; i < s->ranks; i++)
		s->nodes[i] = s->nodes[0];
}

static void count_nodes(const struct beff_node *of, struct beff_partition *p)
{
	p->nodes = p->node_ranks = 0;
	for (unsigned i = 0; i < p->shape.ranks; i++) {
		u64 n;

		if (!beff_node_is_first(of, i))
			continue;
		n = beff_node_ranks(of, p->shape.ranks, i);
		p->nodes++;
		p->node_ranks = n > p->node_ranks ? n : p->node_ranks;
	}
}

static int prepare_run(struct beff *b)
{
	int ret;

	b->signals = signals_catch(0, &b->before);
	b->free_bytes = free_bytes(b);
	ret = b->signals < 0 ? b->signals : make_directory(b);
	if (ret)
		return ret;
	b->untraced = why_untraced(b);
	b->traced = !b->untraced;
	if (!b->traced)
		warn("only the app layer is measured: %s", b->untraced);
	else if ((ret = layers_begin(&b->layers)))
		return ret;
	set_nodes(&b->setup);
	b->ranks = b->engine->begin(&b->setup, b->traced ? &b->layers.session : NULL);
	if (!b->ranks)
		return -ECHILD;
	b->cache_bytes = beff_nodes_cache(b->setup.nodes, b->setup.ranks);
	for (unsigned i = 0; i < b->partitions_n; i++)
		count_nodes(b->setup.nodes, &b->partitions[i]);
	return b->traced ? layers_attach(&b->layers) : 0;
}

int beff_run(struct beff *b)
{
	u64 start = now_ns();
	int ret = check_target(b);

	b->signals = -1;
	if (!ret && b->engine->check)
		ret = b->engine->check(b->target, &b->hints);
	if (!ret)
		ret = prepare_run(b) ?: run_steps(b);
	b->engine->end(b->ranks);
	b->end = !ret ? BEFF_DONE : ret == -EINTR ? BEFF_SIGNAL : BEFF_ERROR;
	b->elapsed_ns = now_ns() - start;
	beff_compute(b);
	return b->partitions[0].cells[BEFF_WRITE][0].bytes ? 0 : ret;
}

int beff_release(struct beff *b)
{
	int ret = b->traced ? layers_end(&b->layers) : 0, left = workdir_close(&b->workdir);

	if (left == -EINTR)
		warn("'%s' is still being removed", b->setup.dir);
	else if (left < 0)
		ret = error(left,
			    "cannot remove '%s': it is in use or was moved; remove what is left "
			    "of it by hand",
			    b->setup.dir);
	if (b->signals >= 0)
		signals_release(b->signals, &b->before);
	beff_forget(b);
	free(b->setup.dir);
	free(b->setup.path);
	free(b->setup.nodes);
	return ret;
}
