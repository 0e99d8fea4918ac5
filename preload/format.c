// SPDX-License-Identifier: GPL-2.0-or-later
/* Counts the calls of the printf and scanf families. Each variadic function, such as fprintf(),
 * calls the function that takes a va_list, such as vfprintf(). Only the latter counts the call. */
#include "preload/fd.h"
#include "preload/sandbox.h"
#include <errno.h>
#include <stdarg.h>

/* Defines an interposed function of the printf family. @start is the statement that starts its
 * access. If the function fails, the access has 0 bytes, because the length of the text is not
 * known. */
#define PRINTS(name, params, args, start) \
	EXPORT int name params \
	{ \
		__typeof__(name) *next = NEXT(#name); \
		int ret; \
		CALL(call); \
\
		start; \
		ret = next args; \
		call_end(&call, ret); \
		return ret; \
	}

#define TO_STREAM(fp) call_stream(&call, APP_SPAN_WRITE, fp, 0)
#define TO_FD(fd) call_fd(&call, APP_SPAN_WRITE, fd, 0)

/* variants for programs built with _FORTIFY_SOURCE */
int __vfprintf_chk(FILE *fp, int flag, const char *fmt, va_list ap);
int __vprintf_chk(int flag, const char *fmt, va_list ap);
int __vdprintf_chk(int fd, int flag, const char *fmt, va_list ap);

PRINTS(vfprintf, (FILE * fp, const char *fmt, va_list ap), (fp, fmt, ap), TO_STREAM(fp))
PRINTS(__vfprintf_chk, (FILE * fp, int flag, const char *fmt, va_list ap), (fp, flag, fmt, ap),
       TO_STREAM(fp))
PRINTS(vprintf, (const char *fmt, va_list ap), (fmt, ap), TO_STREAM(stdout))
PRINTS(__vprintf_chk, (int flag, const char *fmt, va_list ap), (flag, fmt, ap), TO_STREAM(stdout))
PRINTS(vdprintf, (int fd, const char *fmt, va_list ap), (fd, fmt, ap), TO_FD(fd))
PRINTS(__vdprintf_chk, (int fd, int flag, const char *fmt, va_list ap), (fd, flag, fmt, ap),
       TO_FD(fd))

#define VARIADIC(name, params, sister, args) \
	EXPORT int name params \
	{ \
		va_list ap; \
		int ret; \
\
		va_start(ap, fmt); \
		ret = sister args; \
		va_end(ap); \
		return ret; \
	}

VARIADIC(fprintf, (FILE * fp, const char *fmt, ...), vfprintf, (fp, fmt, ap))
VARIADIC(__fprintf_chk, (FILE * fp, int flag, const char *fmt, ...), __vfprintf_chk,
	 (fp, flag, fmt, ap))
VARIADIC(printf, (const char *fmt, ...), vprintf, (fmt, ap))
VARIADIC(__printf_chk, (int flag, const char *fmt, ...), __vprintf_chk, (flag, fmt, ap))
VARIADIC(dprintf, (int fd, const char *fmt, ...), vdprintf, (fd, fmt, ap))
VARIADIC(__dprintf_chk, (int fd, int flag, const char *fmt, ...), __vdprintf_chk,
	 (fd, flag, fmt, ap))

/* Returns the position of stream @fp. scanf functions do not return the number of bytes that they
 * read, so libiospan compares the positions before and after the call. ftello() may need a system
 * call, which is cheap compared with the parsing. */
static s64 stream_position(FILE *fp)
{
	int saved = errno;
	s64 at = LIBC(ftello)(fp);

	errno = saved;
	return at;
}

typedef int scan_fn(FILE *fp, const char *fmt, va_list ap);

static int scan_and_count(scan_fn *next, FILE *fp, const char *fmt, va_list ap)
{
	s64 from = 0, bytes = 0;
	bool before = false;
	int ret;
	CALL(call);

	if (may_syscall())
		call_stream(&call, APP_SPAN_READ, fp, 0);
	else if (area && stream_counts(fp))
		add(&area->head.seccomp, 1);
	if (call.counts) {
		from = stream_position(fp);
		before = ferror_unlocked(fp);
	}
	ret = next(fp, fmt, ap);
	if (call.counts && from >= 0)
		bytes = stream_position(fp) - from;
	call_end(&call, ret == EOF && !before && ferror_unlocked(fp) ? -1 : bytes < 0 ? 0 : bytes);
	return ret;
}

/* Defines one family of scanf functions. libc has a family for each C standard that changed the
 * meaning of a conversion. @prefix is the start of its symbols. __asm__ sets the symbols, because
 * <stdio.h> redirects the plain names to another family. If an older libc lacks the newest family,
 * libiospan calls the C99 family. */
#define SCANS(family, prefix) \
	int family##_vfscanf(FILE *fp, const char *fmt, va_list ap) __asm__(prefix "vfscanf"); \
	int family##_vscanf(const char *fmt, va_list ap) __asm__(prefix "vscanf"); \
	int family##_fscanf(FILE *fp, const char *fmt, ...) __asm__(prefix "fscanf"); \
	int family##_scanf(const char *fmt, ...) __asm__(prefix "scanf"); \
	EXPORT int family##_vfscanf(FILE *fp, const char *fmt, va_list ap) \
	{ \
		return scan_and_count(NEXT(prefix "vfscanf") ?: NEXT("__isoc99_vfscanf"), fp, fmt, \
				      ap); \
	} \
	EXPORT int family##_vscanf(const char *fmt, va_list ap) \
	{ \
		return family##_vfscanf(stdin, fmt, ap); \
	} \
	VARIADIC(family##_fscanf, (FILE * fp, const char *fmt, ...), family##_vfscanf, \
		 (fp, fmt, ap)) \
	VARIADIC(family##_scanf, (const char *fmt, ...), family##_vfscanf, (stdin, fmt, ap))

SCANS(gnu, "")
SCANS(isoc99, "__isoc99_")
SCANS(isoc23, "__isoc23_")
