// SPDX-License-Identifier: GPL-2.0-or-later
/* Computes the workload of a job, and the command lines of `predict` and `bench load` that
 * reproduce it. */
#include "tools/characterize/workload-model.h"

#include <math.h>
#include <stdlib.h>

#include "user/base/need.h"
#include "user/base/num.h"
#include "bpf/event.h"

u32 workload_model_file(const struct visit *v)
{
	return v->layer == LAYER_DEVICE ? v->server : v->file;
}

static void add_size(struct workload_model *m, u64 bytes)
{
	double before = bytes - m->size_mean;

	m->size_mean += before / m->n;
	m->size_squares += before * (bytes - m->size_mean);
	m->bytes += bytes;
	census_add(&m->sizes, bytes);
}

/* A run is a time in which a process issues accesses without a pause. */
struct issuer {
	/* start of the time in which the process issues accesses without a pause */
	u64 run_start_ns;
	u64 end_ns; /* latest end of an access of the process */
	bool known; /* true after the first access of the process */
};

static void end_run(struct issuers *s, const struct issuer *i)
{
	cover_add(&s->issuing, i->run_start_ns, i->end_ns);
	s->issuing_ns += i->end_ns - i->run_start_ns;
}

static void issuers_add(struct issuers *s, u32 process, u64 start_ns, u64 end_ns)
{
	struct issuer *i;

	s->of = need_index(s->of, &s->n, process, sizeof(*s->of));
	i = &s->of[process];
	if (end_ns < start_ns)
		end_ns = start_ns;
	if (i->known && start_ns > i->end_ns && start_ns - i->end_ns > s->pause_ns) {
		end_run(s, i);
		i->known = false;
	}
	if (!i->known)
		*i = (struct issuer){ start_ns, start_ns, true };
	s->flight_ns += end_ns - start_ns;
	if (end_ns <= i->end_ns)
		return;
	s->busy_ns += end_ns - (start_ns > i->end_ns ? start_ns : i->end_ns);
	i->end_ns = end_ns;
}

double issuers_processes(const struct issuers *s)
{
	u64 any_ns = cover_total_ns(&s->issuing);

	return any_ns ? (double)s->issuing_ns / any_ns : NAN;
}

double issuers_depth(const struct issuers *s)
{
	return s->busy_ns ? (double)s->flight_ns / s->busy_ns : NAN;
}

void workload_model_add(struct workload_model *m, const struct visit *v, bool sequential)
{
	if (!(v->flags & TRACE_UNSPANNED)) {
		issuers_add(&m->issuers, v->process, v->start_ns, v->end_ns);
		cover_add(&m->busy, v->start_ns, v->end_ns);
	}
	if (v->flags & TRACE_PART)
		return;
	m->n++;
	m->reads += v->op == OP_READ;
	m->sequential += sequential;
	add_size(m, v->bytes);
	extents_add(&m->extents, workload_model_file(v), v->offset, v->bytes);
}

void workload_model_settle(struct workload_model *m, u64 before_ns)
{
	cover_settle(&m->busy, before_ns, NULL, NULL);
}

void workload_model_finish(struct workload_model *m)
{
	for (u32 i = 0; i < m->issuers.n; i++)
		if (m->issuers.of[i].known)
			end_run(&m->issuers, &m->issuers.of[i]);
}

void workload_model_release(struct workload_model *m)
{
	census_release(&m->sizes);
	extents_release(&m->extents);
	free(m->issuers.of);
	cover_release(&m->issuers.issuing);
	cover_release(&m->busy);
}

double workload_model_cv(const struct workload_model *m)
{
	return sqrt(m->size_squares / m->n) / m->size_mean;
}

/* maximum number of processes, depth and request size in bytes that `bench load` accepts */
#define PROCS_MAX 4096
#define DEPTH_MAX 32768
#define SIZE_MAX_BYTES (1ULL << 30)

/* SECTOR is the smallest alignment of direct I/O. PAGE is the default alignment of `bench load`. */
#define SECTOR 512
#define PAGE 4096
/* If the sizes of at least this fraction of the accesses are multiples of an alignment, the command
 * line gets this alignment. All other sizes are rounded to it. */
#define MOST 0.95

/* Limits for the list of sizes in a command line. A size is rare if less than the fraction RARE of
 * the accesses have it. The list leaves out rare sizes if they make up at most RARE_SUM of the
 * accesses and of the bytes. If more than SIZES_LISTED sizes are left, the accesses are sorted by
 * size and divided into SIZES_LISTED groups. The list then has the mean size of each group. */
#define SIZES_LISTED 16
#define RARE (1.0 / 1024)
#define RARE_SUM 0.01

/* maximum sum of the weights in a list of sizes, because `bench load` has a table with an element
 * per unit of weight */
#define WEIGHTS 4096

/* Sizes in ascending order, and the number of accesses that have each size. */
struct size_list {
	struct counted *at;
	u32 n;
	u64 all; /* total number of accesses */
};

static u64 whole(double v, u64 most)
{
	return v < most ? (u64)llround(fmax(v, 1)) : most;
}

static u64 processes(const struct workload_model *m)
{
	return whole(issuers_processes(&m->issuers), PROCS_MAX);
}

static u64 depth(const struct workload_model *m)
{
	return whole(issuers_depth(&m->issuers), DEPTH_MAX);
}

/* Stores @v, a number from 0 to 1, in @text. The text has no exponent, because options accept
 * none. */
static const char *fraction(char text[NUM_TEXT], double v)
{
	char *end = text + snprintf(text, NUM_TEXT, "%.9f", v);

	while (end[-1] == '0')
		*--end = 0;
	if (end[-1] == '.')
		end[-1] = 0;
	return text;
}

/* Returns the options that `predict` and `bench load` have in common. If @size is 0, leaves out the
 * option --size. */
static char *common_options(const struct workload_model *m, u64 unique_bytes, u64 size)
{
	char bytes[NUM_TEXT], mean[NUM_TEXT], read[NUM_TEXT], seq[NUM_TEXT];

	return need_text("--unique-bytes %s%s%s --read %s --seq %s --procs %llu --depth %llu",
			 num_size_arg(bytes, unique_bytes), size ? " --size " : "",
			 size ? num_size_arg(mean, size) : "",
			 fraction(read, (double)m->reads / m->n),
			 fraction(seq, (double)m->sequential / m->n),
			 (unsigned long long)processes(m), (unsigned long long)depth(m));
}

char *workload_predict_line(const struct workload_model *m, u64 unique_bytes)
{
	char *options = common_options(m, unique_bytes, llround(m->size_mean));
	char *text = need_text("iospan predict RESULT %s", options);

	free(options);
	return text;
}

static int by_value(const void *a, const void *b)
{
	const struct counted *x = a, *y = b;

	return (x->value > y->value) - (x->value < y->value);
}

/* Appends @count accesses of @size bytes to the list. The list must have no larger size. */
static void append_size(struct size_list *l, u64 size, u64 count)
{
	if (!l->n || l->at[l->n - 1].value != size)
		l->at[l->n++] = (struct counted){ size, 0 };
	l->at[l->n - 1].count += count;
	l->all += count;
}

static u64 aligned(double size, u64 align)
{
	double units = fmin(round(size / align), SIZE_MAX_BYTES / align);

	return fmax(units, 1) * align;
}

/* Returns all sizes of the accesses, rounded to multiples of @align. The caller frees .at. */
static struct size_list sizes_of(const struct workload_model *m, u64 align)
{
	u32 n = m->sizes.values.n;
	struct counted *all = need(calloc(n, sizeof(*all)));
	struct size_list l = { .at = all };

	for (u32 i = 0; i < n; i++)
		all[i] = (struct counted){ aligned(m->sizes.values.of[i], align),
					   m->sizes.counts[i] };
	qsort(all, n, sizeof(*all), by_value);
	for (u32 i = 0; i < n; i++)
		append_size(&l, all[i].value, all[i].count);
	return l;
}

static bool is_rare(const struct size_list *l, u32 i)
{
	return l->at[i].count < RARE * l->all;
}

/* Removes the rare sizes. Returns false, and removes nothing, if the other sizes are still too
 * many, or if the rare sizes together are too frequent. */
static bool keep_common(struct size_list *l)
{
	double bytes = 0, rare_bytes = 0, rare = 0;
	u32 n = 0;

	for (u32 i = 0; i < l->n; i++) {
		double here = (double)l->at[i].count * l->at[i].value;

		bytes += here;
		rare_bytes += is_rare(l, i) ? here : 0;
		rare += is_rare(l, i) ? l->at[i].count : 0;
		n += !is_rare(l, i);
	}
	if (n > SIZES_LISTED || rare > RARE_SUM * l->all || rare_bytes > RARE_SUM * bytes)
		return false;
	n = 0;
	for (u32 i = 0; i < l->n; i++)
		if (!is_rare(l, i))
			l->at[n++] = l->at[i];
	l->n = n;
	return true;
}

/* Divides the accesses of @l into SIZES_LISTED groups of similar size. The list then has the mean
 * size of each group, rounded to a multiple of @align. */
static void group_sizes(struct size_list *l, u64 align)
{
	struct size_list groups = { .at = need(calloc(SIZES_LISTED, sizeof(*groups.at))) };
	double each = (double)l->all / SIZES_LISTED, left = l->at[0].count;

	for (u32 g = 0, at = 0; g < SIZES_LISTED; g++) {
		double sum = 0, missing = each;

		while (missing > left && at + 1 < l->n) {
			sum += left * l->at[at].value;
			missing -= left;
			left = l->at[++at].count;
		}
		left -= missing;
		append_size(&groups, aligned((sum + missing * l->at[at].value) / each, align), 1);
	}
	free(l->at);
	*l = groups;
}

/* Returns the option --size-dist with the list @l, or --size if there is one size. */
static char *size_option(const struct size_list *l)
{
	double scale = l->all > WEIGHTS ? (double)WEIGHTS / l->all : 1;
	char size[NUM_TEXT], *text, *longer;

	if (l->n == 1)
		return need_text("--size %s", num_size_arg(size, l->at[0].value));
	text = need_text("--size-dist ");
	for (u32 i = 0; i < l->n; i++) {
		longer = need_text("%s%s%s:%lld", text, i ? "," : "",
				   num_size_arg(size, l->at[i].value),
				   llround(l->at[i].count * scale));
		free(text);
		text = longer;
	}
	return text;
}

/* Returns the largest power of two from SECTOR to PAGE by which most sizes are divisible, as an
 * alignment for direct I/O. Returns 1 if there is none. */
static u64 alignment(const struct workload_model *m)
{
	for (u64 align = PAGE; align >= SECTOR; align /= 2) {
		u64 n = 0, all = 0;

		for (u32 i = 0; i < m->sizes.values.n; i++) {
			all += m->sizes.counts[i];
			n += m->sizes.values.of[i] % align ? 0 : m->sizes.counts[i];
		}
		if (n >= MOST * all)
			return align;
	}
	return 1;
}

char *workload_load_line(const struct workload_model *m, u64 unique_bytes)
{
	u64 align = alignment(m), procs = processes(m), each;
	struct size_list sizes = sizes_of(m, align);
	char number[NUM_TEXT], *common, *size, *text;

	if (!keep_common(&sizes))
		group_sizes(&sizes, align);
	each = (unique_bytes + procs - 1) / procs;
	if (each < sizes.at[sizes.n - 1].value)
		each = sizes.at[sizes.n - 1].value;
	each = (each + align - 1) / align * align;
	common = common_options(m, each * procs, 0);
	size = size_option(&sizes);
	text = need_text("iospan bench load TARGET %s %s --batch 1%s%s%s%s", common, size,
			 procs > 1 ? " --processes" : "", align < PAGE ? " --align " : "",
			 align < PAGE ? num_size_arg(number, align) : "",
			 align < SECTOR ? " --buffered" : "");
	free(common);
	free(size);
	free(sizes.at);
	return text;
}
