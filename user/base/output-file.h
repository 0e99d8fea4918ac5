/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Creates the new file of a struct output in its directory, and renames it when it is complete.
 * Functions return 0 or -errno and print nothing. */
#ifndef IOSPAN_BASE_OUTPUT_FILE_H
#define IOSPAN_BASE_OUTPUT_FILE_H

#include "user/base/output.h"

/* Creates the file as o->fd, if possible with O_TMPFILE: nothing remains after a kill. */
int output_file_make(struct output *o);

/* Gives the file a temporary name, o->temporary, if it has none. */
int output_file_name(struct output *o);

/* Closes the file. If it has a temporary name, removes it. */
void output_file_drop(struct output *o);

/* Syncs the file and renames it to o->name, with owner, mode and access control list of the old
 * file. -EEXIST: a new file has the name since output_open(); -ESTALE: the old one was modified. */
int output_file_put(struct output *o);

#endif
