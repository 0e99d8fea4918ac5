// SPDX-License-Identifier: GPL-2.0-or-later
/* Holds all flights (bios and requests in flight) in a hash table by key and in a list by age. The
 * key is kind (bio or request), device and sector. Flights with the same key form a chain (.same),
 * the oldest first. If a flight gets a new key, it becomes the youngest flight, and the last one in
 * the chain of this key. So the oldest of all flights is always the first of its chain.
 * flight_add(), which removes the oldest flight, needs this: unlink_flight() can remove only the
 * first flight of a chain. */
#include "tools/import/blkparse.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "user/base/err.h"

#define BUCKETS (1U << 16)
#define NONE 0 /* index 0 of the array is not used; it means "no flight" */

struct flights {
	/* random number that is part of the hash, so that no hostile input can cause many
	 * collisions */
	u64 seed;
	u64 given_up;
	/* .used: elements 1 to used - 1 of .all have or had a flight; element 0 never has one.
	 * .room: number of elements that are allocated. */
	u32 used, room;
	/* Index in .all of the first free element, or NONE. A removed flight leaves its element
	 * free for a new flight. The free elements form a list, linked by flight.next. */
	u32 free;
	u32 oldest, youngest;
	struct flight *all;
	u32 buckets[BUCKETS];
};

struct flights *flights_new(void)
{
	struct flights *t = need(calloc(1, sizeof(*t)));

	if (getrandom(&t->seed, sizeof(t->seed), GRND_NONBLOCK) < 0)
		t->seed = (uintptr_t)t;
	t->used = 1;
	t->room = 1024;
	t->all = need(calloc(t->room, sizeof(*t->all)));
	return t;
}

void flights_free(struct flights *t)
{
	if (t)
		free(t->all);
	free(t);
}

static u64 hash_mix(u64 h)
{
	h = (h ^ h >> 30) * 0xbf58476d1ce4e5b9ULL;
	h = (h ^ h >> 27) * 0x94d049bb133111ebULL;
	return h ^ h >> 31;
}

static u32 *bucket_of(struct flights *t, u8 kind, u64 dev, u64 sector)
{
	return &t->buckets[hash_mix(hash_mix(t->seed ^ sector) ^ (dev << 2 | kind)) % BUCKETS];
}

static bool has_key(const struct flight *f, u8 kind, u64 dev, u64 sector)
{
	return f->sector == sector && f->dev == dev && f->kind == kind;
}

/* Returns a pointer to the index of the oldest flight with this key. If there is no such flight,
 * returns a pointer to the index NONE at the end of the hash bucket's list. */
static u32 *find_link(struct flights *t, u8 kind, u64 dev, u64 sector)
{
	u32 *at = bucket_of(t, kind, dev, sector);

	while (*at && !has_key(&t->all[*at], kind, dev, sector))
		at = &t->all[*at].next;
	return at;
}

struct flight *flight_find(struct flights *t, u8 kind, u64 dev, u64 sector)
{
	u32 i = *find_link(t, kind, dev, sector);

	return i ? &t->all[i] : NULL;
}

static void link_age(struct flights *t, u32 i)
{
	t->all[i].older = t->youngest;
	t->all[i].younger = NONE;
	*(t->youngest ? &t->all[t->youngest].younger : &t->oldest) = i;
	t->youngest = i;
}

static void link_flight(struct flights *t, u32 i)
{
	struct flight *f = &t->all[i], *head;
	u32 *at = find_link(t, f->kind, f->dev, f->sector);

	f->next = f->same = NONE;
	f->last = i;
	if (*at) {
		head = &t->all[*at];
		t->all[head->last].same = i;
		head->last = i;
	} else {
		*at = i;
	}
	link_age(t, i);
}

static void unlink_age(struct flights *t, const struct flight *f)
{
	*(f->older ? &t->all[f->older].younger : &t->oldest) = f->younger;
	*(f->younger ? &t->all[f->younger].older : &t->youngest) = f->older;
}

/* Removes @f from the hash table and from the list by age. @f must be the oldest flight with its
 * key. */
static void unlink_flight(struct flights *t, struct flight *f)
{
	u32 *at = find_link(t, f->kind, f->dev, f->sector);

	if (f->same) {
		t->all[f->same].last = f->last;
		t->all[f->same].next = f->next;
		*at = f->same;
	} else {
		*at = f->next;
	}
	unlink_age(t, f);
}

void flight_remove(struct flights *t, struct flight *f)
{
	unlink_flight(t, f);
	f->next = t->free;
	t->free = f - t->all;
}

void flight_move(struct flights *t, struct flight *f, u8 kind, u64 dev, u64 sector)
{
	unlink_flight(t, f);
	f->kind = kind;
	f->dev = dev;
	f->sector = sector;
	link_flight(t, f - t->all);
}

static u32 allocate_flight(struct flights *t)
{
	u32 i = t->free;

	if (i) {
		t->free = t->all[i].next;
		return i;
	}
	if (t->used == t->room) {
		t->room *= 2;
		t->all = need(reallocarray(t->all, t->room, sizeof(*t->all)));
	}
	return t->used++;
}

struct flight *flight_add(struct flights *t, u8 kind, u64 dev, u64 sector)
{
	u32 i;

	if (!t->free && t->used > FLIGHTS) {
		t->given_up += !t->all[t->oldest].handed;
		flight_remove(t, &t->all[t->oldest]);
	}
	i = allocate_flight(t);
	t->all[i] = (struct flight){ .kind = kind, .dev = dev, .sector = sector, .first = sector };
	link_flight(t, i);
	return &t->all[i];
}

u64 flights_given_up(const struct flights *t)
{
	return t->given_up;
}

u64 flights_left(const struct flights *t, u8 kind)
{
	u64 n = 0;

	for (u32 i = t->oldest; i; i = t->all[i].younger)
		n += t->all[i].kind == kind && !t->all[i].handed;
	return n;
}
