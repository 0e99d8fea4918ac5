// SPDX-License-Identifier: GPL-2.0
/* io_uring events that find their queue full. The kernel's only word of them names the
 * ring and the program's own number, so the request is searched for among all that
 * are in flight: dear, and rare. */
#include "vfs.bpf.h"

struct overflow {
	u64 ring;
	s64 res;
};

static long look_into(u32 i, struct overflow *o)
{
	for (u32 way = 0; way < PENDING_WAYS; way++) {
		u64 key;
		struct pending *p = pending_at(i, way, &key);

		if (p && p->kind == PENDING_RING && p->ring == o->ring) {
			ring_end(key, o->res);
			return 1;
		}
	}
	return 0;
}

SEC("tp_btf/io_uring_cqe_overflow")
int BPF_PROG(on_ring_overflow, void *ring, u64 user_data, int res)
{
	struct overflow o = { ring_of((u64)ring, user_data), res };

	bpf_loop(PENDING_BUCKETS, look_into, &o, 0);
	return 0;
}
