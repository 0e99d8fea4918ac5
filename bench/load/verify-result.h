/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints the result of --verify as text and as JSON. @targets: the names of the targets. */
#ifndef IOSPAN_LOAD_VERIFY_RESULT_H
#define IOSPAN_LOAD_VERIFY_RESULT_H

#include <stdio.h>
#include "bench/load/verify.h"

struct out;

void verify_text(FILE *f, const struct verify *v, char *const *targets);
struct out *verify_json(const struct verify *v, char *const *targets);

#endif
