// SPDX-License-Identifier: GPL-2.0-or-later
/* Follows bios in the events of blktrace: queueing (Q), splits (X), remaps (A), completion (C). A
 * flight is a bio or request that an event started and no event completed yet. Events find a
 * flight by its key: kind (bio or request), device and first sector. */
#include <string.h>

#include "user/host/dev.h"
#include "tools/import/blkparse.h"

int bios_complete(struct import *im, struct pairing *p, const struct event *e)
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

void flight_name(struct flight *f, const struct event *e)
{
	f->pid = e->pid;
	strncpy(f->comm, e->comm ?: "", sizeof(f->comm) - 1);
}

void bio_queue(struct pairing *p, const struct event *e)
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
 * Old kernels also emit a Q for the second half. Because flight.made is set, this Q does not add
 * the second half again. */
void bio_split(struct pairing *p, const struct event *e)
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
void bio_remap(struct pairing *p, const struct event *e)
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
