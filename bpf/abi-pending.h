/* SPDX-License-Identifier: GPL-2.0-only OR GPL-2.0-or-later */
/* The part of abi.h about bios, io_uring and libaio requests in flight. They are in the pending
 * table, found by their address. A group is a cgroup or process with counters of its own. A cell
 * (struct cell in abi.h) has the indices of the counters and spans that an access changes. A span
 * measures the time in which at least one access of a set is in flight. Requests have the same
 * owner if they are libaio requests of one process, or io_uring requests with the same ring and
 * user_data. */
#ifndef IOSPAN_ABI_PENDING_H
#define IOSPAN_ABI_PENDING_H

#include "bpf/event.h"

/* Kinds of entries in the pending table. A hash of the request's address selects a bucket of
 * PENDING_WAYS entries. */
enum pending_kind {
	PENDING_BIO,
	PENDING_RING,
	PENDING_AIO,
	/* an io_uring request with a file that is not open yet; no span includes the request */
	PENDING_NO_FILE,
};
#define PENDING_WAYS 8
#define PENDING_BUCKETS 8192 /* a power of two: some bits of a hash are the index */
struct pending_bucket {
	u64 key[PENDING_WAYS];
};
struct pending {
	u64 start_ns;
	u64 bytes;
	/* The meaning depends on .kind. libaio: address of the context. io_uring: hash of ring and
	 * user_data, from ring_of(). Bio: 1 if another group used the disk at the start, else 0. */
	u64 ring;
	struct file_at at; /* if recording: file and offset; a bio has its offset on the disk */
	u16 kind;
	u16 owner_word; /* index of the request's word in owners[]; 0: none */
	u32 op;		/* io_uring, libaio: enum vfs_op; bio: index of its struct cell */
	u32 tgid;
	/* The meaning depends on .kind. Bio: index of the span that includes the request. io_uring
	 * and libaio: index of the struct cell; 0: none. */
	u32 span;
};
_Static_assert(sizeof(struct pending) == 64, "one cache line");

/* The table owners[] finds all requests in flight of one owner without a search of the whole
 * pending table. The owner of a libaio request is its process, because all requests of a process
 * end when it exits. The owner of an io_uring request is a hash of its ring and user_data
 * (ring_of()): if a completion queue is full, the kernel's event has only these two, and not the
 * request.
 *
 * A hash of the owner selects a line. A request has a word in this line. If the line is full, the
 * word is in one of the next OWNER_REACH lines. The word has two parts: a tag, which is another
 * part of the hash, and the request's address or its index in the pending table.
 *
 * If several io_uring requests have the same owner, the event of one request may end another
 * request. The number of requests in flight and the sum of their latencies stay right. */
#define OWNER_LINES 8192 /* a power of two: some bits of a hash are the index */
#define OWNER_WORDS 8
#define OWNER_HEAD 2	/* size in 64-bit words of the fields before .word */
#define OWNER_REACH 128 /* a power of two: some bits of a hash select a line */
#define OWNER_TAG_BITS 13
#define OWNER_TAG ((1ULL << OWNER_TAG_BITS) - 1)
struct owner_line {
	/* number of requests with a word in a later line, because this line was full */
	u32 strayed;
	/* number of events that may have ended a wrong request of the same owner */
	u32 swaps;
	/* Number of detached requests. A request is detached if its own event ended another
	 * request, and a newer request has its address. It stays in flight until the event of
	 * another request ends it. */
	u32 detached;
	u32 pad;
	u64 word[OWNER_WORDS - OWNER_HEAD]; /* one word per request; 0: the word is free */
};
_Static_assert(OWNER_LINES *OWNER_WORDS <= 1 << 16, "struct pending has 16 bits for a word");

/* Returns a hash of @owner, for owner_home() and owner_tag(). */
static inline u64 owner_hash(u64 owner)
{
	return owner * 0x9e3779b97f4a7c15ULL;
}

static inline u32 owner_home(u64 owner)
{
	return owner_hash(owner) >> 51 & (OWNER_LINES - 1);
}

static inline u64 owner_tag(u64 owner)
{
	return owner_hash(owner) >> 32 & OWNER_TAG;
}

static inline u64 pending_owner(const struct pending *p)
{
	return p->kind == PENDING_AIO ? p->tgid : p->ring;
}

/* Flag in the byte count of a request: a BPF program did not read all iovecs of the request, so the
 * count is too small. */
#define BYTES_MORE (1ULL << 63)

/* A destroyed libaio context or an exited process. It had more requests in flight than one run of a
 * BPF program ends (ENDS_BOUND). user/kernel/repair.c ends the others, with end_ns as their end. */
#define DEAD_CONTEXTS 64 /* a power of two: the low bits of a counter are the index */
struct dead_context {
	u64 ring; /* address of the context; 0: all contexts of the process */
	u64 end_ns;
	u32 tgid;
	u32 pad;
};

static inline bool pending_of_dead_context(const struct pending *p, const struct dead_context *c)
{
	return p->kind == PENDING_AIO && p->tgid == c->tgid && p->start_ns &&
		p->start_ns < c->end_ns && (!c->ring || p->ring == c->ring);
}

#endif
