/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The predictions for a recorded job as a document, with the recording beside them. */
#ifndef IOSPAN_FORECAST_SHOW_H
#define IOSPAN_FORECAST_SHOW_H

#include "bench/job/forecast.h"
#include "user/result/view.h"

struct out *forecast_document(const struct forecasts *f);
/* Draws plots of each result. @forecasts: struct forecasts. Returns 0 or -errno; prints the
 * error. */
int forecast_plots(FILE *html, const void *forecasts);
extern const struct view forecast_views[];

#endif
