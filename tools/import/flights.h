/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_IMPORT_FLIGHTS_H
#define IOSPAN_IMPORT_FLIGHTS_H

#include "tools/import/blkparse.h"

struct flights *flights_new(void);
void flights_free(struct flights *t); /* NULL is fine */
struct flight *flight_find(struct flights *t, u8 kind, u64 dev, u64 sector);
/* A new one with this key, all else 0. Pointers to others are void. */
struct flight *flight_add(struct flights *t, u8 kind, u64 dev, u64 sector);
void flight_remove(struct flights *t, struct flight *f);
/* Gives it another key; it is the youngest then. */
void flight_move(struct flights *t, struct flight *f, u8 kind, u64 dev, u64 sector);
u64 flights_given_up(const struct flights *t);
u64 flights_left(const struct flights *t, u8 kind); /* without those handed on */

#endif
