/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The result of --verify, which is a part of the document. @targets: the names of the targets. */
#ifndef IOSPAN_LOAD_VERIFY_RESULT_H
#define IOSPAN_LOAD_VERIFY_RESULT_H

#include "bench/load/verify.h"
#include "user/result/view.h"

extern const struct view_column verify_checks[], verify_differences[];
struct out *verify_json(const struct verify *v, char *const *targets);

#endif
