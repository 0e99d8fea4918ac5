/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A flight is a bio or request in flight: events of blktrace started it, but did not complete it
 * yet. An event finds the oldest flight with its key (kind, device, sector). */
#ifndef IOSPAN_IMPORT_FLIGHTS_H
#define IOSPAN_IMPORT_FLIGHTS_H

#include "tools/import/blkparse.h"

#define FLIGHTS (1U << 18) /* maximum number of flights; each takes 120 bytes of memory */

struct flights *flights_new(void);
void flights_free(struct flights *t); /* does nothing if @t is NULL */

/* Returns the oldest flight with this key, or NULL. flight_move() and flight_remove() accept only a
 * flight that this function returned. */
struct flight *flight_find(struct flights *t, u8 kind, u64 dev, u64 sector);

/* Adds a flight with this key. Pointers to flights become invalid, because all flights may move in
 * memory. If there are FLIGHTS flights already, removes the oldest one; flights_given_up() counts
 * it. */
struct flight *flight_add(struct flights *t, u8 kind, u64 dev, u64 sector);
void flight_remove(struct flights *t, struct flight *f);
/* Changes the key of @f, which then counts as the youngest flight. */
void flight_move(struct flights *t, struct flight *f, u8 kind, u64 dev, u64 sector);

/* flights_given_up() returns the number of flights that flight_add() removed to make room.
 * flights_left() returns the number of flights of @kind that did not complete. Both leave out bios
 * that were remapped to another disk (.handed), because they complete there. */
u64 flights_given_up(const struct flights *t);
u64 flights_left(const struct flights *t, u8 kind);

#endif
