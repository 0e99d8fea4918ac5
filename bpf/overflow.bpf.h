/* SPDX-License-Identifier: GPL-2.0-only */
/* Finds the request that has ended, if its completion queue was full.
 *
 * The event of such a completion has the ring, user_data and the result, but not the request. So a
 * request of this owner with this result ends. If several match, it may be the wrong one. The event
 * of the request that was ended then ends one of those that are left. */
#ifndef IOSPAN_OVERFLOW_BPF_H
#define IOSPAN_OVERFLOW_BPF_H

#include "bpf/ring.bpf.h"

/* Requests to compare in one search, which takes less than 10 us. A comparison is a load or, without
 * has_cast, several calls. */
#define LOOKS 512
#define LOOKS_UNCAST 100

/* A completion of an io_uring request. */
struct event {
	u64 ring, user_data;
	s64 res;
};

/* A search for the request that an event ends. */
struct seek {
	struct event of;
	u64 owner;
	u64 tag;  /* owner_tag(owner) */
	u64 word; /* owner word of the request found; 0: none */
	u32 home; /* owner_home(owner) */
	u32 looks;
	u32 detached; /* detached requests in the line of the owner */
	bool several; /* more than one request matches */
};

/* Whether @req has the ring, user_data and result of the event. The kernel sets the result just
 * before the event; until then, the field has the file descriptor. */
static __always_inline bool request_matches(struct io_kiocb *req, const struct seek *k)
{
	if (has_cast) {
		req = CAST(struct io_kiocb, req);
		return req->cqe.res == k->of.res && req->cqe.user_data == k->of.user_data &&
			(u64)req->ctx == k->of.ring;
	}
	return BPF_CORE_READ(req, cqe.res) == k->of.res &&
		BPF_CORE_READ(req, cqe.user_data) == k->of.user_data &&
		(u64)BPF_CORE_READ(req, ctx) == k->of.ring;
}

/* Whether the request of @word has another result than the event. Most of a line have one, and this
 * test costs less than a call of word_matches(). */
static __always_inline bool is_other_result(u64 word, const struct seek *k)
{
	struct io_kiocb *req = (void *)owner_request_at(word);

	return has_cast && owner_is_request(word) &&
		CAST(struct io_kiocb, req)->cqe.res != k->of.res;
}

/* Whether @word is of a detached request of @owner: that one waits for the event of another
 * request. */
static __always_inline bool is_detached(u64 word, u64 owner)
{
	u32 at = owner_entry_at(word);
	struct pending *p = bpf_map_lookup_elem(&pending, &at);

	return p && p->kind == PENDING_RING && p->ring == owner;
}

/* Whether the request of @word may be the one that ends. Global, so that the verifier walks it
 * once. */
int word_matches(u64 word, const struct seek *k);
__noinline int word_matches(u64 word, const struct seek *k)
{
	if (!k)
		return 0;
	if (!owner_is_request(word))
		return is_detached(word, k->owner);
	return !k->several && request_matches((void *)owner_request_at(word), k);
}

/* Examines line @line. Returns 1 if the search is over. */
static __noinline int search_line(u32 line, struct seek *k)
{
	struct owner_line *l = owner_line(line, 0);

	for (u32 i = 0; i < OWNER_WORDS - OWNER_HEAD; i++) {
		u64 word = *(volatile u64 *)&l->word[i];

		if (!word || (word & OWNER_TAG) != k->tag)
			continue;
		k->looks++;
		if (is_other_result(word, k) || !word_matches(word, k))
			continue;
		k->several |= k->word != 0;
		if (!k->word || !owner_is_request(word))
			k->word = word;
		if (!owner_is_request(word) || (k->several && !k->detached))
			return 1;
	}
	return k->looks > (has_cast ? LOOKS : LOOKS_UNCAST);
}

/* Returns 1 if the search is over. */
static long search_lines(u32 step, struct seek *k)
{
	u32 line = k->home + step * OWNER_STEP;

#pragma unroll
	for (u32 i = 0; i < OWNER_STEP; i++) {
		struct owner_line *l = owner_line(line, i);

		if (UNLIKELY(owner_line_may_have(l, k->tag)) && search_line(line + i, k))
			return 1;
		if (!i && !step && !l->strayed)
			return 1;
	}
	return 0;
}

static __always_inline bool end_word(u64 word, s64 res)
{
	return owner_is_request(word) ? ring_end(owner_request_at(word), res) :
					ring_end_entry(owner_entry_at(word), res);
}

/* Ends a request of the owner of @e. @missed: the request of @e was ended by another event. Global,
 * so that the verifier walks it once. */
int end_one_of(const struct event *e, bool missed);
__noinline int end_one_of(const struct event *e, bool missed)
{
	struct owner_line *home;
	struct seek k = {};

	if (!e)
		return 0;
	k.of = *e;
	k.owner = ring_of(e->ring, e->user_data);
	k.tag = owner_tag(k.owner);
	k.home = owner_home(k.owner);
	home = owner_line(k.home, 0);
	if (missed && !*(volatile u32 *)&home->swaps)
		return 0;
	k.detached = *(volatile u32 *)&home->detached;
	bpf_loop(OWNER_STEPS, search_lines, &k, 0);
	if (!k.word || !end_word(k.word, k.of.res))
		return 0;
	if (!owner_is_request(k.word)) {
		__sync_fetch_and_add(&home->detached, -1);
		__sync_fetch_and_add(&home->swaps, missed ? -1 : 0);
	} else if (!missed && k.several) {
		__sync_fetch_and_add(&home->swaps, 1);
	}
	return 0;
}

#endif
