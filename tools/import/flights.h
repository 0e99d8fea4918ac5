/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A bio or request in flight, by key (kind, device, sector). Of equal keys, events find the
 * oldest. */
#ifndef IOSPAN_IMPORT_FLIGHTS_H
#define IOSPAN_IMPORT_FLIGHTS_H

#include "tools/import/blkparse.h"

#define FLIGHTS (1U << 18) /* maximum number of flights; they take 40 MB of memory */

struct flights *flights_new(void);
void flights_free(struct flights *t); /* does nothing if @t is NULL */

/* The oldest with this key, or NULL. Only it can be moved or removed. */
struct flight *flight_find(struct flights *t, u8 kind, u64 dev, u64 sector);

/* Other members are 0. Moves flights in memory, so pointers become invalid. With FLIGHTS flights,
 * gives up the oldest. */
struct flight *flight_add(struct flights *t, u8 kind, u64 dev, u64 sector);
void flight_remove(struct flights *t, struct flight *f);
/* Changes the key of @f, which then counts as the youngest flight. */
void flight_move(struct flights *t, struct flight *f, u8 kind, u64 dev, u64 sector);

/* Flights dropped for lack of room, and those of @kind that never completed; without bios remapped
 * to another disk (.handed), which complete there. */
u64 flights_given_up(const struct flights *t);
u64 flights_left(const struct flights *t, u8 kind);

#endif
