/* SPDX-License-Identifier: GPL-2.0-only OR GPL-2.0-or-later */
/* Integer types of the BPF programs (in vmlinux.h), the iospan command and libiospan.so. */
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

/* A sum of bytes or times; one failed call may request 2^64 - 1 bytes. The low word is added first,
 * then the carry: a reader in between sees 2^64 too little. */
typedef unsigned __int128 u128;
#define U128_LOW (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)

/* Hints for the compiler: the likely case runs without a jump. */
#define LIKELY(cond) __builtin_expect(!!(cond), 1)
#define UNLIKELY(cond) __builtin_expect(!!(cond), 0)

/* Returns a device number in the kernel's encoding, which differs from dev_t. */
static inline u32 dev_number(u32 major, u32 minor)
{
	return major << 20 | minor;
}

/* size of a disk's or partition's name in bytes: DISK_NAME_LEN of the kernel */
#define DISK_NAME 32

#endif
