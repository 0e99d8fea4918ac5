/* SPDX-License-Identifier: GPL-2.0-only */
/* Finds the io_uring request that completed when its completion queue was full.
 *
 * The kernel's event for this case has the ring, user_data and result, but not the request. If
 * several requests match the event, iospan may end the wrong one. When the event of that request
 * comes later, iospan ends another matching request instead.
 *
 * Requests with the same ring and user_data have the same owner. The hash table owners[] finds the
 * requests in flight of an owner. Each element of owners[], called a line, has one word per
 * request. */
#ifndef IOSPAN_OVERFLOW_BPF_H
#define IOSPAN_OVERFLOW_BPF_H

#include "bpf/ring.bpf.h"

/* Maximum number of requests that a search compares with an event. It keeps the search below 10 us.
 * With bpf_rdonly_cast() (LOOKS), a comparison only loads from memory. Without it (LOOKS_UNCAST), a
 * comparison calls helpers, which are slower. */
#define LOOKS 512
#define LOOKS_UNCAST 100

/* The completion of an io_uring request, as the kernel reports it. */
struct event {
	u64 ring, user_data;
	s64 res;
};

/* The state of a search for the request that an event ends. */
struct seek {
	struct event of;
	u64 owner;
	u64 tag; /* tag of .owner, from owner_tag() */
	/* word in owners[] of the matching request; 0: none found yet */
	u64 word;
	u32 home; /* line of owners[] at which the search starts */
	u32 looks;
	/* Number of detached requests of line .home. A request is detached if its own event ended
	 * another request. */
	u32 detached;
	bool several; /* true: the event matches more than one request */
};

/* Returns true if @req has the ring, user_data and result of event k->of. The kernel stores the
 * result in @req just before the event. Until then, this field of @req has the file descriptor. */
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

/* Returns true if the result of a request differs from the result in the event. @word is the word
 * of the request in owners[]. This quick test comes before the slower word_matches(). */
static __always_inline bool is_other_result(u64 word, const struct seek *k)
{
	struct io_kiocb *req = (void *)owner_request_at(word);

	return has_cast && owner_is_request(word) &&
		CAST(struct io_kiocb, req)->cqe.res != k->of.res;
}

/* Returns true if @word, a word in owners[], is for a detached request of @owner. A request is
 * detached if its own event ended another request. It stays in flight until the event of another
 * request ends it. */
static __always_inline bool is_detached(u64 word, u64 owner)
{
	u32 at = owner_entry_at(word);
	struct pending *p = bpf_map_lookup_elem(&pending, &at);

	return p && p->kind == PENDING_RING && p->ring == owner;
}

int word_matches(u64 word, const struct seek *k);
__noinline int word_matches(u64 word, const struct seek *k)
{
	if (!k)
		return 0;
	if (!owner_is_request(word))
		return is_detached(word, k->owner);
	return !k->several && request_matches((void *)owner_request_at(word), k);
}

/* Compares the event with the requests in owners[@line]. Returns 1 if the search is over. The
 * function is global, so that the verifier checks it only once. */
int search_line(u32 line, struct seek *k);
__noinline int search_line(u32 line, struct seek *k)
{
	struct owner_line *l = owner_line(line, 0);

	if (!k)
		return 1;
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

/* Callback of bpf_loop(): searches the next OWNER_STEP lines. Returns 1 if the search is over. */
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

/* Ends the access of a request that matches event @e. If @missed is true, the request to which @e
 * belongs is no longer in flight: an earlier event ended it by mistake. */
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
