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

/* A sum of bytes or of times. It has 128 bits, because 2^33 failed calls of 2 GiB each would
 * overflow 64 bits. A writer adds to the low word first. If the low word wraps, the writer then
 * adds 1 to the high word. A reader between these two steps sees a sum that is 2^64 too small. */
typedef unsigned __int128 u128;
#define U128_LOW (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)

/* Hints for the compiler: the likely case runs without a jump. */
#define LIKELY(cond) __builtin_expect(!!(cond), 1)
#define UNLIKELY(cond) __builtin_expect(!!(cond), 0)

/* maximum number of bytes that the kernel transfers in one call (linux/fs.h) */
#define MAX_RW_COUNT 0x7ffff000ULL

/* Returns the bytes that one call can transfer if the program requested @bytes. */
static inline u64 transferable(u64 bytes)
{
	return bytes < MAX_RW_COUNT ? bytes : MAX_RW_COUNT;
}

/* Returns a device number in the kernel's encoding, which differs from dev_t in user space. */
static inline u32 dev_number(u32 major, u32 minor)
{
	return major << 20 | minor;
}

/* size of a disk's or partition's name in bytes: DISK_NAME_LEN of the kernel */
#define DISK_NAME 32

#endif
