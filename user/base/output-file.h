/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_BASE_OUTPUT_FILE_H
#define IOSPAN_BASE_OUTPUT_FILE_H

#include "user/base/output.h"

/* Makes and opens it, without a name where the file system can do that, so that SIGKILL leaves
 * nothing. */
int output_file_make(struct output *o);
int output_file_name(struct output *o);	 /* gives it the name @o->temporary, unless it has it */
void output_file_drop(struct output *o); /* closes it; under a temporary name it is removed */
/* Puts the complete file at its place, synced, with the owner and mode of the old one. -EEXIST:
 * another file has the name by now. -ESTALE: the old one was written to meanwhile. */
int output_file_put(struct output *o);

#endif
