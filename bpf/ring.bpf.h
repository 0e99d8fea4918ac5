/* SPDX-License-Identifier: GPL-2.0-only */
/* Accesses of io_uring and libaio requests, both called ring requests here. The pending table has
 * the requests in flight, found by their address (the key). Requests have the same owner if they
 * are libaio requests of one process, or io_uring requests with the same ring and user_data. A cell
 * has the indices of the counters and spans of one group and operation. */
#ifndef IOSPAN_RING_BPF_H
#define IOSPAN_RING_BPF_H

#include "bpf/pending.bpf.h"
#include "bpf/vfs.bpf.h"

/* Updates the spans of the app and vfs layers, which include the spans of ring requests. Call it
 * after the span of all ring requests with operation @op got busy or idle. */
int ring_transition(u32 op, u64 now, bool busy);

static __always_inline void ring_enter(u32 op, u32 cell, u64 now)
{
	if (UNLIKELY(enter(SPAN_RING_OP + op, now)))
		ring_transition(op, now, true);
	if (vfs_groups)
		vfs_cell_access(cell, now, true);
}

static __always_inline void ring_leave(u32 op, u32 cell, u64 now)
{
	if (UNLIKELY(leave(SPAN_RING_OP + op, now)))
		ring_transition(op, now, false);
	if (vfs_groups)
		vfs_cell_access(cell, now, false);
}

static __always_inline u32 ring_source(u32 kind)
{
	return kind == PENDING_AIO ? SRC_AIO : SRC_RING;
}

static __always_inline void record_ring(const struct pending *p, u64 start, u64 end, u64 bytes,
					u32 flags)
{
	record_vfs(1 << LAYER_APP | 1 << LAYER_VFS, op_of_call(p->op), ring_source(p->kind), &p->at,
		   start, end, bytes, flags, p->tgid);
}

/* Counts the access of a ring request as lost, because no BPF program saw its end. */
static __always_inline void ring_count_lost(u32 kind, u32 op, u64 bytes, u32 cell)
{
	u32 i = ring_source(kind) * VFS_OPS + op;

	if (op >= VFS_OPS || i >= SRC_MAX * VFS_OPS)
		return;
	count(kind == PENDING_AIO ? &losses.aio : &losses.ring);
	count(&lost_rings[i].accesses);
	__sync_fetch_and_add(&lost_rings[i].bytes, bytes);
	if (vfs_groups)
		vfs_cell_count_lost(cell, bytes);
}

/* Called if a new request has the address of request @p, but no event has ended @p. There are two
 * cases:
 * - If the event of @p may have ended another request of the same owner, detaches @p and returns
 * true. Then @p stays in the pending table until the event of another request ends it.
 * - Otherwise returns false. Then the caller must end @p. */
static __always_inline bool ring_detach(struct pending *p, u64 start, u64 *key_at)
{
	u64 owner = pending_owner(p);
	struct owner_line *home = owner_line(owner_home(owner), 0);
	struct owner_line *line = owner_line(p->owner_word / OWNER_WORDS, 0);
	u32 i = p->owner_word % OWNER_WORDS - OWNER_HEAD, at;
	struct pending *to;
	u64 *word;

	if (p->kind != PENDING_RING || !*(volatile u32 *)&home->swaps ||
	    i >= OWNER_WORDS - OWNER_HEAD)
		return false;
	word = &line->word[i];
	/* The address is computed here, because the verifier of Linux 6.1 forgets the bound of i
	 * further below. */
	barrier_var(word);
	/* The new request needs the address as its key. So the old request gets another key: its
	 * start time. Any key would do, but different keys use different buckets of the table. */
	to = pending_claim(start, &at);
	if (!to)
		return false;
	*to = *p;
	*word = owner_entry(at) | owner_tag(owner);
	__sync_fetch_and_add(&home->detached, 1);
	p->owner_word = 0;
	barrier();
	to->start_ns = start;
	*(volatile u64 *)key_at = 0;
	return true;
}

/* Ends the access of the request with key *@key as lost. Called if a new request has the same
 * address (key), or if the request's libaio context was destroyed. If the event of another request
 * may still end the old request, ring_detach() keeps it until then. @key is a pointer, because the
 * verifier does not accept the typed address of a request as a number. */
int ring_forget(const u64 *key);

/* Returns a hash of the ring and user_data of an io_uring request. If a completion queue is full,
 * the kernel's event has no address of the request. Then this hash leads to the request. */
static __always_inline u64 ring_of(u64 ring, u64 user_data)
{
	return (user_data << 32 | user_data >> 32) ^ lower_half(ring);
}

/* An io_uring or libaio request at its submission, as read from the memory of the kernel
 * or of the measured program. */
struct ring_request {
	u64 key;
	u64 ring;  /* libaio: address of the context; io_uring: ring_of() */
	u64 bytes; /* at most MAX_RW_COUNT; has the bit BYTES_MORE if not all iovecs were read */
	u64 offset;
	struct file *file;
	u32 kind;
	u32 op;
	u32 tgid;
};

/* Records the path of @file. Stores the inode of @file and @offset in *@to. */
static __always_inline void ring_note_file(struct file *file, u32 op, struct file_at *to,
					   u64 offset, u64 from_ns)
{
	struct file_at at = { .offset = offset };

	if (file)
		record_file(file, &at, op == VFS_WRITE ? FILE_WRITTEN : 0, from_ns);
	*to = at;
}

/* Starts the access of request @r. The caller must first call ring_forget() for r->key. */
static __always_inline void ring_begin(const struct ring_request *r)
{
	u32 cell = vfs_groups ? vfs_cell(r->op) : 0, at;
	struct pending *p;
	u64 now, what;

	p = pending_new(r->key, &at);
	if (!p)
		return;
	if (recording) {
		record_process(0);
		ring_note_file(r->file, r->op, &p->at, r->offset, 0);
	}
	p->kind = r->kind;
	p->op = r->op;
	p->bytes = r->bytes;
	p->ring = r->ring;
	p->tgid = r->tgid;
	p->span = cell;
	/* The key is read back as a number by pending_key(), because the verifier allows no
	 * arithmetic on the typed pointer r->key. */
	what = r->kind == PENDING_AIO ? owner_entry(at) : owner_request(pending_key(at));
	p->owner_word = owner_add(pending_owner(p), what);
	now = bpf_ktime_get_ns();
	if (r->kind != PENDING_NO_FILE)
		ring_enter(r->op, cell, now);
	barrier();
	p->start_ns = now;
}

/* Ends the access of the request with address @key. @res is its number of bytes or -errno. Returns
 * 1, or 0 if the request is not in flight. */
int ring_end(u64 key, s64 res);

/* Like ring_end(), but finds the request by its index @at in the pending table. */
int ring_end_entry(u32 at, s64 res);

#endif
