/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Values at places, guessed between others that were measured anywhere: kriging, also known as
 * regression by a Gaussian process (Rasmussen and Williams 2006, chapters 2, 4 and 5).
 *
 * What two places have in common becomes less with their distance (their Matern function of
 * 3/2, equation 4.17), which has a length of its own in each direction. Each measurement is off
 * by chance; and besides by what it has in common with those just before and after it, because
 * a machine is faster or slower for a while (Ornstein's and Uhlenbeck's process, section 4.2.1). */
#ifndef IOSPAN_KRIGING_H
#define IOSPAN_KRIGING_H

#define KRIGING_MOST 8 /* directions */

/* That a scale may have: what tells nothing has a length without end. */
#define KRIGING_LEAST 1e-6
#define KRIGING_LARGEST 1e6

struct kriging_scale {
	double length[KRIGING_MOST];
	/* standard deviations: of the values; of a measurement where the last direction is 0, and
	 * where it is 1, between by their logarithms; and of what those of a time have in common, */
	double deviation, noise[2], drift;
	double memory; /* of which 1 / e is left after so many measurements */
};

struct kriging;

/* @n values @y, as they were measured one after the other, at @x, @directions numbers each, one
 * place after the other; both are copied. NULL: they cannot be told apart at that scale. */
struct kriging *kriging_new(unsigned directions, unsigned n, const double *x, const double *y,
			    const struct kriging_scale *scale);
void kriging_free(struct kriging *k);

/* At no time in particular. */
double kriging_at(const struct kriging *k, const double *x);
/* The same where each of the values is, if that had not been measured (as equation 5.12). */
void kriging_without(const struct kriging *k, double *to);
/* How far a measurement is off where value @i is, by chance and by its time: a standard
 * deviation. */
double kriging_chance(const struct kriging *k, unsigned i);

/* The scale that makes the values most likely (equation 2.30), where lengths are known to be
 * of the order of 1; the search begins at @scale. */
void kriging_fit(unsigned directions, unsigned n, const double *x, const double *y,
		 struct kriging_scale *scale);

#endif
