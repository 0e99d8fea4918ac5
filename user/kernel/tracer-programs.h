/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A part of tracer.c: which kernel programs are loaded. */
#ifndef IOSPAN_TRACER_PROGRAMS_H
#define IOSPAN_TRACER_PROGRAMS_H

#include "user/kernel/tracer.h"

struct iospan; /* the skeleton */

/* Those of the layers that are on, in the forms that this kernel takes. */
void tracer_programs_choose(struct iospan *skel, const struct tracer_options *o);

#endif
