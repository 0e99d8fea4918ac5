/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints JSON documents. A node is any JSON value; a scalar is a value other than an object or
 * array. */
#ifndef IOSPAN_BASE_OUT_PRINT_H
#define IOSPAN_BASE_OUT_PRINT_H

#include <stdio.h>

#include "user/base/out.h"

/* Print @node and a newline: out_json() with indentation, out_json_line() in one line. @f remembers
 * a write error, and out_finish() reports it. */
void out_json(FILE *f, struct out *node);
void out_json_line(FILE *f, struct out *node);

/* Returns @node as JSON in one line. Equal documents give equal lines: keys are sorted by bytes,
 * and there are no blanks. Leaves out key @except of the outermost object (NULL: no key). The
 * caller frees the text. */
char *out_canonical(const struct out *node, const char *except);

/* Returns a scalar as text: a string without quotes, a number with all digits. Returns "" if @node
 * is NULL or JSON's null. The caller frees the text. */
char *out_plain(const struct out *node);

/* Flushes @f. If this or an earlier write failed, prints an error that names @name, and returns
 * -errno. If stdout is a pipe without a reader, returns -EPIPE without a message; main() then ends
 * iospan by SIGPIPE. */
int out_finish(FILE *f, const char *name);

#endif
