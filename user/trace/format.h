/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Encodes and decodes the heads of a trace file and of its chunks, little-endian. A NAMES chunk has
 * names and streams, each in a record. A stream is a set of attributes that many accesses share,
 * such as disk and process. Documentation/trace-format.rst has the format. */
#ifndef IOSPAN_TRACE_FORMAT_H
#define IOSPAN_TRACE_FORMAT_H

#include <endian.h>
#include <stddef.h>
#include <string.h>
#include "bpf/types.h"

/* first bytes of a trace file; 0x89 is not ASCII, so that no program takes the file for text */
#define TRACE_MAGIC "\x89iospan\n"
#define TRACE_MAJOR 1
#define TRACE_MINOR 0
/* first bytes of each chunk; the digit 1 is the major version of the format */
#define CHUNK_MAGIC "ioc1"

#define FILE_HEAD 24	     /* size in bytes of the head of a file */
#define CHUNK_HEAD 64	     /* size in bytes of the head of a chunk */
#define STORED_MAX (5 << 20) /* limit of a chunk's payload as stored in the file, in bytes */
#define RAW_MAX (5 << 20)    /* limit of a chunk's payload after decompression, in bytes */
/* size before compression, in bytes, at which the writer starts a new NAMES chunk */
#define NAMES_RAW (128 << 10)
/* Largest factor by which compression may shrink a NAMES chunk. If the factor would be larger, the
 * writer stores the chunk uncompressed. A reader refuses a chunk with a larger factor, so that a
 * small hostile file cannot fill the memory with names. */
#define NAMES_RATIO 8
/* A name or stream takes at least this number of bytes in the file. Its record has at least 28
 * bytes, and compression makes it at most NAMES_RATIO times smaller. Names are numbered from 1. So
 * a reader accepts the number N only if the file is large enough for N names. */
#define NAME_STORED_MIN 3

enum chunk_type {
	CHUNK_META = 1,
	CHUNK_NAMES,
	CHUNK_ACCESSES,
	CHUNK_SUMS,
	CHUNK_END,
};

struct file_head {
	u16 major, minor;
	u32 id; /* random number that identifies the file; it is in each chunk's head too */
};

struct chunk {
	u32 id; /* id of the file that the chunk belongs to, see struct file_head */
	/* position of the chunk in the file: 0, 1, 2 and so on; a gap shows that chunks are lost */
	u32 number;
	u16 type; /* enum chunk_type; readers skip chunks of unknown types */
	/* Size of the payload in bytes. .stored: as it is in the file. .raw: after decompression.
	 * The two sizes are equal if the payload is not compressed. */
	u32 stored, raw;
	u32 count; /* number of names and streams, or of accesses, in the chunk */
	/* ACCESSES chunks only: earliest start and latest end of the accesses */
	u64 first_ns, last_ns;
	u32 payload_crc; /* checksum of the payload as stored in the file */
};

/* Size in bytes of the head of a record. A NAMES chunk has one record for each name or stream. A
 * record has a head, fields of fixed size and, for a name, its text. The head has: u16 length of
 * the record, u8 kind, u8 size of the fields of fixed size. */
#define NAME_HEAD 4
#define NAME_FIXED 28	/* size in bytes of a name's fields of fixed size */
#define STREAM_FIXED 24 /* size in bytes of a stream's fields of fixed size */
#define KIND_STREAM 255 /* kind in the record of a stream; names have a kind of enum trace_kind */

#define META_FIXED 16 /* size of the binary fields before the JSON text in a META chunk */
#define END_BYTES 24  /* size in bytes of an END chunk's payload */
/* flag in the END chunk of a split trace: the trace continues in another file */
#define END_FOLLOWED 1

/* Limits of the JSON text in META and SUMS chunks. object_fits() checks them before the text is
 * parsed. */
#define OBJECT_NODES (64 << 10)	  /* largest number of '{' and '[' */
#define OBJECT_VALUES (256 << 10) /* largest number of ',' in the text */

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
/* Decodes the head of a trace file. Returns 0, -EINVAL if the file is not a trace, or -EBADMSG if
 * the checksum is wrong. */
int file_head_get(struct file_head *h, const u8 from[FILE_HEAD]);

void chunk_put(u8 to[CHUNK_HEAD], const struct chunk *c);
/* Decodes the head of a chunk. Returns 0. Returns -EBADMSG if @from is not the head of a chunk, or
 * if a length or the checksum of the head is wrong. */
int chunk_get(struct chunk *c, const u8 from[CHUNK_HEAD]);
/* Returns true if @payload has the checksum that the chunk's head states. */
bool chunk_holds(const struct chunk *c, const u8 *payload);
u32 trace_crc(const void *bytes, size_t n);

/* Returns true if the JSON text of a META or SUMS chunk is within TRACE_OBJECT, OBJECT_NODES and
 * OBJECT_VALUES. These limits bound the memory of the parser, because the file may be hostile. */
bool object_fits(const void *text, size_t size);

#endif
