/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Creates the file of an output (output.h). While iospan writes the file, it has a temporary name,
 * or none. When the file is complete, it gets its final name. Functions return 0 or -errno and
 * print nothing. */
#ifndef IOSPAN_BASE_OUTPUT_FILE_H
#define IOSPAN_BASE_OUTPUT_FILE_H

#include "user/base/output.h"

/* Creates the file and opens it as o->fd. If the file system supports O_TMPFILE, the file has no
 * name yet, so that nothing remains if iospan is killed. */
int output_file_make(struct output *o);

/* Gives the new file a temporary name, o->temporary, unless it already has one. */
int output_file_name(struct output *o);

/* Closes the file. If the file has a temporary name, removes the file. */
void output_file_drop(struct output *o);

/* Syncs the complete new file and renames it to o->name. If it replaces an old file, it gets the
 * owner, mode and access control list of the old file. Fails if another program has written to this
 * name since output_open(): returns -EEXIST for a new file, and -ESTALE if the old file was
 * modified. */
int output_file_put(struct output *o);

#endif
