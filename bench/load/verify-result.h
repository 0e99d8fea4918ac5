/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The result of --verify as text and JSON. @targets are the names, in order. */
#ifndef IOSPAN_LOAD_VERIFY_RESULT_H
#define IOSPAN_LOAD_VERIFY_RESULT_H

#include <stdio.h>
#include "bench/load/verify.h"

struct out;

void verify_text(FILE *f, const struct verify *v, char *const *targets);
struct out *verify_json(const struct verify *v, char *const *targets);

#endif
