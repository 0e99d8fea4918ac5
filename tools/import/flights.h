/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A flight is a bio or request in flight. Its key is (kind, device, sector). Several flights may
 * have the same key. */
#ifndef IOSPAN_IMPORT_FLIGHTS_H
#define IOSPAN_IMPORT_FLIGHTS_H

#include "tools/import/blkparse.h"

#define FLIGHTS (1U << 18) /* maximum number of flights; they take 40 MB */

struct flights *flights_new(void);
void flights_free(struct flights *t); /* @t may be NULL */

/* Returns the oldest flight with this key, or NULL. Only such a flight may be passed to
 * flight_move() and flight_remove(). */
struct flight *flight_find(struct flights *t, u8 kind, u64 dev, u64 sector);

/* Adds a flight with this key; all other fields are 0. This invalidates all pointers to flights.
 * If there are FLIGHTS flights already, the oldest is given up. */
struct flight *flight_add(struct flights *t, u8 kind, u64 dev, u64 sector);
void flight_remove(struct flights *t, struct flight *f);
/* Changes the key of @f, which becomes the youngest flight. */
void flight_move(struct flights *t, struct flight *f, u8 kind, u64 dev, u64 sector);

/* flights_given_up() and flights_left() do not count flights that were remapped to another disk
 * (flight.handed). */
u64 flights_given_up(const struct flights *t);
u64 flights_left(const struct flights *t, u8 kind);

#endif
