/* SPDX-License-Identifier: GPL-2.0 OR GPL-2.0-or-later */
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

/* What a condition most often is: the way of that case is the straight one. */
#define LIKELY(cond) __builtin_expect(!!(cond), 1)
#define UNLIKELY(cond) __builtin_expect(!!(cond), 0)

/* As the kernel has it; in user space dev_t is another. */
static inline u32 dev_number(u32 major, u32 minor)
{
	return major << 20 | minor;
}

#define DISK_NAME 32	/* of a disk or partition: the kernel's DISK_NAME_LEN */

#endif
