/* SPDX-License-Identifier: GPL-2.0-only */
/* The lines of owners: see struct owner_line. */
#ifndef IOSPAN_OWNER_BPF_H
#define IOSPAN_OWNER_BPF_H

#include "bpf/maps.bpf.h"

extern struct owner_line owners[OWNER_LINES];

/* Gives the request @what a word in the lines of @owner. Returns its place; 0: there is no room.
 * Global functions: the verifier walks each once. */
u32 owner_add(u64 owner, u64 what);
int owner_remove(u64 owner, u32 place);

/* A request of io_uring is known by its address. That is a multiple of 64, and its highest
 * bits are set as those of each address in the kernel. */
static __always_inline u64 owner_request(u64 address)
{
	return address << 7;
}

static __always_inline u64 owner_request_at(u64 word)
{
	return (s64)(word & ~OWNER_TAG) >> 7;
}

/* One of libaio is known by its number in the table. */
static __always_inline u64 owner_entry(u32 at)
{
	return (u64)(at + 1) << OWNER_TAG_BITS;
}

static __always_inline u32 owner_entry_at(u64 word)
{
	return (word >> OWNER_TAG_BITS) - 1;
}

static __always_inline bool owner_is_request(u64 word)
{
	return (s64)word < 0;
}

/* Line number @step of those that an owner may use; the first is @home. */
static __always_inline struct owner_line *owner_line(u32 home, u32 step)
{
	return &owners[(home + step) & (OWNER_LINES - 1)];
}

#endif
