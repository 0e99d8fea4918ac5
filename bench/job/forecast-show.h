/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The predictions for a recorded job as a document, with the recording beside them. */
#ifndef IOSPAN_FORECAST_SHOW_H
#define IOSPAN_FORECAST_SHOW_H

#include "bench/job/forecast.h"
#include "user/result/view.h"

/* Returns a document with the predictions of accesses of @layer for @n disks. @f: one per disk. */
struct out *forecast_document(const struct job *j, enum layer layer, const struct forecast *f,
			      unsigned n);
extern const struct view forecast_views[];

#endif
