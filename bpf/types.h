/* SPDX-License-Identifier: GPL-2.0-only OR GPL-2.0-or-later */
/* Integer types for the headers that the kernel programs, the command and the preloaded library
 * share. In a kernel program they come from vmlinux.h. */
#ifndef IOSPAN_TYPES_H
#define IOSPAN_TYPES_H

#ifndef __bpf__
#include <stdbool.h>
#include <stdint.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int64_t s64;
#endif

/* A sum of bytes or of times. A failed call may have requested 2^64 - 1 bytes, so 64 bits are too
 * few. Concurrent writers add to the low word, and carry into the high word if the low one wraps.
 * Between the two steps, a reader sees a sum that is 2^64 too small. */
typedef unsigned __int128 u128;
#define U128_LOW (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) /* index of the word */

/* The compiler lays out the likely case without a jump. */
#define LIKELY(cond) __builtin_expect(!!(cond), 1)
#define UNLIKELY(cond) __builtin_expect(!!(cond), 0)

/* A device number as the kernel encodes it; dev_t in user space differs. */
static inline u32 dev_number(u32 major, u32 minor)
{
	return major << 20 | minor;
}

#define DISK_NAME 32 /* length of a disk's or partition's name: DISK_NAME_LEN in the kernel */

#endif
