// SPDX-License-Identifier: GPL-2.0-or-later
/* Makes accesses from the events of blktrace: finds the two events that start and end an access.
 * At the device layer, an access is a request, from its issue (D) to its completion (C). A bio
 * that was merged into the request (M, F) is no access. On a disk without requests, and with
 * --layer vfs or app, an access is a bio, from its queueing (Q) to its C. A flight is a bio or
 * request in flight; its key is kind, device and sector. */
#include <stdlib.h>
#include <string.h>

#include "bpf/event.h"
#include "user/base/err.h"
#include "tools/import/blkparse.h"
#include "tools/import/import.h"
#include "user/host/dev.h"

#define DISKS 4096

void pairing_release(struct pairing *p)
{
	flights_free(p->flights);
	free(p->disks);
}

/* Returns the disk with device number @dev, and adds it if it is new. NULL: there are too many. */
static struct disk *pairing_disk(struct pairing *p, u64 dev)
{
	struct disk *d;

	for (unsigned i = 0; i < p->disks_n; i++)
		if (p->disks[i].dev == dev)
			return &p->disks[i];
	if (p->disks_n == DISKS)
		return NULL;
	p->disks = need(reallocarray(p->disks, p->disks_n + 1, sizeof(*d)));
	d = &p->disks[p->disks_n++];
	*d = (struct disk){ .dev = dev };
	dev_text(d->name, dev);
	return d;
}

/* Adds an access to the trace for the bio or request @f. */
static int pairing_emit(struct import *im, struct pairing *p, const struct flight *f, u64 bytes,
			u64 end_ns, u32 flags)
{
	struct disk *d = pairing_disk(p, f->dev);
	struct access x = ACCESS_NONE;

	d->named = true;
	x.at.start_ns = f->since_ns;
	x.at.end_ns = end_ns;
	x.at.bytes = bytes;
	x.at.offset = f->first < PACKET ? f->first * SECTOR : TRACE_NO_OFFSET;
	x.at.queued_ns = flags & TRACE_PART ? 0 : f->queued_ns;
	x.at.held_ns = f->held_ns && !(flags & TRACE_PART) ? f->held_ns + end_ns - f->since_ns : 0;
	x.at.flags = flags | (f->failed ? TRACE_FAILED : 0);
	x.layer = p->layer;
	x.op = f->op;
	x.disk = (struct trace_name){ .id = f->dev, .text = d->name, .stacked = d->stacked };
	if (*f->comm || f->pid)
		x.process = (struct trace_name){ .id = f->pid, .text = f->comm };
	return import_add(im, &x);
}

/* Removes the oldest flight (bio or request in flight) with this key, if there is one. No access is
 * counted. */
static void drop_flight(struct pairing *p, u8 kind, u64 dev, u64 sector)
{
	struct flight *f = flight_find(p->flights, kind, dev, sector);

	if (f)
		flight_remove(p->flights, f);
}

static int pairing_disorder(struct import *im)
{
	return import_bad(im, "ends before it starts: the lines are not in the order of time");
}

/* ---- bios: queueing (Q), splits (X), remaps (A), completion (C) ---- */

/* Handles a completion (C) of the sectors of event @e. Adds an access for each bio that has no
 * incomplete sectors left. Returns the number of bios found, or -errno; prints the error. */
static int bios_complete(struct import *im, struct pairing *p, const struct event *e)
{
	u64 sector = sector_of(e), left = e->sectors * SECTOR, part;
	struct flight *f;
	int n = 0, ret = 0;

	while (!ret && (!n || left) && (f = flight_find(p->flights, FLIGHT_BIO, e->dev, sector))) {
		part = left < f->left ? left : f->left;
		left -= part;
		sector += part / SECTOR;
		f->left -= part;
		f->failed |= e->failed;
		n++;
		if (f->left) {
			flight_move(p->flights, f, FLIGHT_BIO, f->dev, sector);
			break;
		}
		if (e->ns < f->since_ns)
			ret = pairing_disorder(im);
		else if (!f->lower)
			ret = pairing_emit(im, p, f, f->bytes, e->ns, 0);
		flight_remove(p->flights, f);
	}
	return ret < 0 ? ret : n;
}

static void flight_name(struct flight *f, const struct event *e)
{
	f->pid = e->pid;
	strncpy(f->comm, e->comm ?: "", sizeof(f->comm) - 1);
}

static void bio_queue(struct pairing *p, const struct event *e)
{
	u64 sector = sector_of(e);
	struct flight *f = flight_find(p->flights, FLIGHT_BIO, e->dev, sector);

	if (!f || !f->made)
		f = flight_add(p->flights, FLIGHT_BIO, e->dev, sector);
	f->made = false;
	f->op = e->op;
	f->bytes = f->left = e->sectors * SECTOR;
	f->since_ns = e->ns;
	flight_name(f, e);
}

/* Adds the bio that a split or remap made from the bio @from. @from must be a copy, because
 * flight_add() may move all flights in memory. */
static struct flight *bio_derive(struct pairing *p, const struct flight *from, u64 dev, u64 sector,
				 u64 bytes)
{
	struct flight *f = flight_add(p->flights, FLIGHT_BIO, dev, sector);

	f->op = from->op;
	f->bytes = f->left = bytes;
	f->since_ns = from->since_ns;
	f->pid = from->pid;
	memcpy(f->comm, from->comm, sizeof(f->comm));
	f->lower = from->lower;
	f->made = true;
	return f;
}

/* Handles a split (X): shrinks the bio to its first half, and adds a new bio for the second half.
 * Old kernels also emit a Q for the second half. The new bio has .made set, so that this Q is
 * ignored. */
static void bio_split(struct pairing *p, const struct event *e)
{
	struct flight *f = flight_find(p->flights, FLIGHT_BIO, e->dev, e->sector), part;
	u64 high = e->sector >> 32, second;

	high += (u32)e->split < (u32)e->sector;
	second = high << 32 | (u32)e->split;
	if (!f || second <= e->sector || (second - e->sector) * SECTOR >= f->left)
		return;
	part = *f;
	f->bytes = f->left = (second - e->sector) * SECTOR;
	bio_derive(p, &part, e->dev, second, part.left - f->left);
}

/* Handles a remap (A): adds the bio on the lower device. A partition or multipath head passes on
 * the same bio, which completes only on the lower device. A stacked disk issues another bio, and
 * both bios complete. */
static void bio_remap(struct pairing *p, const struct event *e)
{
	struct flight *f = flight_find(p->flights, FLIGHT_BIO, e->from_dev, e->from), upper;
	struct disk *from = pairing_disk(p, e->from_dev);

	if (!from || e->from_dev == e->dev)
		return;
	if (from->has_bios && !from->named)
		from->stacked = true;
	if (!f || !e->sectors)
		return;
	f->handed = true;
	upper = *f;
	f = bio_derive(p, &upper, e->dev, e->sector, e->sectors * SECTOR);
	f->lower = p->layer != LAYER_DEVICE &&
		(from->has_ends || DEV_MAJOR(e->from_dev) != DEV_MAJOR(e->dev));
}

/* ---- requests ---- */

/* Sets the process of request @f to the process that queued the first bio of @f. If the block layer
 * issues a flush itself, no process queues it. Such a flush gets the process of a bio that waits
 * for a flush. */
static void set_process(struct pairing *p, struct flight *f, const struct event *e)
{
	bool waits = f->sector == OWN_FLUSH;
	struct flight *bio = flight_find(p->flights, FLIGHT_BIO, f->dev, waits ? EMPTY : f->sector);

	if (!bio) {
		if (!*f->comm)
			flight_name(f, e);
		return;
	}
	f->pid = bio->pid;
	memcpy(f->comm, bio->comm, sizeof(f->comm));
	if (!waits)
		flight_remove(p->flights, bio);
}

static void on_insert(struct pairing *p, const struct event *e)
{
	u64 sector = sector_of(e);
	struct flight *f = flight_find(p->flights, FLIGHT_WAITING, e->dev, sector);

	/* If since_ns is 0, the request was requeued, and this event inserts the same request
	 * again. */
	if (!f || f->since_ns)
		f = flight_add(p->flights, FLIGHT_WAITING, e->dev, sector);
	f->since_ns = e->ns;
	set_process(p, f, e);
}

static void on_issue(struct pairing *p, const struct event *e)
{
	u64 sector = sector_of(e);
	struct flight *f = flight_find(p->flights, FLIGHT_WAITING, e->dev, sector);

	if (f) {
		if (f->since_ns && f->since_ns < e->ns)
			f->queued_ns += e->ns - f->since_ns;
		flight_move(p->flights, f, FLIGHT_ISSUED, e->dev, sector);
	} else {
		f = flight_add(p->flights, FLIGHT_ISSUED, e->dev, sector);
	}
	if (!f->left || !f->held_ns)
		f->bytes = f->left = e->packet ? e->bytes : e->sectors * SECTOR;
	f->op = e->packet ? OP_OTHER : e->op;
	f->since_ns = e->ns;
	set_process(p, f, e);
}

/* Handles a merge at the end of a request (M). Removes the bio or request that was merged, because
 * it no longer completes by itself. */
static void on_back_merge(struct pairing *p, const struct event *e)
{
	drop_flight(p, FLIGHT_BIO, e->dev, sector_of(e));
	drop_flight(p, FLIGHT_WAITING, e->dev, sector_of(e));
}

static void on_front_merge(struct pairing *p, const struct event *e)
{
	struct flight *f;

	if (!e->sectors)
		return;
	drop_flight(p, FLIGHT_BIO, e->dev, e->sector);
	f = flight_find(p->flights, FLIGHT_WAITING, e->dev, e->sector + e->sectors);
	/* A request that was not inserted (I) yet is known only by its first bio. */
	if (!f)
		f = flight_find(p->flights, FLIGHT_BIO, e->dev, e->sector + e->sectors);
	if (!f)
		return;
	f->first = e->sector;
	flight_move(p->flights, f, f->kind, e->dev, e->sector);
}

static int on_requeue(struct import *im, struct pairing *p, const struct event *e)
{
	struct flight *f = flight_find(p->flights, FLIGHT_ISSUED, e->dev, sector_of(e));
	int ret;

	if (!f) {
		p->unmatched++;
		return 0;
	}
	if (e->ns < f->since_ns)
		return pairing_disorder(im);
	ret = pairing_emit(im, p, f, 0, e->ns, TRACE_PART);
	f->held_ns += e->ns - f->since_ns;
	f->since_ns = 0;
	flight_move(p->flights, f, FLIGHT_WAITING, f->dev, f->sector);
	return ret;
}

/* Handles a completion (C) if the issue (D) of its request is not known. On a disk without
 * requests, the C completes bios. On another disk, the input lacks the D, so the C is counted as
 * unmatched. A C without sectors is counted only if it ends a pass-through command, because a flush
 * with data has a second C without sectors. */
static int on_bio_end(struct import *im, struct pairing *p, const struct event *e,
		      bool has_requests)
{
	int ret;

	if (has_requests) {
		drop_flight(p, FLIGHT_BIO, e->dev, sector_of(e));
		p->unmatched += e->sectors || e->packet;
		return 0;
	}
	ret = bios_complete(im, p, e);
	p->unqueued += ret > 0 ? ret : 0;
	p->unmatched += !ret && (e->sectors || e->packet);
	return ret < 0 ? ret : 0;
}

static int on_end(struct import *im, struct pairing *p, const struct event *e, bool has_requests)
{
	struct flight *f = flight_find(p->flights, FLIGHT_ISSUED, e->dev, sector_of(e));
	u64 bytes = e->sectors * SECTOR;
	int ret;

	if (!f)
		return on_bio_end(im, p, e, has_requests);
	f->failed |= e->failed;
	if (!e->packet && bytes < f->left) { /* only a part of the request is completed */
		f->left -= bytes;
		flight_move(p->flights, f, FLIGHT_ISSUED, f->dev, f->sector + e->sectors);
		return 0;
	}
	ret = e->ns < f->since_ns ? pairing_disorder(im) :
				    pairing_emit(im, p, f, f->bytes, e->ns, 0);
	flight_remove(p->flights, f);
	return ret;
}

static int take_device(struct import *im, struct pairing *p, const struct event *e, struct disk *d)
{
	switch (e->action) {
	case 'G':
		d->has_requests = true;
		break;
	case 'I':
		d->has_requests = true;
		if (!e->packet)
			on_insert(p, e);
		break;
	case 'D':
		d->has_requests = true;
		on_issue(p, e);
		break;
	case 'M':
		on_back_merge(p, e);
		break;
	case 'F':
		on_front_merge(p, e);
		break;
	case 'R':
		return on_requeue(im, p, e);
	case 'C':
		return on_end(im, p, e, d->has_requests);
	}
	return 0;
}

/* Handles an event with --layer vfs or app. Only a completion (C) has an effect, because it ends a
 * bio. A C without sectors completes a flush that the block layer issued itself. It matches no bio,
 * and is not counted as unmatched. */
static int take_above(struct import *im, struct pairing *p, const struct event *e)
{
	int ret;

	if (e->action != 'C' || e->packet)
		return 0;
	ret = bios_complete(im, p, e);
	p->unmatched += !ret && e->sectors;
	return ret < 0 ? ret : 0;
}

int pairing_take(struct import *im, struct pairing *p, const struct event *e)
{
	struct disk *d = pairing_disk(p, e->dev);

	if (!d)
		return import_refuse(im, "more than %d disks", DISKS);
	d->has_bios |= e->action == 'Q';
	d->has_ends |= e->action == 'C';
	switch (e->action) {
	case 'Q':
		if (!e->packet)
			bio_queue(p, e);
		return 0;
	case 'X':
		bio_split(p, e);
		return 0;
	case 'A':
		bio_remap(p, e);
		return 0;
	}
	return p->layer == LAYER_DEVICE ? take_device(im, p, e, d) : take_above(im, p, e);
}
