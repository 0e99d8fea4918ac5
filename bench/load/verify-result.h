/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What verifying found, in words. @targets are the names, in order. */
#ifndef IOSPAN_VERIFY_RESULT_H
#define IOSPAN_VERIFY_RESULT_H

#include <stdio.h>
#include "bench/load/verify.h"

struct out;

void verify_text(FILE *f, const struct verify *v, char *const *targets);
struct out *verify_json(const struct verify *v, char *const *targets);

#endif
