/* SPDX-License-Identifier: GPL-2.0-only */
/* What is in flight and has no tag: bios, io_uring and libaio requests, known
 * by an address. A set-associative table: eight keys share a cache line, a key
 * lives in its own bucket or not at all, so there is no lock and no chain. */
#ifndef IOSPAN_PENDING_BPF_H
#define IOSPAN_PENDING_BPF_H

#include "bpf/owner.bpf.h"

static __always_inline u32 pending_bucket(u64 key)
{
	return address_hash(key) & (PENDING_BUCKETS - 1);
}

/* Index of @key in its bucket @b, or PENDING_WAYS. */
static __always_inline u32 pending_way(struct pending_bucket *b, u64 key)
{
#pragma unroll
	for (u32 i = 0; i < PENDING_WAYS; i++)
		if (*(volatile u64 *)&b->key[i] == key)
			return i;
	return PENDING_WAYS;
}

/* Number of the entry of @key, which is in the table. */
static __always_inline u32 pending_number(u64 key)
{
	u32 at = pending_bucket(key);
	struct pending_bucket *b = bpf_map_lookup_elem(&buckets, &at);

	return at * PENDING_WAYS + (b ? pending_way(b, key) : 0);
}

/* Key of entry @at; 0: it is free. */
static __always_inline u64 pending_key(u32 at)
{
	u32 i = at / PENDING_WAYS;
	struct pending_bucket *b = bpf_map_lookup_elem(&buckets, &i);

	return b ? *(volatile u64 *)&b->key[at % PENDING_WAYS] : 0;
}

/* Takes the entry of @key, in flight since *@start, for the caller alone until he gives it back
 * at *@place. NULL: there is none, or the command has just repaired it. Whoever sets start_ns
 * to 0 has the entry. */
static __always_inline struct pending *pending_own(u64 key, u64 *start, u64 **place)
{
	u32 at = pending_bucket(key), way;
	struct pending_bucket *b = bpf_map_lookup_elem(&buckets, &at);
	struct pending *p;

	if (!b)
		return NULL;
	way = pending_way(b, key);
	if (way >= PENDING_WAYS)
		return NULL;
	at = at * PENDING_WAYS + way;
	p = bpf_map_lookup_elem(&pending, &at);
	if (!p)
		return NULL;
	*place = &b->key[way];
	*start = __sync_lock_test_and_set(&p->start_ns, 0);
	return *start ? p : NULL;
}

/* As pending_own(), for entry @at of any key. */
static __always_inline struct pending *pending_own_at(u32 at, u64 *start, u64 **place)
{
	u32 i = at / PENDING_WAYS;
	struct pending_bucket *b = bpf_map_lookup_elem(&buckets, &i);
	struct pending *p = bpf_map_lookup_elem(&pending, &at);

	if (!b || !p)
		return NULL;
	*place = &b->key[at % PENDING_WAYS];
	*start = __sync_lock_test_and_set(&p->start_ns, 0);
	return *start ? p : NULL;
}

/* Frees the entry @p and its word. */
static __always_inline void pending_give_back(struct pending *p, u64 *place)
{
	if (p->place)
		owner_remove(pending_owner(p), p->place);
	p->place = 0;
	barrier();
	*(volatile u64 *)place = 0;
}

/* Takes what is in flight as @key out of the table, into @to. False: as above. */
static __always_inline bool pending_take(u64 key, struct pending *to)
{
	u64 start, *place;
	struct pending *p = pending_own(key, &start, &place);

	if (!p)
		return false;
	*to = *p;
	to->start_ns = start;
	pending_give_back(p, place);
	return true;
}

/* Takes an entry for @key, which is not in the table, and sets *@at to its number. NULL: its bucket
 * is full. The key becomes visible before the entry is filled. This is safe: its request cannot end
 * before the program that submits it has returned. */
static __always_inline struct pending *pending_new(u64 key, u32 *at)
{
	u32 bucket = pending_bucket(key);
	struct pending_bucket *b = bpf_map_lookup_elem(&buckets, &bucket);

	if (!b)
		return NULL;
#pragma unroll
	for (u32 i = 0; i < PENDING_WAYS; i++) {
		if (*(volatile u64 *)&b->key[i])
			continue;
		if (__sync_val_compare_and_swap(&b->key[i], 0, key) == 0) {
			*at = bucket * PENDING_WAYS + i;
			return bpf_map_lookup_elem(&pending, at);
		}
	}
	count(&losses.no_pending);
	return NULL;
}

#endif
