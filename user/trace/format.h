/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The bytes of a trace, for those who write and read them; what they mean is in
 * Documentation/trace-format.rst. All numbers are little-endian. */
#ifndef IOSPAN_TRACE_FORMAT_H
#define IOSPAN_TRACE_FORMAT_H

#include <endian.h>
#include <stddef.h>
#include <string.h>
#include "bpf/types.h"

#define TRACE_MAGIC "\x89iospan\n" /* a bit above ASCII, a newline: text it is not */
#define TRACE_MAJOR 1
#define TRACE_MINOR 0
#define CHUNK_MAGIC "ioc1" /* the digit is the major version */

#define FILE_HEAD 24 /* bytes */
#define CHUNK_HEAD 64
#define STORED_MAX (5 << 20)  /* of a chunk, without its head */
#define RAW_MAX (5 << 20)     /* of one that is unpacked as a whole */
#define NAMES_RAW (128 << 10) /* of NAMES: the next name goes into a new one */
#define NAMES_RATIO 8	      /* their raw length is at most so many times the stored */
#define NAME_STORED_MIN 3     /* so a name takes that many bytes of a file, or more */

enum chunk_type {
	CHUNK_META = 1,
	CHUNK_NAMES,
	CHUNK_ACCESSES,
	CHUNK_SUMS,
	CHUNK_END,
};

struct file_head {
	u16 major, minor;
	u32 id; /* random; in each of the file's chunks */
};

struct chunk {
	u32 id;
	u32 number;	       /* in the file, from 0 */
	u16 type;	       /* enum chunk_type; others are for later */
	u32 stored, raw;       /* bytes of the payload; equal: as it is */
	u32 count;	       /* names, or accesses */
	u64 first_ns, last_ns; /* accesses: first begin and last end */
	u32 payload_crc;
};

/* What stands before a name in NAMES. */
#define NAME_FIXED 28 /* bytes of a name, then comes the text */
#define STREAM_FIXED 24
#define NAME_HEAD 4 /* u16 length of all, u8 kind, u8 fixed bytes */
#define KIND_STREAM 255

#define OBJECT_NODES (64 << 10)	  /* '{' and '[' in JSON, at most */
#define OBJECT_VALUES (256 << 10) /* ',' */
#define END_BYTES 24
#define END_FOLLOWED 1
#define META_FIXED 16 /* before its text */

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
/* -EINVAL: no trace begins so; -EBADMSG: one that is damaged. */
int file_head_get(struct file_head *h, const u8 from[FILE_HEAD]);

void chunk_put(u8 to[CHUNK_HEAD], const struct chunk *c);
/* -EBADMSG: no head of a chunk, or a damaged one, or lengths that none has. */
int chunk_get(struct chunk *c, const u8 from[CHUNK_HEAD]);
bool chunk_holds(const struct chunk *c, const u8 *payload); /* its checksum is right */
u32 trace_crc(const void *bytes, size_t n);

/* Whether JSON is no longer than META and SUMS may be, and no more memory once it is read
 * than TRACE_READER_BYTES has for it. */
bool object_fits(const void *text, size_t size);

#endif
