/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sets the global variables of the BPF programs, for tracer.c. */
#ifndef IOSPAN_TRACER_SETTINGS_H
#define IOSPAN_TRACER_SETTINGS_H

#include "user/kernel/maps.h"
#include "user/kernel/tracer-options.h"

struct iospan; /* the libbpf skeleton of the BPF programs */

/* Sets the variables from the options and from the sizes in @m. Call it before the programs are
 * loaded, because most of these variables are constant after loading. */
void tracer_set_settings(struct iospan *skel, const struct tracer_options *o, const struct maps *m);

#endif
