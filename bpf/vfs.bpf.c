// SPDX-License-Identifier: GPL-2.0-only
#include "bpf/vfs.bpf.h"

/* Number of iovecs per bpf_probe_read_user(). Few large reads cost less than many small ones. */
#define IOV_CHUNK 8

struct user_iovec {
	u64 base;
	u64 len;
};

__noinline u64 vector_bytes(u64 iov, u32 n, u32 most)
{
	u32 end = n < most ? n : most;
	u64 bytes = 0, more = end < n || n > IOV_BOUND ? BYTES_MORE : 0;

	for (u32 i = 0; i < IOV_BOUND && i < end; i += IOV_CHUNK) {
		struct user_iovec v[IOV_CHUNK] = {};
		u64 left = end - i;

		/* Keeps the compiler from removing the test below. From that test, the verifier of
		 * Linux 6.1 knows that left is at most IOV_CHUNK. */
		barrier_var(left);
		if (left > IOV_CHUNK)
			left = IOV_CHUNK;
		if (bpf_probe_read_user(v, left * sizeof(*v), (void *)(iov + i * sizeof(*v))))
			return transferable(bytes) | BYTES_MORE;
		for (u32 k = 0; k < IOV_CHUNK; k++) {
			/* The verifier would follow too many states if this called
			 * transferable(). */
			if (v[k].len > MAX_RW_COUNT)
				return MAX_RW_COUNT;
			bytes += v[k].len;
		}
	}
	return bytes < MAX_RW_COUNT ? bytes | more : MAX_RW_COUNT;
}
