/* SPDX-License-Identifier: GPL-2.0-only */
/* The pending table: bios, io_uring and libaio requests in flight, found by address. The address,
 * called the key, selects a bucket of PENDING_WAYS keys in one cache line. A key is never in
 * another bucket, so no lock is needed. owners[] lists the requests in flight of an owner: of a
 * process, or of a pair of ring and user_data (owner.bpf.h). */
#ifndef IOSPAN_PENDING_BPF_H
#define IOSPAN_PENDING_BPF_H

#include "bpf/owner.bpf.h"

#define NO_ENTRY ~0U

static __always_inline u32 pending_bucket(u64 key)
{
	return address_hash(key) & (PENDING_BUCKETS - 1);
}

/* Returns the index of @key in bucket @b, or PENDING_WAYS if the bucket does not have it. */
static __always_inline u32 pending_way(struct pending_bucket *b, u64 key)
{
#pragma unroll
	for (u32 i = 0; i < PENDING_WAYS; i++)
		if (*(volatile u64 *)&b->key[i] == key)
			return i;
	return PENDING_WAYS;
}

/* Returns the key (address) of the entry with index @at in the pending table; 0: the entry is
 * free. */
static __always_inline u64 pending_key(u32 at)
{
	u32 i = at / PENDING_WAYS;
	struct pending_bucket *b = bpf_map_lookup_elem(&buckets, &i);

	return b ? *(volatile u64 *)&b->key[at % PENDING_WAYS] : 0;
}

/* Takes the entry of @key, so that no other program can use it until pending_release(). Sets
 * *@start to start_ns of the entry, and start_ns to 0. Sets *@key_at to the address of the key.
 * Returns NULL if no entry has @key, or another program has taken it. */
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

/* Takes the entry with index @at in the pending table, so that no other program can use it until
 * pending_release(). pending_own() does the same for a key. */
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

static __always_inline bool pending_has(u64 key)
{
	u32 at = pending_bucket(key);
	struct pending_bucket *b = bpf_map_lookup_elem(&buckets, &at);

	return b && pending_way(b, key) < PENDING_WAYS;
}

/* Frees entry @p of the pending table, and removes its word from owners[]. */
static __always_inline void pending_release(struct pending *p, u64 *key_at)
{
	if (p->owner_word)
		owner_remove(pending_owner(p), p->owner_word);
	p->owner_word = 0;
	barrier();
	*(volatile u64 *)key_at = 0;
}

/* Copies the entry of @key to @to and frees the entry. Returns false if no entry has @key, or
 * another program has taken it. */
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

/* Writes the key *@at to a free place of its bucket. Returns the index of this entry in the pending
 * table, or NO_ENTRY if the bucket is full. The function is global, so that the verifier checks it
 * only once. @at is a pointer, because the verifier does not accept the typed address of a bio as a
 * number. */
u32 pending_reserve(const u64 *at);
__noinline u32 pending_reserve(const u64 *at)
{
	u64 key = at ? *at : 0;
	u32 bucket = pending_bucket(key);
	struct pending_bucket *b = bpf_map_lookup_elem(&buckets, &bucket);

	if (!key || !b)
		return NO_ENTRY;
#pragma unroll
	for (u32 i = 0; i < PENDING_WAYS; i++)
		if (!*(volatile u64 *)&b->key[i] &&
		    __sync_val_compare_and_swap(&b->key[i], 0, key) == 0)
			return bucket * PENDING_WAYS + i;
	return NO_ENTRY;
}

/* Reserves an entry of the pending table for @key, and sets *@at to its index. Returns NULL if the
 * bucket is full. From now on, other CPUs can find the entry, although it is not filled in yet. */
static __always_inline struct pending *pending_claim(u64 key, u32 *at)
{
	*at = pending_reserve(&key);
	return *at == NO_ENTRY ? NULL : bpf_map_lookup_elem(&pending, at);
}

/* Reserves an entry like pending_claim(), for a @key that is not in the table. If the bucket is
 * full, counts a loss and returns NULL. The request cannot end before the BPF program at its
 * submission returns. So it does no harm that other CPUs can find the entry before it is filled
 * in. */
static __always_inline struct pending *pending_new(u64 key, u32 *at)
{
	struct pending *p = pending_claim(key, at);

	if (!p)
		count(&losses.no_pending);
	return p;
}

#endif
