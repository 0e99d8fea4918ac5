/* SPDX-License-Identifier: GPL-2.0-only OR GPL-2.0-or-later */
/* The fixed-width integers of the headers that the kernel programs, the
 * command and the preloaded library share. In a kernel program vmlinux.h has
 * them already. */
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

/* A sum of bytes or of times. One call that fails may have asked for 2^64 - 1 bytes, so that 64
 * bits are too few. Programs that add to it at the same time add to its low word; they touch the
 * high word only when the low one wraps. Until then a reader may see 2^64 too little. */
typedef unsigned __int128 u128;
#define U128_LOW (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) /* index of the word */

/* What a condition most often is: the way of that case is the straight one. */
#define LIKELY(cond) __builtin_expect(!!(cond), 1)
#define UNLIKELY(cond) __builtin_expect(!!(cond), 0)

/* As the kernel has it; in user space dev_t is another. */
static inline u32 dev_number(u32 major, u32 minor)
{
	return major << 20 | minor;
}

#define DISK_NAME 32 /* of a disk or partition: the kernel's DISK_NAME_LEN */

#endif
