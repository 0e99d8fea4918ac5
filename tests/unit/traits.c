// SPDX-License-Identifier: GPL-2.0-or-later
/* Sentences about storage whose times are known: if these fail, they say what is not so, or
 * what the points do not bear. */
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "../../user/out.h"
#include "../../user/traits.h"
#include "../harness.h"

#define MB 1048576.0
#define US 1e3
#define MS 1e6
#define MOST_POINTS 8

/* What a request takes of a bus that all share, and what besides. */
struct device {
	double request, seek, byte, write, latency;	/* ns */
	double at_once;		/* requests that it takes; 0: all */
	bool cached;		/* reads reach no disk */
	bool turns;		/* nothing is sequential when several processes take turns */
};

/* A head in the middle of 8 ms; a queue of one; flash, which gets faster up to 20 at once. */
static const struct device
	head = { .request = 100 * US, .seek = 8 * MS, .byte = 10 },
	single = { .request = 500 * US, .at_once = 1 },
	flash = { .latency = 80 * US, .request = 2 * US, .byte = 1 / 3.0, .write = 15 * US };

static double iops(const struct device *d, const double v[PARAMETERS])
{
	double seq = d->turns && v[PARAM_PROCS] > 1 ? 0 : v[PARAM_SEQ];
	double bus = d->request + (1 - seq) * d->seek + v[PARAM_SIZE] * d->byte +
		     (1 - v[PARAM_READ]) * d->write;
	double n = v[PARAM_PROCS] * v[PARAM_DEPTH];

	if (d->at_once && n > d->at_once)
		n = d->at_once;
	return 1e9 * fmin(n / (bus + d->latency), 1 / bus);
}

/* ---- a region of curves over it ---- */

struct made {
	struct region region;
	struct point points[PARAMETERS][MOST_POINTS];
};

static const struct range axes[PARAMETERS] = {
	{ MB, 16 * MB }, { 4096, MB }, { 0, 1 }, { 0, 1 }, { 1, 16 }, { 1, 64 },
};

static struct point point_of(const struct device *d, const struct workload *w, double half,
			     gsl_rng *rng)
{
	double rate = iops(d, w->v);
	struct point p = { .at = *w, .half_width = half, .steady = true };

	if (rng)
		rate *= 1 + gsl_ran_gaussian(rng, half / 1.96);
	p.value[QUANTITY_IOPS] = rate;
	p.value[QUANTITY_BANDWIDTH] = rate * w->v[PARAM_SIZE];
	p.value[QUANTITY_ARPT] = 1e9 * w->v[PARAM_PROCS] * w->v[PARAM_DEPTH] / rate;
	p.value[QUANTITY_BPS_APP] = p.value[QUANTITY_BPS_VFS] = rate;
	p.value[QUANTITY_BPS_DEVICE] = d->cached && w->v[PARAM_READ] == 1 ? NAN : rate;
	return p;
}

/* Measured values: each off by chance as far as @half says, or exact without @rng. */
static void make(struct made *m, const struct device *d, const struct workload *focal,
		 double half, gsl_rng *rng)
{
	static const unsigned n[PARAMETERS] = { 3, 8, 5, 5, 5, 7 };

	*m = (struct made){ .region = { .bytes = axes[0], .focal = *focal } };
	for (enum parameter p = 0; p < PARAMETERS; p++) {
		m->region.series[p] = (struct series){ .n = n[p], .points = m->points[p] };
		for (unsigned i = 0; i < n[p]; i++) {
			double part = i / (n[p] - 1.0);
			struct workload w = *focal;

			w.v[p] = parameters[p].kind == PARAM_SHARE ? part :
				round(axes[p].min * pow(axes[p].max / axes[p].min, part));
			m->points[p][i] = point_of(d, &w, half, rng);
		}
	}
}

static const struct workload middle = { { 8 * MB, 32768, 0.5, 0.5, 1, 1 } };

static struct traits traits_for(struct made *m, const struct device *d, double half, gsl_rng *rng)
{
	make(m, d, &middle, half, rng);
	return traits_of(&m->region);
}

/* ---- sentences ---- */

static void add_line(void *to, const char *sentence)
{
	strcat(strcat(to, sentence), "\n");
}

/* All of them, one below the other. */
static const char *told(const struct device *d)
{
	static char text[4000];
	struct made m;
	struct traits t = traits_for(&m, d, 0.02, NULL);

	text[0] = '\0';
	traits_tell(&t, add_line, text);
	return text;
}

static void expect_line(const char *text, const char *line)
{
	if (!strstr(text, line))
		EXPECT_STR(text, line);
}

TEST(a_head_that_moves)
{
	EXPECT_STR(told(&head),
		"it performs like a disk that moves a head: a request takes 8.00 ms (7.83 "
		"ms to 8.17 ms) longer when it is random, and many at once bring 1.03 "
		"times as much at most\n"
		"random order is slower: bandwidth with sequential requests is 19.7 times "
		"(19.2 to 20.3) that with random requests, 73.1 MiB/s instead of 3.71 "
		"MiB/s\n"
		"reads and writes are about as fast: bandwidth with reads is 1 times "
		"(0.97 to 1.03) that with writes, 7.06 MiB/s instead of 7.06 MiB/s\n"
		"more processes bring hardly anything: bandwidth with processNum 16 is 1 "
		"times (0.97 to 1.03) that with processNum 1, 7.06 MiB/s instead of 7.06 "
		"MiB/s\n"
		"more depth brings hardly anything: bandwidth with depth 64 is 1 times "
		"(0.97 to 1.03) that with depth 1, 7.06 MiB/s instead of 7.06 MiB/s\n"
		"within the region, more data hardly matter: bandwidth with data of 16.0 "
		"MiB is 1 times (0.97 to 1.03) that with data of 1.00 MiB, 7.06 MiB/s "
		"instead of 7.06 MiB/s\n"
		"larger requests bring more: bandwidth with requests of 1.00 MiB is 72.7 "
		"times (70.7 to 74.7) that with requests of 4.00 KiB, 68.6 MiB/s instead "
		"of 966 KiB/s; 50 % of that with 227 KiB\n"
		"a request takes 4.10 ms (4.02 ms to 4.18 ms), and besides as long as its "
		"bytes at 95.4 MiB/s (93.5 MiB/s to 97.3 MiB/s)\n");
}

/* Order does nothing where processes take turns, but that they do costs time. */
TEST(a_head_between_processes)
{
	struct device d = head;
	struct workload two = middle;
	char text[4000] = "";
	struct traits t;
	struct made m;

	d.turns = true;
	two.v[PARAM_PROCS] = 2;
	make(&m, &d, &two, 0.05, NULL);
	m.points[PARAM_DEPTH][3].half_width = NAN;	/* the queue is one's, now and then */
	t = traits_of(&m.region);
	EXPECT_EQ(t.character, CHARACTER_HEAD);
	EXPECT_EQ(t.changes[PARAM_SEQ].difference, DIFFERENCE_ALIKE);
	traits_tell(&t, add_line, text);
	expect_line(text, "a request takes 4.00 ms (3.52 ms to 4.48 ms) longer when processes take "
		    "turns\n");
}

/* Twice as much is neither. */
TEST(two_requests_at_once)
{
	struct device d = single;
	struct made m;

	d.request /= 2;
	d.latency = d.request;
	d.at_once = 2;
	EXPECT_EQ(traits_for(&m, &d, 0.02, NULL).character, CHARACTER_NONE);
}

TEST(one_request_after_the_other)
{
	const char *text = told(&single);

	expect_line(text, "it performs like a queue that takes one request after the other: many "
		    "at once bring 1.03 times as much at most\n");
	expect_line(text, "\norder hardly matters: ");
	expect_line(text, "; 50 % of that with 512 KiB\n");
	expect_line(text, "\na request takes 500 us (490 us to 510 us), whatever its size\n");
}

TEST(many_requests_at_once)
{
	const char *text = told(&flash);

	expect_line(text, "it takes many requests at once: bandwidth with depth 8 is 4.92 times "
		    "(4.78 to 5.06) that with depth 1, 1.49 GiB/s instead of 311 MiB/s\n");
	expect_line(text, "\nreads and writes are about as fast: bandwidth with reads is 1.16 times "
		    "(1.13 to 1.19) that with writes, 336 MiB/s instead of 290 MiB/s\n");
	expect_line(text, "; 90 % of that with 6\n");
}

/* Told before all else: how many processors there are is no trait of storage. */
TEST(a_region_without_a_disk)
{
	struct device cached = flash;
	struct made m;

	cached.cached = true;
	EXPECT_EQ(traits_for(&m, &cached, 0.02, NULL).character, CHARACTER_NO_DISK);
	EXPECT_EQ(traits_for(&m, &flash, 0.02, NULL).character, CHARACTER_PARALLEL);
	for (int i = 0; i < 5; i++)	/* nobody looked at either layer */
		m.points[PARAM_READ][i].value[QUANTITY_BPS_VFS] =
			m.points[PARAM_READ][i].value[QUANTITY_BPS_DEVICE] = NAN;
	EXPECT_EQ(traits_of(&m.region).character, CHARACTER_PARALLEL);
}

/* ---- what points do not bear ---- */

static void count(void *n, const char *sentence)
{
	++*(int *)n;
}

TEST(of_points_that_are_not_known_nothing_is_said)
{
	static const double halves[] = { NAN, 0.4, HUGE_VAL };
	static const struct device *const all[] = { &head, &single, &flash };

	for (int i = 0; i < 9; i++) {
		struct made m;
		struct traits t = traits_for(&m, all[i / 3], halves[i % 3], NULL);
		int n = 0;

		traits_tell(&t, count, &n);
		EXPECT_EQ(n, 0);
		EXPECT_EQ(t.character, CHARACTER_NONE);
	}
}

TEST(without_curves_nothing_is_said)
{
	struct region none = { .focal = middle };
	struct traits t = traits_of(&none);
	int n = 0;

	traits_tell(&t, count, &n);
	EXPECT_EQ(n, 0);
	out_free(traits_json(&t));
}

/* One uncertain point may be where there is a difference. */
TEST(alike_are_only_points_that_all_are)
{
	struct made m;

	EXPECT_EQ(traits_for(&m, &single, 0.02, NULL).changes[PARAM_PROCS].difference, DIFFERENCE_ALIKE);
	m.points[PARAM_PROCS][2].half_width = NAN;
	EXPECT_EQ(traits_of(&m.region).changes[PARAM_PROCS].difference, DIFFERENCE_NONE);
	EXPECT_EQ(traits_of(&m.region).changes[PARAM_DEPTH].difference, DIFFERENCE_ALIKE);
}

/* What brings most is not known, so neither is that it brings nothing. */
TEST(a_character_takes_both_processes_and_depth)
{
	struct made m;

	make(&m, &single, &middle, 0.02, NULL);
	m.points[PARAM_PROCS][0].half_width = NAN;
	EXPECT_EQ(traits_of(&m.region).character, CHARACTER_NONE);
	make(&m, &single, &middle, 0.02, NULL);
	m.points[PARAM_DEPTH][0].half_width = NAN;
	EXPECT_EQ(traits_of(&m.region).character, CHARACTER_NONE);
	m.region.series[PARAM_DEPTH].n = 0;	/* left out: --no-depth */
	EXPECT_EQ(traits_of(&m.region).character, CHARACTER_SINGLE);
}

/* Each second request is of a size that goes in half the time. */
TEST(what_is_no_line_has_no_time_for_a_request)
{
	struct made m;

	make(&m, &head, &middle, 0.02, NULL);
	for (int i = 0; i < 8; i += 2)
		m.points[PARAM_SIZE][i].value[QUANTITY_ARPT] /= 2;
	EXPECT_TRUE(isnan(traits_of(&m.region).cost.request_ns.value));
}

/* ---- numbers ---- */

TEST(half_of_the_bandwidth)
{
	struct made m;
	struct traits t = traits_for(&m, &head, 0.01, NULL);
	const struct change *size = &t.changes[PARAM_SIZE];
	struct workload w = middle;

	w.v[PARAM_SIZE] = size->enough;
	EXPECT_NEAR(iops(&head, w.v) * size->enough /
		    size->to->value[QUANTITY_BANDWIDTH], 0.5, 0.02);
}

struct tally {
	int known, inside, wrong;
};

static void take(struct tally *to, const struct estimate *e, double truth)
{
	to->known += !isnan(e->value);
	to->inside += truth >= e->low && truth <= e->high;
}

static struct device any_device(gsl_rng *rng)
{
	struct device d = {
		.request = exp(gsl_ran_flat(rng, log(US), log(MS))),
		.seek = gsl_rng_uniform_int(rng, 2) * exp(gsl_ran_flat(rng, log(US), log(9 * MS))),
		.byte = exp(gsl_ran_flat(rng, log(0.1), log(20))),
		.write = gsl_rng_uniform_int(rng, 2) * exp(gsl_ran_flat(rng, log(US), log(MS))),
		.at_once = gsl_rng_uniform_int(rng, 3) * 2,
	};

	return d;
}

static double truth_of(const struct device *d, const struct change *c)
{
	return iops(d, c->to->at.v) * c->to->at.v[PARAM_SIZE] /
	       (iops(d, c->from->at.v) * c->from->at.v[PARAM_SIZE]);
}

/* All points are off in the same direction, as those are that draw the same requests. */
static void move(struct made *m, double factor)
{
	for (enum parameter p = 0; p < PARAMETERS; p++)
		for (unsigned i = 0; i < m->region.series[p].n; i++) {
			m->points[p][i].value[QUANTITY_BANDWIDTH] *= factor;
			m->points[p][i].value[QUANTITY_IOPS] *= factor;
			m->points[p][i].value[QUANTITY_ARPT] /= factor;
		}
}

/* Of many systems, measured as badly as their intervals say: a difference is wrong when the true
 * quotient is on the other side of what it says. */
TEST(chance_makes_few_sentences_wrong)
{
	struct tally factors = {}, lines = {}, differences = {};
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	struct made m;

	for (int i = 0; i < 2000; i++) {
		struct device d = any_device(rng);
		double half = gsl_ran_flat(rng, 0.01, 0.15);
		struct traits t;

		make(&m, &d, &middle, half, i % 2 ? rng : NULL);
		if (i % 2 == 0)
			move(&m, 1 + gsl_ran_gaussian(rng, half / 1.96));
		t = traits_of(&m.region);
		take(&factors, &t.changes[PARAM_SEQ].factor, truth_of(&d, &t.changes[PARAM_SEQ]));
		take(&factors, &t.changes[PARAM_READ].factor, truth_of(&d, &t.changes[PARAM_READ]));
		take(&lines, &t.cost.request_ns, d.request + d.seek / 2 + d.write / 2);
		take(&lines, &t.cost.byte_ns, d.byte);
		for (enum parameter p = 0; p < PARAMETERS; p++) {
			const struct change *c = &t.changes[p];
			double truth = isnan(c->factor.value) ? 1 : truth_of(&d, c);

			differences.known += c->difference != DIFFERENCE_NONE;
			differences.wrong += c->difference == DIFFERENCE_MORE ? truth < TRAIT_ALIKE :
				c->difference == DIFFERENCE_LESS ? truth > 1 / TRAIT_ALIKE :
				c->difference == DIFFERENCE_ALIKE &&
				fabs(log(truth)) > log(TRAIT_ALIKE);
		}
	}
	EXPECT_EQ(factors.known, 4000);
	EXPECT_GE(factors.inside, 0.93 * factors.known);
	EXPECT_GE(lines.known, 2000);
	EXPECT_GE(lines.inside, 0.93 * lines.known);
	EXPECT_GE(differences.known, 6000);
	EXPECT_LE(differences.wrong, 0.025 * differences.known);
	gsl_rng_free(rng);
}

/* Reads that are faster by a little less than what counts: chance makes it more in half of the
 * measurements, and the whole interval in 2.5 % of them. */
TEST(what_counts_is_the_whole_interval)
{
	struct device d = { .request = MS, .write = 0.195 * MS };
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	int more = 0;

	for (int i = 0; i < 2000; i++) {
		struct made m;
		struct traits t = traits_for(&m, &d, 0.05, rng);

		more += t.changes[PARAM_READ].difference == DIFFERENCE_MORE;
	}
	EXPECT_LE(more, 0.04 * 2000);
	gsl_rng_free(rng);
}

/* A character is of what storage does, never of chance. */
TEST(no_character_is_wrong)
{
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	int known[CHARACTER_PARALLEL + 1] = {};
	struct made m;

	for (int i = 0; i < 3000; i++) {
		static const struct device *const all[] = { &head, &single, &flash };
		static const enum character expected[] = {
			CHARACTER_HEAD, CHARACTER_SINGLE, CHARACTER_PARALLEL,
		};
		enum character seen = traits_for(&m, all[i % 3], gsl_ran_flat(rng, 0.01, 0.2),
						 rng).character;

		if (seen != CHARACTER_NONE)
			EXPECT_EQ(seen, expected[i % 3]);
		known[seen]++;
	}
	EXPECT_GE(known[CHARACTER_HEAD], 800);
	EXPECT_GE(known[CHARACTER_SINGLE], 800);
	EXPECT_GE(known[CHARACTER_PARALLEL], 900);
	gsl_rng_free(rng);
}

TEST_MAIN
