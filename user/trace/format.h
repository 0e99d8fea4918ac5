/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Encodes and decodes the heads of a trace file and of its chunks; Documentation/trace-format.rst
 * specifies all bytes. Numbers are little-endian. */
#ifndef IOSPAN_TRACE_FORMAT_H
#define IOSPAN_TRACE_FORMAT_H

#include <endian.h>
#include <stddef.h>
#include <string.h>
#include "bpf/types.h"

#define TRACE_MAGIC "\x89iospan\n" /* 0x89 is not ASCII: the file is not text */
#define TRACE_MAJOR 1
#define TRACE_MINOR 0
#define CHUNK_MAGIC "ioc1" /* the digit is the major version */

#define FILE_HEAD 24	      /* bytes of the head of a file */
#define CHUNK_HEAD 64	      /* bytes of the head of a chunk */
#define STORED_MAX (5 << 20)  /* largest payload as stored */
#define RAW_MAX (5 << 20)     /* largest payload unpacked */
#define NAMES_RAW (128 << 10) /* at this unpacked size of NAMES, the writer starts a new chunk */
#define NAMES_RATIO 8	      /* most unpacked bytes of NAMES per stored byte */
#define NAME_STORED_MIN 3     /* least bytes of a name in the file; follows from NAMES_RATIO */

enum chunk_type {
	CHUNK_META = 1,
	CHUNK_NAMES,
	CHUNK_ACCESSES,
	CHUNK_SUMS,
	CHUNK_END,
};

struct file_head {
	u16 major, minor;
	u32 id; /* random; each chunk of the file has it too */
};

struct chunk {
	u32 id;		       /* of the file */
	u32 number;	       /* in the file, from 0 without gaps */
	u16 type;	       /* enum chunk_type; readers skip other types */
	u32 stored, raw;       /* bytes of the payload, stored and unpacked; equal: not packed */
	u32 count;	       /* of names or accesses */
	u64 first_ns, last_ns; /* ACCESSES: first start and last end */
	u32 payload_crc;       /* of the payload as stored */
};

/* A record of NAMES: NAME_HEAD (u16 length of the record, u8 kind, u8 bytes of the fixed part), the
 * fixed part, and the text of a name. */
#define NAME_HEAD 4
#define NAME_FIXED 28	/* fixed part of a name */
#define STREAM_FIXED 24 /* fixed part of a stream */
#define KIND_STREAM 255 /* other kinds: enum trace_kind */

#define META_FIXED 16  /* bytes before the JSON text of META */
#define END_BYTES 24   /* payload of END */
#define END_FOLLOWED 1 /* flag in END: another file follows */

/* Limits of the JSON in META and SUMS */
#define OBJECT_NODES (64 << 10)	  /* most '{' and '[' */
#define OBJECT_VALUES (256 << 10) /* most ',' */

static inline u16 get16(const u8 *p)
{
	u16 v;

	memcpy(&v, p, sizeof(v));
	return le16toh(v);
}

static inline u32 get32(const u8 *p)
{
	u32 v;

	memcpy(&v, p, sizeof(v));
	return le32toh(v);
}

static inline u64 get64(const u8 *p)
{
	u64 v;

	memcpy(&v, p, sizeof(v));
	return le64toh(v);
}

static inline void put16(u8 *p, u16 v)
{
	v = htole16(v);
	memcpy(p, &v, sizeof(v));
}

static inline void put32(u8 *p, u32 v)
{
	v = htole32(v);
	memcpy(p, &v, sizeof(v));
}

static inline void put64(u8 *p, u64 v)
{
	v = htole64(v);
	memcpy(p, &v, sizeof(v));
}

void file_head_put(u8 to[FILE_HEAD], const struct file_head *h);
/* -EINVAL: not the head of a trace; -EBADMSG: a damaged one. */
int file_head_get(struct file_head *h, const u8 from[FILE_HEAD]);

void chunk_put(u8 to[CHUNK_HEAD], const struct chunk *c);
/* -EBADMSG: no head of a chunk, a damaged one, or one with a length above the limits. */
int chunk_get(struct chunk *c, const u8 from[CHUNK_HEAD]);
bool chunk_holds(const struct chunk *c, const u8 *payload); /* whether its checksum is right */
u32 trace_crc(const void *bytes, size_t n);

/* Whether JSON @text is within the limits of META and SUMS, which bound the memory of its parsed
 * form. */
bool object_fits(const void *text, size_t size);

#endif
