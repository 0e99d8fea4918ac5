// SPDX-License-Identifier: GPL-2.0-or-later
/* Compares mutual information with other implementations. */
#include "user/stats/information.h"
#include "user/stats/plane.h"
#include "tests/unit/vectors.h"

static double x[VECTOR_PAIRS], y[VECTOR_PAIRS];

static double nearest_of(size_t n, unsigned k)
{
	struct neighbours *s = neighbours_new(n, x, y, 1);
	double nats = neighbours_information(s, k, NULL);

	neighbours_free(s);
	return nats;
}

TEST(reference_vectors_of_neighbours)
{
	struct vectors v;
	int cases = 0;

	ASSERT_TRUE(vectors_open(&v, "mi_ksg_expected"));
	for (; vectors_next(&v); cases++) {
		size_t n = vectors_pairs("pairs", v.cell[0], x, y);
		double nats = nearest_of(n, vectors_number(&v, 2));

		expect_same(v.cell[0], nats, vectors_number(&v, 3), 1e-9);
		expect_same(v.cell[0], information_linfoot(nats), vectors_number(&v, 5), 1e-9);
	}
	EXPECT_EQ(cases, 6);
}

static void expect_labels(const struct vectors *v, size_t n, const uint32_t *a, const uint32_t *b)
{
	struct shared_entropy e = information_of_labels(n, a, b, 16);

	EXPECT_EQ(n, vectors_number(v, 1));
	expect_same(v->cell[0], e.information, vectors_number(v, 2), 1e-12);
	expect_same(v->cell[0], information_normalised(e), vectors_number(v, 3), 1e-12);
}

TEST(reference_vectors_of_labels)
{
	uint32_t a[VECTOR_PAIRS], b[VECTOR_PAIRS];
	struct vectors v;
	int cases = 0;

	ASSERT_TRUE(vectors_open(&v, "nmi_discrete_expected"));
	for (; vectors_next(&v); cases++) {
		char *width = strchr(v.cell[0], ':');
		size_t n;

		if (width)
			*width = '\0';
		n = vectors_pairs(width ? "pairs" : "labels", v.cell[0], x, y);
		if (width) {
			uint32_t bins = strtoul(width + strlen(":equal_width_"), NULL, 10);

			information_bins(n, x, bins, a);
			information_bins(n, y, bins, b);
		}
		for (size_t i = 0; !width && i < n; i++) {
			a[i] = x[i];
			b[i] = y[i];
		}
		expect_labels(&v, n, a, b);
	}
	EXPECT_EQ(cases, 13);
}

/* The search tree must find the same nearest points as a comparison with all points. Many points
 * may be equal. */
TEST(nearest_of_all)
{
	srand(1);
	for (int round = 0; round < 200; round++) {
		size_t n = 1 + rand() % 60;
		int values = 1 + rand() % 40;
		double at[2] = { rand() % values, rand() % values }, away[60];
		struct plane *p;

		for (size_t i = 0; i < n; i++) {
			size_t j = i;

			x[i] = rand() % values;
			y[i] = rand() % values;
			away[i] = fmax(fabs(at[0] - x[i]), fabs(at[1] - y[i]));
			for (; j && away[j - 1] > away[j]; j--) {
				double larger = away[j - 1];

				away[j - 1] = away[j];
				away[j] = larger;
			}
		}
		p = plane_new(n, x, y, NULL);
		for (unsigned k = 1; k <= n && k <= PLANE_NEAREST; k++)
			EXPECT_NEAR(plane_nearest(p, at, k), away[k - 1], 0);
		plane_free(p);
	}
}

/* On a grid, several neighbours of a point have the same distance. The result must still be right,
 * and must be the same in each call. */
TEST(equal_numbers)
{
	for (int i = 0; i < 1000; i++) {
		x[i] = i % 10;
		y[i] = i / 100;
	}
	EXPECT_NEAR(nearest_of(1000, 3), 0, 0.1);
	for (int i = 0; i < 1000; i++)
		y[i] = i % 10;
	EXPECT_GT(information_linfoot(nearest_of(1000, 3)), 0.95);
	EXPECT_NEAR(nearest_of(1000, 3), nearest_of(1000, 3), 0);
}

TEST(another_order)
{
	double in_order[VECTOR_PAIRS];
	uint32_t order[VECTOR_PAIRS];
	size_t n = vectors_pairs("pairs", "job_173", x, y);
	struct neighbours *s = neighbours_new(n, x, y, 1);
	double nats;

	for (size_t i = 0; i < n; i++) {
		/* n is 173, a prime number, so this order contains each index exactly once */
		order[i] = i * 100 % n;
		in_order[i] = y[order[i]];
	}
	nats = neighbours_information(s, 3, order);
	neighbours_free(s);
	s = neighbours_new(n, x, in_order, 1);
	EXPECT_NEAR(neighbours_information(s, 3, NULL), nats, 1e-12);
	neighbours_free(s);
}

TEST(nothing_to_tell)
{
	for (int i = 0; i < 100; i++) {
		x[i] = i;
		y[i] = 7;
	}
	EXPECT_TRUE(isnan(nearest_of(100, 3)));
	EXPECT_TRUE(isnan(nearest_of(0, 3)));
	y[0] = 8;
	EXPECT_TRUE(isnan(nearest_of(3, 3)));
	EXPECT_TRUE(!isnan(nearest_of(4, 3)));
	EXPECT_TRUE(isnan(information_linfoot(NAN)));
	EXPECT_NEAR(information_linfoot(-0.2), 0, 0);
}

TEST_MAIN
