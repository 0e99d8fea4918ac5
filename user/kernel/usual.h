/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The current median latency of each disk and operation. If the completion of an access was not
 * seen, bpf/lost.h gives it this latency. */
#ifndef IOSPAN_USUAL_H
#define IOSPAN_USUAL_H

struct maps;
struct usual;

/* Writes the medians where the kernel programs and repair.c read them: struct seen_disk. One call
 * does a bounded part of the work on a large machine; the next call continues there. Out of memory
 * ends the program. */
void maps_usual(struct maps *m);

void usual_free(struct usual *u); /* NULL is fine */

#endif
