// SPDX-License-Identifier: GPL-2.0-or-later
/* Interposes functions for stdio streams. One call is one access. Its bytes are those that the
 * program reads or writes, before buffering. fflush() and fclose() do not count, because they only
 * write bytes that were counted before. libiospan does not see macros such as getc_unlocked(). It
 * does not count wide characters, because their size in the file depends on the locale. */
#include "preload/fd.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>

#undef fread_unlocked
#undef fwrite_unlocked

/* Returns @bytes, or -1 if the read was shorter than @requested because of an error. A stream keeps
 * its error flag. So if @before, the flag from before the read, is already true, the flag does not
 * show if this read failed. */
static s64 bytes_read(FILE *fp, u64 bytes, u64 requested, bool before)
{
	return bytes < requested && !before && ferror_unlocked(fp) ? -1 : (s64)bytes;
}

#define BLOCK_READ(name, params, args) \
	EXPORT size_t name params \
	{ \
		__typeof__(name) *next = NEXT(#name); \
		size_t ret; \
		bool before; \
		CALL(call); \
\
		call_stream(&call, APP_SPAN_READ, fp, size *n); \
		before = call.counts && ferror_unlocked(fp); \
		ret = next args; \
		call_end(&call, bytes_read(fp, ret *size, size *n, before)); \
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

#define CHAR_READ(name, params, args, fp) \
	EXPORT int name params \
	{ \
		__typeof__(name) *next = NEXT(#name); \
		int ret; \
		bool before; \
		CALL(call); \
\
		call_stream(&call, APP_SPAN_READ, fp, 1); \
		before = call.counts && ferror_unlocked(fp); \
		ret = next args; \
		call_end(&call, bytes_read(fp, ret != EOF, 1, before)); \
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

/* Defines an interposed fgets(). It does not return the number of bytes read, so libiospan counts
 * the bytes up to the first NUL. In a text, this is the whole line. */
#define LINE_READ(name, params, args) \
	EXPORT char *name params \
	{ \
		__typeof__(name) *next = NEXT(#name); \
		u64 requested = n > 0 ? n - 1 : 0; \
		char *ret; \
		bool before; \
		CALL(call); \
\
		call_stream(&call, APP_SPAN_READ, fp, requested); \
		before = call.counts && ferror_unlocked(fp); \
		ret = next args; \
		if (call.counts) \
			call_end(&call, \
				 ret ? (s64)LIBC(strlen)(ret) : \
				       bytes_read(fp, 0, requested, before)); \
		return ret; \
	}

char *__fgets_chk(char *buf, size_t room, int n, FILE *fp);
char *__fgets_unlocked_chk(char *buf, size_t room, int n, FILE *fp);

LINE_READ(fgets, (char *buf, int n, FILE *fp), (buf, n, fp))
LINE_READ(fgets_unlocked, (char *buf, int n, FILE *fp), (buf, n, fp))
LINE_READ(__fgets_chk, (char *buf, size_t room, int n, FILE *fp), (buf, room, n, fp))
LINE_READ(__fgets_unlocked_chk, (char *buf, size_t room, int n, FILE *fp), (buf, room, n, fp))

/* Defines an interposed getline() or similar function. A failed call is counted with 0 bytes,
 * because the number of requested bytes is not known. */
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
		if (stream_counts(fp) && call_start(&call)) { \
			bytes = LIBC(strlen)(s) + newline; \
			call_access(&call, APP_SPAN_WRITE, LIBC(fileno_unlocked)(fp), bytes); \
		} \
		ret = next args; \
		call_end(&call, ret == EOF ? -1 : (s64)bytes); \
		return ret; \
	}

STRING_WRITE(fputs, (const char *s, FILE *fp), (s, fp), fp, 0)
STRING_WRITE(fputs_unlocked, (const char *s, FILE *fp), (s, fp), fp, 0)
STRING_WRITE(puts, (const char *s), (s), stdout, 1)
