/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bios and requests in flight, by (kind, device, sector). Several may have one key. */
#ifndef IOSPAN_IMPORT_FLIGHTS_H
#define IOSPAN_IMPORT_FLIGHTS_H

#include "tools/import/blkparse.h"

#define FLIGHTS (1U << 18) /* 40 MB */

struct flights *flights_new(void);
void flights_free(struct flights *t); /* may be NULL */

/* Returns the oldest flight with this key, or NULL. Only such a flight may be moved or removed. */
struct flight *flight_find(struct flights *t, u8 kind, u64 dev, u64 sector);

/* Adds a flight with this key and all other fields 0. Invalidates pointers to flights. If there are
 * FLIGHTS of them, the oldest is given up. */
struct flight *flight_add(struct flights *t, u8 kind, u64 dev, u64 sector);
void flight_remove(struct flights *t, struct flight *f);
/* Changes the key; the flight becomes the youngest. */
void flight_move(struct flights *t, struct flight *f, u8 kind, u64 dev, u64 sector);

/* The next two do not count flights that are @handed. */
u64 flights_given_up(const struct flights *t);
u64 flights_left(const struct flights *t, u8 kind);

#endif
