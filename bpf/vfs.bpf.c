// SPDX-License-Identifier: GPL-2.0-only
/* Adds up the bytes of the iovecs of a request. */
#include "bpf/vfs.bpf.h"

/* number of iovecs that one bpf_probe_read_user() reads; a few large reads are faster than many
 * small ones */
#define IOV_CHUNK 8
#define UNREADABLE ~0ULL

struct user_iovec {
	u64 base;
	u64 len;
};

/* Returns the sum of the lengths of the @n iovecs at user address @iov; if there are more than
 * IOV_CHUNK, of the first IOV_CHUNK. If one is longer than MAX_RW_COUNT, returns MAX_RW_COUNT. If
 * they cannot be read, returns UNREADABLE. The function is global, so that the verifier does not
 * check it for each chunk. */
u64 chunk_bytes(u64 iov, u64 n);
__noinline u64 chunk_bytes(u64 iov, u64 n)
{
	struct user_iovec v[IOV_CHUNK] = {};
	u64 bytes = 0;

	/* Without barrier_var(), the compiler would remove the test below. The test shows the
	 * verifier of Linux 6.1 that n is at most IOV_CHUNK. */
	barrier_var(n);
	if (n > IOV_CHUNK)
		n = IOV_CHUNK;
	if (bpf_probe_read_user(v, n * sizeof(*v), (void *)iov))
		return UNREADABLE;
	for (u32 i = 0; i < IOV_CHUNK; i++) {
		/* An early return, because the verifier would otherwise follow too many states. */
		if (v[i].len > MAX_RW_COUNT)
			return MAX_RW_COUNT;
		bytes += v[i].len;
	}
	return bytes;
}

__noinline u64 vector_bytes(u64 iov, u32 n, u32 most)
{
	u32 end = n < most ? n : most;
	u64 bytes = 0, more = end < n || n > IOV_BOUND ? BYTES_MORE : 0;

	if (n > UIO_MAXIOV)
		return 0;
	for (u32 i = 0; i < IOV_BOUND && i < end; i += IOV_CHUNK) {
		u64 sum = chunk_bytes(iov + i * sizeof(struct user_iovec), end - i);

		if (sum == UNREADABLE)
			return bytes | BYTES_MORE;
		bytes += sum;
		if (bytes >= MAX_RW_COUNT)
			return MAX_RW_COUNT;
	}
	return bytes | more;
}
