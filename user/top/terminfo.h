/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Descriptions of common terminals, for systems without a terminfo database, such as the root of a
 * container. */
#ifndef IOSPAN_TERMINFO_H
#define IOSPAN_TERMINFO_H

/* Returns the description of the terminal @term, as a value of the variable TERMINFO. Returns NULL
 * if @term is NULL or unknown. */
const char *terminfo_find(const char *term);

#endif
