// SPDX-License-Identifier: GPL-2.0-or-later
/* Streams. One call is one access of what the program moved, before buffering:
 * fflush() and fclose() move nothing that was not counted. What the compiler
 * builds into the program (the macros of getc_unlocked() and its like) calls no
 * library and is not seen; nor are wide characters, whose size in the file
 * depends on the locale.
 */
#include "preload/fd.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>

#undef fread_unlocked
#undef fwrite_unlocked

/* A read that gave less than was asked for: end of file, or an error? */
static s64 got(FILE *fp, u64 bytes, u64 asked)
{
	return bytes < asked && ferror_unlocked(fp) ? -1 : (s64)bytes;
}

/* ---- blocks ---- */

#define BLOCK_READ(name, params, args) \
	EXPORT size_t name params \
	{ \
		__typeof__(name) *next = NEXT(#name); \
		size_t ret; \
		CALL(call); \
\
		call_stream(&call, APP_SPAN_READ, fp, size *n); \
		ret = next args; \
		call_end(&call, got(fp, ret *size, size *n)); \
		return ret; \
	}

size_t __fread_chk(void *buf, size_t room, size_t size, size_t n, FILE *fp);
size_t __fread_unlocked_chk(void *buf, size_t room, size_t size, size_t n, FILE *fp);

BLOCK_READ(fread, (void *buf, size_t size, size_t n, FILE *fp), (buf, size, n, fp))
BLOCK_READ(fread_unlocked, (void *buf, size_t size, size_t n, FILE *fp), (buf, size, n, fp))
BLOCK_READ(__fread_chk, (void *buf, size_t room, size_t size, size_t n, FILE *fp),
	   (buf, room, size, n, fp))
BLOCK_READ(__fread_unlocked_chk, (void *buf, size_t room, size_t size, size_t n, FILE *fp),
	   (buf, room, size, n, fp))

#define BLOCK_WRITE(name) \
	EXPORT size_t name(const void *buf, size_t size, size_t n, FILE *fp) \
	{ \
		__typeof__(name) *next = NEXT(#name); \
		size_t ret; \
		CALL(call); \
\
		call_stream(&call, APP_SPAN_WRITE, fp, size *n); \
		ret = next(buf, size, n, fp); \
		call_end(&call, size &&ret < n ? -1 : (s64)(size * n)); \
		return ret; \
	}

BLOCK_WRITE(fwrite)
BLOCK_WRITE(fwrite_unlocked)

/* ---- characters ---- */

#define CHAR_READ(name, params, args, fp) \
	EXPORT int name params \
	{ \
		__typeof__(name) *next = NEXT(#name); \
		int ret; \
		CALL(call); \
\
		call_stream(&call, APP_SPAN_READ, fp, 1); \
		ret = next args; \
		call_end(&call, got(fp, ret != EOF, 1)); \
		return ret; \
	}

int _IO_getc(FILE *fp);
CHAR_READ(fgetc, (FILE * fp), (fp), fp)
CHAR_READ(getc, (FILE * fp), (fp), fp)
CHAR_READ(_IO_getc, (FILE * fp), (fp), fp)
CHAR_READ(fgetc_unlocked, (FILE * fp), (fp), fp)
CHAR_READ(getc_unlocked, (FILE * fp), (fp), fp)
CHAR_READ(getchar, (void), (), stdin)
CHAR_READ(getchar_unlocked, (void), (), stdin)

#define CHAR_WRITE(name, params, args, fp) \
	EXPORT int name params \
	{ \
		__typeof__(name) *next = NEXT(#name); \
		int ret; \
		CALL(call); \
\
		call_stream(&call, APP_SPAN_WRITE, fp, 1); \
		ret = next args; \
		call_end(&call, ret == EOF ? -1 : 1); \
		return ret; \
	}

int _IO_putc(int c, FILE *fp);
CHAR_WRITE(fputc, (int c, FILE *fp), (c, fp), fp)
CHAR_WRITE(putc, (int c, FILE *fp), (c, fp), fp)
CHAR_WRITE(_IO_putc, (int c, FILE *fp), (c, fp), fp)
CHAR_WRITE(fputc_unlocked, (int c, FILE *fp), (c, fp), fp)
CHAR_WRITE(putc_unlocked, (int c, FILE *fp), (c, fp), fp)
CHAR_WRITE(putchar, (int c), (c), stdout)
CHAR_WRITE(putchar_unlocked, (int c), (c), stdout)

/* ---- lines ---- */

/* The call does not tell how much it read: up to the first NUL, which in a line
 * of text is its end. */
#define LINE_READ(name, params, args) \
	EXPORT char *name params \
	{ \
		__typeof__(name) *next = NEXT(#name); \
		u64 asked = n > 0 ? n - 1 : 0; \
		char *ret; \
		CALL(call); \
\
		call_stream(&call, APP_SPAN_READ, fp, asked); \
		ret = next args; \
		if (call.counts) \
			call_end(&call, ret ? (s64)strlen(ret) : got(fp, 0, asked)); \
		return ret; \
	}

char *__fgets_chk(char *buf, size_t room, int n, FILE *fp);
char *__fgets_unlocked_chk(char *buf, size_t room, int n, FILE *fp);

LINE_READ(fgets, (char *buf, int n, FILE *fp), (buf, n, fp))
LINE_READ(fgets_unlocked, (char *buf, int n, FILE *fp), (buf, n, fp))
LINE_READ(__fgets_chk, (char *buf, size_t room, int n, FILE *fp), (buf, room, n, fp))
LINE_READ(__fgets_unlocked_chk, (char *buf, size_t room, int n, FILE *fp), (buf, room, n, fp))

/* What it asks for is not known: a failed one has 0 bytes. */
#define DELIM_READ(name, params, args) \
	EXPORT ssize_t name params \
	{ \
		__typeof__(name) *next = NEXT(#name); \
		ssize_t ret; \
		CALL(call); \
\
		call_stream(&call, APP_SPAN_READ, fp, 0); \
		ret = next args; \
		call_end(&call, ret < 0 && feof_unlocked(fp) ? 0 : ret); \
		return ret; \
	}

DELIM_READ(getline, (char **line, size_t *room, FILE *fp), (line, room, fp))
DELIM_READ(getdelim, (char **line, size_t *room, int delim, FILE *fp), (line, room, delim, fp))
DELIM_READ(__getdelim, (char **line, size_t *room, int delim, FILE *fp), (line, room, delim, fp))

#define STRING_WRITE(name, params, args, fp, newline) \
	EXPORT int name params \
	{ \
		__typeof__(name) *next = NEXT(#name); \
		u64 bytes = 0; \
		int ret; \
		CALL(call); \
\
		if (stream_counts(fp) && call_begin(&call)) { \
			bytes = strlen(s) + newline; \
			call_access(&call, APP_SPAN_WRITE, fileno_unlocked(fp), bytes); \
		} \
		ret = next args; \
		call_end(&call, ret == EOF ? -1 : (s64)bytes); \
		return ret; \
	}

STRING_WRITE(fputs, (const char *s, FILE *fp), (s, fp), fp, 0)
STRING_WRITE(fputs_unlocked, (const char *s, FILE *fp), (s, fp), fp, 0)
STRING_WRITE(puts, (const char *s), (s), stdout, 1)
