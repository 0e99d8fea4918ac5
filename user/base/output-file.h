/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The new file of an output, in the directory where it will get its name. The functions return
 * 0 or -errno and print no error. */
#ifndef IOSPAN_BASE_OUTPUT_FILE_H
#define IOSPAN_BASE_OUTPUT_FILE_H

#include "user/base/output.h"

/* Creates the file and opens it as @o->fd. Where the file system supports O_TMPFILE, the file has
 * no name, so that nothing remains if the process is killed. */
int output_file_make(struct output *o);

/* Gives the file the name @o->temporary, unless it has that already. */
int output_file_name(struct output *o);

/* Closes the file, and removes it if it has a temporary name. */
void output_file_drop(struct output *o);

/* Syncs the complete file and moves it to @o->name, with owner, mode and access control list of
 * the file that it replaces. -EEXIST: another file has taken the name since output_open().
 * -ESTALE: the old file was modified since then. */
int output_file_put(struct output *o);

#endif
