/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Encodes and decodes the heads of a trace file and of its chunks. Documentation/trace-format.rst
 * specifies all bytes. All numbers are little-endian. */
#ifndef IOSPAN_TRACE_FORMAT_H
#define IOSPAN_TRACE_FORMAT_H

#include <endian.h>
#include <stddef.h>
#include <string.h>
#include "bpf/types.h"

/* 0x89 is not ASCII, so that programs do not take the file for text */
#define TRACE_MAGIC "\x89iospan\n"
#define TRACE_MAJOR 1
#define TRACE_MINOR 0
#define CHUNK_MAGIC "ioc1" /* the digit is the major version of the format */

#define FILE_HEAD 24	     /* size in bytes of the head of a file */
#define CHUNK_HEAD 64	     /* size in bytes of the head of a chunk */
#define STORED_MAX (5 << 20) /* largest payload of a chunk in the file, in bytes */
#define RAW_MAX (5 << 20)    /* largest payload after unpacking, in bytes */
/* if a NAMES chunk has this size before packing, the writer starts a new one */
#define NAMES_RAW (128 << 10)
/* largest ratio of the unpacked size of a NAMES chunk to its size in the file */
#define NAMES_RATIO 8
/* smallest size of a name in the file, in bytes; follows from NAMES_RATIO */
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
	u32 id; /* random number, which each chunk of the file has too */
};

struct chunk {
	u32 id;	    /* id of the file, as in struct file_head */
	u32 number; /* number of the chunk in the file, from 0 without gaps */
	u16 type;   /* enum chunk_type; readers skip chunks of other types */
	/* bytes of the payload in the file, and unpacked; if equal, it is not packed */
	u32 stored, raw;
	u32 count; /* number of names or accesses */
	/* only in ACCESSES chunks: first start and last end of the accesses */
	u64 first_ns, last_ns;
	u32 payload_crc; /* checksum of the payload as it is in the file */
};

/* Sizes in a record of a NAMES chunk. The record has three parts: NAME_HEAD bytes (u16 length of
 * the record, u8 kind, u8 length of the second part), a part of fixed length, and the text of the
 * name. */
#define NAME_HEAD 4
#define NAME_FIXED 28	/* length of the second part if the record is a name */
#define STREAM_FIXED 24 /* length of the second part if the record is a stream */
#define KIND_STREAM 255 /* kind of a record that is a stream; names have enum trace_kind */

#define META_FIXED 16  /* bytes before the JSON text in a META chunk */
#define END_BYTES 24   /* size of the payload of an END chunk */
#define END_FOLLOWED 1 /* flag in an END chunk: the trace continues in another file */

/* Limits of the JSON in META and SUMS chunks, see object_fits(). */
#define OBJECT_NODES (64 << 10)	  /* largest number of '{' and '[' */
#define OBJECT_VALUES (256 << 10) /* largest number of ',' */

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
/* Decodes the head of a file. Returns 0; -EINVAL if @from is not the head of a trace; or -EBADMSG
 * if the head is damaged. */
int file_head_get(struct file_head *h, const u8 from[FILE_HEAD]);

void chunk_put(u8 to[CHUNK_HEAD], const struct chunk *c);
/* Decodes the head of a chunk. Returns -EBADMSG if @from is not such a head, if it is damaged, or
 * if a length in it is above the limits. */
int chunk_get(struct chunk *c, const u8 from[CHUNK_HEAD]);
/* returns true if the checksum matches */
bool chunk_holds(const struct chunk *c, const u8 *payload);
u32 trace_crc(const void *bytes, size_t n);

/* Returns true if the JSON @text keeps the limits for META and SUMS chunks. They bound the memory
 * that parsing takes. */
bool object_fits(const void *text, size_t size);

#endif
