// SPDX-License-Identifier: GPL-2.0-or-later
/* Plans the sets (He, Sun, Yin 2013, section IV.C). Each set uses less data than in the paper if
 * the data would not fit on the target or into memory. */
#include "bench/sets/sets.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "bench/load/target.h"
#include "user/base/err.h"
#include "user/base/need.h"
#include "user/base/num.h"

#define KIB 1024ULL
#define MIB (1024 * KIB)
#define GIB (1024 * MIB)
/* Amounts of data are multiples of CUT, so that they divide evenly into requests of each size, and
 * among up to 32 processes. */
#define CUT (8 * MIB)
#define LEAST_SCALE (1.0 / 4096)
/* largest request in bytes, because MPI returns the bytes of a request as an int */
#define MOST_CALL GIB
#define MOST_PROCS 32
#define MOST_FILES 8 /* maximum number of processes that read a file of their own */
#define REGIONS 4096000
#define BUFFERS 4 /* all buffers together may take 1 / BUFFERS of the memory */

const char *const sets_names[SETS_KINDS] = { "1", "2", "3", "3c", "3b", "4", "exec", "results" };
const char *const sets_titles[SETS_KINDS] = {
	"devices",
	"request size",
	"processes, one file on each target",
	"processes, one file each on the same target (not in the paper)",
	"processes, one shared file",
	"data sieving",
	"commands",
	"earlier results",
};

const char *const sets_ways[SETS_WAYS] = { "alone", "sieving", "collective" };

enum sets_way sets_way_of(const struct regions *r)
{
	return r->shared ? SETS_COLLECTIVE : r->buffer ? SETS_SIEVED : SETS_ALONE;
}

static u64 scaled_bytes(double scale, double bytes)
{
	u64 n = bytes * scale / CUT;

	return (n ? n : 1) * CUT;
}

static bool is_directory(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISDIR(st.st_mode);
}

bool sets_share_room(const char *one, const char *other)
{
	struct stat a, b;

	if (!strcmp(one, other))
		return true;
	return !stat(one, &a) && !stat(other, &b) && S_ISDIR(a.st_mode) && S_ISDIR(b.st_mode) &&
		a.st_dev == b.st_dev;
}

struct sets_experiment *sets_add(struct sets *s, enum sets_kind kind)
{
	s->list = need(reallocarray(s->list, s->n + 1, sizeof(*s->list)));
	s->list[s->n] = (struct sets_experiment){ .kind = kind };
	return &s->list[s->n++];
}

static void add_files(struct sets_experiment *e, char *name, unsigned n)
{
	e->files = need(reallocarray(e->files, e->files_n + n + 1, sizeof(*e->files)));
	e->bytes = need(reallocarray(e->bytes, e->files_n + n, sizeof(*e->bytes)));
	for (unsigned i = 0; i < n; i++) {
		e->files[e->files_n] = name;
		e->bytes[e->files_n++] = 0;
	}
	e->files[e->files_n] = NULL;
}

struct sets_case *sets_add_case(struct sets_experiment *e, char *name)
{
	e->cases = need(reallocarray(e->cases, e->cases_n + 1, sizeof(*e->cases)));
	e->cases[e->cases_n] = (struct sets_case){ .name = name };
	return &e->cases[e->cases_n++];
}

static struct sets_case *add_load(struct sets_experiment *e, char *name, u64 procs, u64 size,
				  u64 bytes)
{
	struct sets_case *c = sets_add_case(e, name);

	c->files = 1;
	c->procs = procs;
	c->size = size;
	c->bytes = bytes;
	return c;
}

static char *size_name(u64 bytes)
{
	char text[NUM_TEXT];

	return need_text("%s", num_size_arg(text, bytes));
}

/* Returns a text such as "1 process" or "2 processes". The caller frees it. */
static char *procs_name(u64 n)
{
	return need_text("%llu process%s", (unsigned long long)n, n > 1 ? "es" : "");
}

static void plan_devices(struct sets *s, struct sets_experiment *e, double scale)
{
	for (char *const *target = s->targets; *target; target++) {
		struct sets_case *c = add_load(e, need_text("%s", *target), 1, s->how.size,
					       scaled_bytes(scale, 64.0 * GIB));

		c->first = e->files_n;
		add_files(e, *target, 1);
	}
}

static void plan_sizes(struct sets_experiment *e, char *target, double scale)
{
	for (u64 size = 4 * KIB; size <= 8 * MIB; size *= 2)
		add_load(e, size_name(size), 1, size, scaled_bytes(scale, 16.0 * GIB));
	add_files(e, target, 1);
}

/* Plans set 3, 3c or 3b. Each case has twice the number of processes of the case before. In set 3,
 * each process reads a file on a target of its own. In set 3c, all processes use the first of
 * @targets. If it is a directory, each process reads a file of its own there, otherwise a part of
 * the target. In set 3b, all processes share one file on this target. */
static void plan_processes(struct sets *s, struct sets_experiment *e, char *const *targets,
			   double scale)
{
	bool each = e->kind == SETS_FILES || (e->kind == SETS_CONTENDED && is_directory(*targets));
	u64 most = e->kind == SETS_SHARED ? MOST_PROCS : MOST_FILES;

	for (unsigned i = 0; e->kind == SETS_FILES && i < MOST_FILES && targets[i]; i++)
		add_files(e, targets[i], 1);
	if (e->files_n)
		most = e->files_n;
	else
		add_files(e, *targets, each ? most : 1);
	if (s->how.ranks && s->how.ranks < most)
		most = s->how.ranks;
	for (u64 procs = 1; procs <= most; procs *= 2) {
		struct sets_case *c = add_load(e, procs_name(procs), procs, s->how.size,
					       scaled_bytes(scale, 32.0 * GIB));

		c->files = each ? procs : 1;
	}
}

/* Returns the size of the file that the case needs, including the holes between the regions. */
static u64 file_bytes_needed(const struct sets_case *c)
{
	const struct regions *r = &c->regions;

	return r->size ? c->bytes / r->size * (r->size + r->spacing) : c->bytes / c->files;
}

static void size_files(struct sets_experiment *e)
{
	for (unsigned i = 0; i < e->cases_n; i++) {
		const struct sets_case *c = &e->cases[i];

		for (unsigned f = c->first; f < c->first + c->files; f++)
			if (e->bytes[f] < file_bytes_needed(c))
				e->bytes[f] = file_bytes_needed(c);
	}
}

/* Plans set 4. Its cases differ in the size of the holes between the regions that are read. All
 * cases read the same amount. At full scale, each process reads REGIONS regions, as in HPIO. */
static void plan_sieving(struct sets *s, char *target, double scale, enum sets_way way)
{
	struct sets_experiment *e = sets_add(s, SETS_SIEVING);
	u64 procs = s->how.procs, each = REGIONS * scale;

	each = each ? each : 1;
	for (u64 spacing = 8; spacing <= 4096; spacing *= 2) {
		struct sets_case *c = add_load(e, size_name(spacing), procs, each * s->how.region,
					       each * s->how.region * procs);

		c->regions = (struct regions){
			s->how.region,
			spacing,
			way == SETS_ALONE ? 0 : s->how.buffer,
			way == SETS_COLLECTIVE ? s->how.collective_bytes : 0,
		};
	}
	add_files(e, target, 1);
	size_files(e);
}

static void plan_set(struct sets *s, enum sets_kind kind, char *const *targets, double scale)
{
	struct sets_experiment *e;

	for (enum sets_way way = 0; kind == SETS_SIEVING && way < SETS_WAYS; way++)
		if (s->how.each_way || way == (s->how.collective ? SETS_COLLECTIVE : SETS_SIEVED))
			plan_sieving(s, *targets, scale, way);
	if (kind == SETS_SIEVING)
		return;
	e = sets_add(s, kind);
	if (kind == SETS_DEVICES)
		plan_devices(s, e, scale);
	else if (kind == SETS_SIZES)
		plan_sizes(e, *targets, scale);
	else
		plan_processes(s, e, targets, scale);
	size_files(e);
}

static bool has_memory(const struct sets_experiment *e)
{
	const struct sets_case *c = e->cases;
	u64 there = room_in_cache(0) / BUFFERS;

	return (c->size + c->regions.buffer + c->regions.shared) * c->procs <= there;
}

/* Prints why the set @e cannot run: its requests or its buffers are too large. Returns -errno. */
static int size_error(const struct sets *s, const struct sets_experiment *e)
{
	bool sieving = e->kind == SETS_SIEVING;
	char text[NUM_TEXT], most[NUM_TEXT];

	if (e->cases->size > MOST_CALL)
		return error(-EFBIG,
			     "set %s at scale %g has requests of %s, and %s is the most; give a "
			     "smaller %s",
			     sets_names[e->kind], s->how.scale,
			     num_bytes_text(text, e->cases->size), num_bytes_text(most, MOST_CALL),
			     sieving ? "--scale or --region" : "--size");
	return error(-ENOMEM,
		     "not enough memory for set %s: the buffers may take %s; give a smaller %s",
		     sets_names[e->kind], num_bytes_text(text, room_in_cache(0) / BUFFERS),
		     sieving ? "--scale, --region, --procs or buffer" : "--size");
}

/* Returns 1 if the space on @target and the memory are enough for the set @e. If they are not
 * enough, returns 0, or if @says is true, prints an error and returns -errno. If the space is
 * unknown, also prints an error and returns -errno. */
static int has_room(const struct sets *s, const struct sets_experiment *e, const char *target,
		    bool says)
{
	static const char remedy[] = "give a smaller --scale or another target";
	u64 there, needed = 0;
	int ret = room_on_target(target, &there);
	char wanted[NUM_TEXT], room[NUM_TEXT];

	for (unsigned i = 0; i < e->files_n; i++)
		if (sets_share_room(e->files[i], target))
			needed += e->bytes[i];
	if (ret || (needed <= there && e->cases->size <= MOST_CALL && has_memory(e)))
		return ret ?: 1;
	if (says && needed > there)
		return error(-ENOSPC,
			     "not enough room on '%s': set %s at scale %g needs %s, and %s may be "
			     "used; %s",
			     target, sets_names[e->kind], s->how.scale,
			     num_bytes_text(wanted, needed), num_bytes_text(room, there), remedy);
	return says ? size_error(s, e) : 0;
}

static int have_room(const struct sets *s, bool says)
{
	int ret = 1;

	for (unsigned i = 0; i < s->n && ret > 0; i++)
		for (char *const *t = s->targets; *t && ret > 0; t++)
			ret = has_room(s, &s->list[i], *t, says);
	return ret;
}

static void experiment_forget(struct sets_experiment *e)
{
	for (unsigned i = 0; i < e->cases_n; i++) {
		struct sets_case *c = &e->cases[i];

		for (unsigned k = 0; k < c->runs_n; k++) {
			out_free(c->runs[k].layers);
			out_free(c->runs[k].evidence);
			free(c->runs[k].file);
		}
		free(c->runs);
		free(c->name);
	}
	free(e->cases);
	free(e->files);
	free(e->bytes);
}

void sets_forget(struct sets *s)
{
	for (unsigned i = 0; i < s->n; i++)
		experiment_forget(&s->list[i]);
	free(s->list);
	s->list = NULL;
	s->n = 0;
}

static int plan_all(struct sets *s, unsigned kinds, double scale)
{
	sets_forget(s);
	for (enum sets_kind kind = 0; kind < SETS_COMMANDS; kind++)
		for (char *const *t = s->targets; kinds & 1u << kind && *t; t++) {
			plan_set(s, kind, t, scale);
			if (SETS_OF_ALL_TARGETS & 1u << kind)
				break;
		}
	return have_room(s, false);
}

int sets_plan(struct sets *s, unsigned kinds)
{
	bool given = s->how.scale > 0;
	double scale = given ? s->how.scale : 1;
	int ret = plan_all(s, kinds, scale);

	while (!ret && !given && scale > LEAST_SCALE) {
		scale /= 2;
		ret = plan_all(s, kinds, scale);
	}
	s->how.scale = scale;
	if (!ret)
		ret = have_room(s, true);
	return ret < 0 ? ret : 0;
}
