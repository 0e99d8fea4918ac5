/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A flight is a bio or request in flight. Events find the oldest one with their key (kind, device,
 * sector). */
#ifndef IOSPAN_IMPORT_FLIGHTS_H
#define IOSPAN_IMPORT_FLIGHTS_H

#include "tools/import/blkparse.h"

#define FLIGHTS (1U << 18) /* maximum number of flights; they take 40 MB of memory */

struct flights *flights_new(void);
void flights_free(struct flights *t); /* does nothing if @t is NULL */

/* Returns the oldest flight with this key, or NULL. Only such a flight can be moved or removed. */
struct flight *flight_find(struct flights *t, u8 kind, u64 dev, u64 sector);

/* Pointers to flights become invalid. If there are FLIGHTS already, gives up the oldest one. */
struct flight *flight_add(struct flights *t, u8 kind, u64 dev, u64 sector);
void flight_remove(struct flights *t, struct flight *f);
/* Changes the key of @f, which then counts as the youngest flight. */
void flight_move(struct flights *t, struct flight *f, u8 kind, u64 dev, u64 sector);

/* Return the number of dropped flights, and of those of @kind that never completed, without bios
 * that another disk completes (.handed). */
u64 flights_given_up(const struct flights *t);
u64 flights_left(const struct flights *t, u8 kind);

#endif
