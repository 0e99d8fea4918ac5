/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Converts the result of --verify to JSON. */
#ifndef IOSPAN_LOAD_VERIFY_RESULT_H
#define IOSPAN_LOAD_VERIFY_RESULT_H

#include "bench/load/verify.h"
#include "user/result/view.h"

extern const struct view_column verify_checks[], verify_differences[];

#define VERIFY_TEXT 48
/* Writes the end of a conclusion, such as "; 2 differences found", to @text, which has VERIFY_TEXT
 * bytes. Without --verify, @v is NULL and the text is empty. Returns @text. */
char *verify_text(char text[VERIFY_TEXT], const struct verify *v);
struct out *verify_json(const struct verify *v, char *const *targets);

#endif
