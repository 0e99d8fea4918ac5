/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_MODEL_PREDICT_SHOW_H
#define IOSPAN_MODEL_PREDICT_SHOW_H

#include "bench/model/predict.h"

void predict_text(FILE *f, const struct model *m, const struct prediction *p);
struct out *predict_json(const struct model *m, const struct prediction *p);
struct out *estimate_json(const struct estimate *e);

#endif
