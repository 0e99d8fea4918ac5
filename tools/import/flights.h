/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A flight is a bio or request in flight: events of blktrace started it but did not complete it
 * yet. Events find it by its key (kind, device, sector). Several flights may have the same key; the
 * oldest is found first. */
#ifndef IOSPAN_IMPORT_FLIGHTS_H
#define IOSPAN_IMPORT_FLIGHTS_H

#include "tools/import/blkparse.h"

#define FLIGHTS (1U << 18) /* maximum number of flights; they take 40 MB of memory */

struct flights *flights_new(void);
void flights_free(struct flights *t); /* does nothing if @t is NULL */

/* Returns the oldest flight with this key, or NULL. flight_move() and flight_remove() only accept a
 * flight that this function returned. */
struct flight *flight_find(struct flights *t, u8 kind, u64 dev, u64 sector);

/* Adds a flight with this key; all its other members are 0. It may move all flights in memory, so
 * pointers to flights become invalid. If there are FLIGHTS flights already, the oldest one is
 * dropped and counted as given up. */
struct flight *flight_add(struct flights *t, u8 kind, u64 dev, u64 sector);
void flight_remove(struct flights *t, struct flight *f);
/* Changes the key of @f, which then counts as the youngest flight. */
void flight_move(struct flights *t, struct flight *f, u8 kind, u64 dev, u64 sector);

/* Return the number of flights that were dropped because there were too many, and of flights of
 * @kind that never completed. Both leave out bios that were remapped to another disk
 * (flight.handed), as they complete there. */
u64 flights_given_up(const struct flights *t);
u64 flights_left(const struct flights *t, u8 kind);

#endif
