// SPDX-License-Identifier: GPL-2.0-or-later
/* Measures a curve over one parameter: chooses the value to measure next. */
#include "bench/scale/sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/err.h"

#define PAGE 4096
/* no point is measured between two fractions that differ by less than this */
#define NEAR_SHARE 0.1
/* no point is measured between two sizes that differ by less than this factor */
#define NEAR_FACTOR 1.1

void sweep_add(struct sweep *s, const struct sample *p)
{
	double v = p->at.v[s->along];
	unsigned i = s->n;

	for (unsigned k = 0; k < s->n; k++)
		if (s->points[k] == p)
			return;
	s->points = need(reallocarray(s->points, s->n + 1, sizeof(*s->points)));
	for (; i && sweep_value(s, i - 1) > v; i--)
		s->points[i] = s->points[i - 1];
	s->points[i] = p;
	s->n++;
}

void sweep_gather(struct sweep *s, const struct samples *all, const struct workload *base,
		  bool ring, struct range within)
{
	for (unsigned i = 0; i < all->n; i++) {
		struct workload like = all->list[i]->at;
		double v = like.v[s->along];

		like.v[s->along] = base->v[s->along];
		if (all->list[i]->ring == ring && v >= within.min && v <= within.max &&
		    !memcmp(&like, base, sizeof(like)))
			sweep_add(s, all->list[i]);
	}
}

void sweep_free(struct sweep *s)
{
	free(s->points);
	s->points = NULL;
	s->n = 0;
}

double sweep_value(const struct sweep *s, unsigned i)
{
	return s->points[i]->at.v[s->along];
}

double sweep_x(const struct sweep *s, unsigned i)
{
	return parameter_axis(s->along, sweep_value(s, i));
}

double sweep_y(const struct sweep *s, unsigned i)
{
	return log(s->points[i]->bandwidth);
}

double whole_pages(double bytes)
{
	return round(bytes / PAGE) * PAGE;
}

double parameter_middle(enum parameter p, double a, double b)
{
	double v;

	switch (parameters[p].kind) {
	case PARAM_FRACTION:
		return b - a < NEAR_SHARE ? NAN : (a + b) / 2;
	case PARAM_BYTES:
		v = b / a < NEAR_FACTOR ? NAN : whole_pages(sqrt(a * b));
		break;
	default:
		v = round(sqrt(a * b));
	}
	return v > a && v < b ? v : NAN;
}

/* The smallest and the largest bandwidth on a curve, as logarithms. */
struct extent {
	double least, most;
	double half; /* half the 95 % confidence interval of the difference .most - .least */
};

static struct extent performance(const struct sweep *s)
{
	unsigned least = 0, most = 0;

	for (unsigned i = 1; i < s->n; i++) {
		least = sweep_y(s, i) < sweep_y(s, least) ? i : least;
		most = sweep_y(s, i) > sweep_y(s, most) ? i : most;
	}
	return (struct extent){
		sweep_y(s, least),
		sweep_y(s, most),
		hypot(sample_half(s->points[least]), sample_half(s->points[most])),
	};
}

double sweep_longest(const struct sweep *s)
{
	const struct extent e = performance(s);
	double height = fmax(e.most - e.least, 2 * M_LN2), longest = 0, at = NAN;

	for (unsigned i = 0; i + 1 < s->n; i++) {
		double middle =
			parameter_middle(s->along, sweep_value(s, i), sweep_value(s, i + 1));
		double width = sweep_x(s, s->n - 1) - sweep_x(s, 0);
		double length = hypot((sweep_x(s, i + 1) - sweep_x(s, i)) / width,
				      (sweep_y(s, i + 1) - sweep_y(s, i)) / height);

		if (isnan(middle) || length <= longest)
			continue;
		longest = length;
		at = middle;
	}
	return at;
}

/* Returns a value of the parameter between point @i and the next point. @share is the position
 * between them: 0 means point @i, 1 the next point, 0.5 the middle. Rounds a size to pages, and a
 * number of processes or requests to a whole number. */
static double between(const struct sweep *s, unsigned i, double share)
{
	double x = sweep_x(s, i) + share * (sweep_x(s, i + 1) - sweep_x(s, i));

	switch (parameters[s->along].kind) {
	case PARAM_FRACTION:
		return x;
	case PARAM_BYTES:
		return fmax(whole_pages(exp(x)), PAGE);
	default:
		return round(exp(x));
	}
}

double sweep_half_way(const struct sweep *s)
{
	const struct extent e = performance(s);
	double least = exp(e.least), most = exp(e.most), level = (least + most) / 2;
	unsigned i = 0;

	if (most - least < SWEEP_FLAT * most || e.most - e.least < e.half)
		return sweep_value(s, 0);
	while ((s->points[i]->bandwidth < level) == (s->points[i + 1]->bandwidth < level))
		i++;
	return between(s, i,
		       (level - s->points[i]->bandwidth) /
			       (s->points[i + 1]->bandwidth - s->points[i]->bandwidth));
}

/* Returns the first value of the parameter at which performance reaches @level. If performance
 * never reaches @level, returns the last value of the curve. Each point may be too high or too low
 * by its half-width in @half. If @up is 1, moves all points by their half-widths so that they reach
 * @level earlier. If @up is -1, moves them so that they reach it later. So the results for 1 and -1
 * are the two ends of a confidence interval. @level and @half are logarithms. */
static double first_at(const struct sweep *s, double level, const double *half, double up)
{
	double sign = sweep_y(s, 0) < level ? 1 : -1, before = 0;

	for (unsigned i = 0; i < s->n; i++) {
		double above = sign * (sweep_y(s, i) - level) + up * half[i];

		if (above >= 0)
			return i ? between(s, i - 1, before / (before - above)) : sweep_value(s, 0);
		before = above;
	}
	return sweep_value(s, s->n - 1);
}

struct range sweep_half_way_band(const struct sweep *s, double chance)
{
	const struct extent e = performance(s);
	double least = exp(e.least), most = exp(e.most), value = sweep_half_way(s);
	double of_level = hypot(e.half, M_SQRT2 * Z95 * chance) * most / (least + most);
	double *half = need(calloc(s->n + 1, sizeof(*half)));
	struct range band;

	for (unsigned i = 0; i < s->n; i++)
		half[i] = hypot(hypot(sample_half(s->points[i]), Z95 * chance), of_level);
	band.min = fmin(value, first_at(s, log((least + most) / 2), half, 1));
	band.max = fmax(value, first_at(s, log((least + most) / 2), half, -1));
	free(half);
	return band;
}

struct range sweep_good(const struct sweep *s)
{
	double level = SWEEP_GOOD * exp(performance(s).most);
	struct range good = { NAN, NAN };

	for (unsigned i = 0; i < s->n; i++) {
		if (s->points[i]->bandwidth < level)
			continue;
		good.max = sweep_value(s, i);
		if (isnan(good.min))
			good.min = good.max;
	}
	return good;
}
