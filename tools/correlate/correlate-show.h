/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_CORRELATE_CORRELATE_SHOW_H
#define IOSPAN_CORRELATE_CORRELATE_SHOW_H

#include "tools/correlate/correlate.h"

/* Prints all results of a study as text. */
void correlate_text(FILE *f, const struct correlation_study *c);
/* Prints only the table of I/O times. */
void correlate_times_text(FILE *f, const struct correlation_study *c);

#endif
