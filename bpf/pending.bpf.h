/* SPDX-License-Identifier: GPL-2.0-only */
/* The pending table: bios, io_uring and libaio requests in flight, by address. It is
 * set-associative: eight keys share a bucket, which is a cache line. A key is in its bucket or
 * nowhere, so there is no lock and no chain. */
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

/* Key of entry @at; 0: the entry is free. */
static __always_inline u64 pending_key(u32 at)
{
	u32 i = at / PENDING_WAYS;
	struct pending_bucket *b = bpf_map_lookup_elem(&buckets, &i);

	return b ? *(volatile u64 *)&b->key[at % PENDING_WAYS] : 0;
}

/* Takes the entry of @key, which started at *@start, for this caller alone, until
 * pending_release(@key_at). NULL: there is none, or the command has just repaired it. The entry
 * belongs to the program that sets start_ns to 0. */
static __always_inline struct pending *pending_own(u64 key, u64 *start, u64 **key_at)
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
	*key_at = &b->key[way];
	*start = __sync_lock_test_and_set(&p->start_ns, 0);
	return *start ? p : NULL;
}

/* As pending_own(), for the entry with index @at. */
static __always_inline struct pending *pending_own_at(u32 at, u64 *start, u64 **key_at)
{
	u32 i = at / PENDING_WAYS;
	struct pending_bucket *b = bpf_map_lookup_elem(&buckets, &i);
	struct pending *p = bpf_map_lookup_elem(&pending, &at);

	if (!b || !p)
		return NULL;
	*key_at = &b->key[at % PENDING_WAYS];
	*start = __sync_lock_test_and_set(&p->start_ns, 0);
	return *start ? p : NULL;
}

/* Frees entry @p and its owner word. */
static __always_inline void pending_release(struct pending *p, u64 *key_at)
{
	if (p->owner_word)
		owner_remove(pending_owner(p), p->owner_word);
	p->owner_word = 0;
	barrier();
	*(volatile u64 *)key_at = 0;
}

/* Moves the entry of @key from the table to @to. False: see pending_own(). */
static __always_inline bool pending_take(u64 key, struct pending *to)
{
	u64 start, *key_at;
	struct pending *p = pending_own(key, &start, &key_at);

	if (!p)
		return false;
	*to = *p;
	to->start_ns = start;
	pending_release(p, key_at);
	return true;
}

/* Takes a free entry in the bucket of @key, and sets *@at to its index. NULL: the bucket is full.
 * The key becomes visible before the entry is filled in. */
static __always_inline struct pending *pending_claim(u64 key, u32 *at)
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
	return NULL;
}

/* As pending_claim(), for a @key that is not in the table. That the key is visible early is safe:
 * the request cannot end before the kernel program that submits it has returned. */
static __always_inline struct pending *pending_new(u64 key, u32 *at)
{
	struct pending *p = pending_claim(key, at);

	if (!p)
		count(&losses.no_pending);
	return p;
}

#endif
