/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Converts the result of --verify to JSON. */
#ifndef IOSPAN_LOAD_VERIFY_RESULT_H
#define IOSPAN_LOAD_VERIFY_RESULT_H

#include "bench/load/verify.h"
#include "user/result/view.h"

extern const struct view_column verify_checks[], verify_differences[];
struct out *verify_json(const struct verify *v, char *const *targets);

#endif
