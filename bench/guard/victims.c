// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds the victims of a write to the target: the disks and files that share bytes with it.
 *
 * The search starts with the target. For each victim, it adds the disks and files directly related
 * to the victim:
 *
 *   partition           its disk
 *   loop device         its backing file
 *   stacked disk        the disks below
 *   file of an overlay  the file that stores its data
 *
 * The search follows these relations in the other direction, too. It goes from a disk to a stacked
 * disk above only if the stacked disk is linear. The search adds no bytes twice, so it ends. */
#include "bench/guard/victims.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include "bench/guard/inode.h"
#include "bench/guard/segments.h"
#include "user/base/err.h"

static long long shifted(long long at, long long by)
{
	return at == LLONG_MAX || (by > 0 && at > LLONG_MAX - by) ? LLONG_MAX : at + by;
}

static bool is_same(const struct victim *a, const struct victim *b)
{
	if (a->file && b->file && !(a->inode && b->inode))
		return !strcmp(a->name, b->name);
	return a->file == b->file && a->dev == b->dev && a->inode == b->inode;
}

static bool is_known(const struct victims *v, const struct victim *new)
{
	for (unsigned i = 0; i < v->n; i++)
		if (is_same(&v->at[i], new) && v->at[i].from <= new->from &&new->to <= v->at[i].to)
			return true;
	return false;
}

static void add(struct victims *v, const struct victim *new)
{
	v->at = need(realloc(v->at, (v->n + 1) * sizeof(*v->at)));
	v->at[v->n++] = *new;
}

/* Adds the victim @new, which has relation @r to victim @i. Does nothing if the bytes of @new were
 * added before. */
static void add_neighbour(struct victims *v, unsigned i, enum relation r, struct victim *new)
{
	const struct victim *source = &v->at[i];
	bool same = r == VICTIM_PARTITION || r == VICTIM_WHOLE || r == VICTIM_REAL;

	if (new->from >= new->to || is_known(v, new))
		return;
	new->source = i;
	new->own = same && source->own;
	new->held |= same && source->held;
	new->relation = r == VICTIM_ABOVE || !i || (r == VICTIM_BELOW && source->relation == r) ?
		r :
		VICTIM_OTHER;
	add(v, new);
}

/* Adds @neighbour, which shares bytes with victim @i and has relation @r to it. Byte B of victim @i
 * is byte B + @shift of @neighbour. Only the bytes @low to @high of @neighbour are shared. */
static void reach(struct victims *v, unsigned i, enum relation r, const struct victim *neighbour,
		  long long shift, long long low, long long high)
{
	struct victim new = *neighbour;

	new.from = shifted(v->at[i].from, shift);
	new.to = shifted(v->at[i].to, shift);
	if (new.from < low)
		new.from = low;
	if (new.to > high)
		new.to = high;
	add_neighbour(v, i, r, &new);
}

/* Adds all bytes of @neighbour, because it is unknown which bytes it shares with victim @i. */
static void reach_all(struct victims *v, unsigned i, enum relation r,
		      const struct victim *neighbour)
{
	struct victim new = *neighbour;

	new.from = 0;
	new.to = LLONG_MAX;
	add_neighbour(v, i, r, &new);
}

static struct victim device(dev_t dev, const char *name)
{
	struct victim d = { .dev = dev };

	snprintf(d.name, sizeof(d.name), "%.*s", DISK_NAME - 1, name);
	return d;
}

/* Reads the start and size of a partition on its disk, in bytes. If sysfs does not show them, uses
 * the whole disk, because the partition may be anywhere on it. */
static void read_place(const struct disk *d, const char *partition, long long *start,
		       long long *size)
{
	char file[DISK_NAME + 8];

	snprintf(file, sizeof(file), "%s/start", partition);
	if (!disk_number(d, file, start))
		*start = 0;
	snprintf(file, sizeof(file), "%s/size", partition);
	if (!disk_number(d, file, size))
		*size = LLONG_MAX >> 9;
	*start <<= 9;
	*size <<= 9;
}

static void reach_partitions(struct victims *v, unsigned i, const struct disk *d)
{
	char parts[DISK_PARTS][DISK_NAME];
	unsigned n = disk_partitions(d, parts, DISK_PARTS);

	if (!i)
		v->use->has_partitions = n;
	for (unsigned p = 0; p < n && p < DISK_PARTS; p++) {
		long long start, size;
		struct victim part;
		dev_t dev;

		if (!disk_partition_dev(d, parts[p], &dev))
			continue;
		read_place(d, parts[p], &start, &size);
		part = device(dev, parts[p]);
		reach(v, i, VICTIM_PARTITION, &part, -start, 0, size);
	}
}

static bool has_segment(const struct victims *v, dev_t dev)
{
	for (unsigned n = 0; n < v->segments_n; n++)
		if (v->segments[n].dev == dev)
			return true;
	return false;
}

/* Adds all bytes of the disks below a stacked disk, because any of these bytes may store data of
 * the stacked disk. */
static void reach_slaves(struct victims *v, unsigned i, const struct disk *d)
{
	char slaves[DISK_PARTS][DISK_NAME];
	unsigned n = disk_list(d, "slaves", slaves, DISK_PARTS);

	for (unsigned s = 0; s < n && s < DISK_PARTS; s++) {
		struct victim slave;
		struct disk below;
		dev_t dev;

		if (disk_by_name(v->host, slaves[s], &below))
			continue;
		dev = below.dev;
		if (below.partition[0] && !disk_partition_dev(&below, slaves[s], &dev))
			continue;
		slave = device(dev, slaves[s]);
		slave.held = true;
		reach_all(v, i, VICTIM_BELOW, &slave);
	}
}

static void reach_disks(struct victims *v, unsigned i)
{
	long long start, size;
	struct victim whole;
	struct disk d;

	if (disk_by_dev(v->host, v->at[i].dev, &d))
		/* sysfs does not show this disk, for instance in a container, so the search ends
		 * here. The exclusive open in guard.c still detects users of this disk. */
		return;
	if (d.partition[0]) {
		read_place(&d, d.partition, &start, &size);
		whole = device(d.dev, d.name);
		reach(v, i, VICTIM_WHOLE, &whole, start, start, shifted(start, size));
		return;
	}
	reach_partitions(v, i, &d);
	if (!has_segment(v, d.dev))
		reach_slaves(v, i, &d);
}

static void reach_segment(struct victims *v, unsigned i, const struct segment *s)
{
	bool below = !v->at[i].file && v->at[i].dev == s->dev;
	long long shift = s->offset - s->start;
	struct victim above;

	if (below && s->scattered)
		reach_all(v, i, VICTIM_BELOW, &s->backing);
	else if (below)
		reach(v, i, VICTIM_BELOW, &s->backing, shift, s->offset,
		      shifted(s->size, s->offset));
	if (!is_same(&s->backing, &v->at[i]))
		return;
	above = device(s->dev, s->name);
	if (s->scattered)
		reach_all(v, i, VICTIM_ABOVE, &above);
	else
		reach(v, i, VICTIM_ABOVE, &above, -shift, s->start, shifted(s->size, s->start));
}

static void reach_neighbours(struct victims *v, unsigned i)
{
	struct victim real = v->at[i];

	if (!real.file)
		reach_disks(v, i);
	else if (file_enter_layer(v->host, &real))
		reach(v, i, VICTIM_REAL, &real, 0, 0, LLONG_MAX);
	for (unsigned n = 0; n < v->segments_n; n++)
		reach_segment(v, i, &v->segments[n]);
}

void victims_find(struct victims *v, const struct victim *target)
{
	struct disk d;

	segments_read(v);
	add(v, target);
	v->at[0].own = true;
	v->at[0].to = LLONG_MAX;
	if (!target->file && !disk_by_dev(v->host, target->dev, &d))
		snprintf(v->at[0].name, PATH_MAX, "%s", d.partition[0] ? d.partition : d.name);
	for (unsigned i = 0; i < v->n; i++)
		reach_neighbours(v, i);
}

void victims_release(struct victims *v)
{
	free(v->at);
	free(v->segments);
}

void victims_add_segment(struct victims *v, const struct segment *s)
{
	v->segments = need(realloc(v->segments, (v->segments_n + 1) * sizeof(*s)));
	v->segments[v->segments_n++] = *s;
}

int victim_by_dev(const struct victims *v, dev_t dev)
{
	for (unsigned i = 0; i < v->n; i++)
		if (!v->at[i].file && v->at[i].dev == dev)
			return i;
	return -1;
}

int victim_by_statx(const struct victims *v, const struct statx *st)
{
	if (S_ISBLK(st->stx_mode))
		return victim_by_dev(v, makedev(st->stx_rdev_major, st->stx_rdev_minor));
	for (unsigned i = 0; i < v->n; i++)
		if (v->at[i].file && v->at[i].inode && file_is(&v->at[i], st))
			return i;
	return -1;
}

int victim_by_path(const struct victims *v, const char *path)
{
	struct statx st;

	return file_stat(v->host, path, &st) ? victim_by_statx(v, &st) : -1;
}

bool victim_is(struct victims *v, int i, const char *fmt, ...)
{
	static const char *const words[] = {
		[VICTIM_PARTITION] = "has partition", [VICTIM_WHOLE] = "is a partition of",
		[VICTIM_REAL] = "is stored in",	      [VICTIM_BELOW] = "is made of",
		[VICTIM_ABOVE] = "has bytes of",      [VICTIM_OTHER] = "has bytes of",
	};
	const char *name = v->at[i].name[0] ? v->at[i].name : "a file with a long path";
	va_list args;
	int n = 0;

	if (i)
		n = snprintf(v->use->why, GUARD_WHY, "%s '%.200s', which ",
			     words[v->at[i].relation], name);
	va_start(args, fmt);
	vsnprintf(v->use->why + n, GUARD_WHY - n, fmt, args);
	va_end(args);
	return true;
}
