// SPDX-License-Identifier: GPL-2.0-or-later
/* verify.h explains the method. A torn write has changed only some of its sectors. */
#include "bench/load/verify.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>

#include "user/base/clock.h"
#include "user/base/err.h"
#include "user/base/num.h"

struct sector {
	struct verify_stamp stamp;
	u64 rest[sizeof(((struct verify *)0)->rest) / sizeof(u64)];
};

_Static_assert(sizeof(struct sector) == VERIFY_SECTOR, "a sector has a stamp and a rest");

/* Makes the sector with stamp @stamp. Each word after the stamp is a constant XOR the checksum of
 * the stamp. These words look random, so no disk can compress them. Computing them is as fast as
 * copying. */
static inline void make_sector(const struct verify *v, struct sector *restrict s,
			       struct verify_stamp stamp)
{
	u64 sum = stamp.run;

	sum = stream_mix(sum ^ stamp.offset);
	sum = stream_mix(sum ^ ((u64)stamp.writer << 32 | stamp.generation));
	stamp.sum = sum;
	s->stamp = stamp;
	for (size_t i = 0; i < sizeof(s->rest) / sizeof(*s->rest); i++)
		s->rest[i] = v->rest[i] ^ sum;
}

static inline bool is_genuine(const struct verify *v, const struct sector *s)
{
	struct sector genuine;

	make_sector(v, &genuine, s->stamp);
	return !memcmp(s, &genuine, sizeof(*s));
}

static void stamp(const struct verify *v, u64 writer, u32 generation, u64 offset, void *data,
		  u64 bytes)
{
	struct sector *s = data;

	for (u64 at = 0; at < bytes; at += VERIFY_SECTOR)
		make_sector(v, s++,
			    (struct verify_stamp){ .offset = offset + at,
						   .writer = writer,
						   .generation = generation,
						   .run = v->run });
}

/* Makes the data that the target has before the load. Each part of the target has the stamps of the
 * process that will access it. With 2 targets, for example, process 5 accesses part 2 of target 1
 * (see load_new()). */
void verify_fill(const struct verify *v, u64 target, u64 offset, void *data, u64 bytes)
{
	for (u64 end = offset + bytes, next; offset < end; offset = next) {
		u64 part = offset / v->part_bytes;

		next = (part + 1) * v->part_bytes;
		if (next > end)
			next = end;
		stamp(v, part * v->targets + target, 0, offset, data, next - offset);
		data = (char *)data + (next - offset);
	}
}

static size_t verify_bytes(const struct verify *v)
{
	u64 units = v->part_bytes / v->unit_bytes;

	return sizeof(*v) + v->writers * (units + 1) * sizeof(u64);
}

struct verify *verify_new(u64 part_bytes, u64 unit_bytes, u64 writers, unsigned targets)
{
	struct verify form = {
		.part_bytes = part_bytes, .unit_bytes = unit_bytes,
		.writers = writers, .targets = targets,
	}, *v;
	char text[NUM_TEXT];

	v = mmap(NULL, verify_bytes(&form), PROT_READ | PROT_WRITE,
		 MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (v == MAP_FAILED) {
		error(-ENOMEM, "out of memory: --verify needs %s",
		      num_bytes_text(text, verify_bytes(&form)));
		return NULL;
	}
	*v = form;
	v->newest = (u64 *)(v + 1);
	v->units = v->newest + v->writers;
	if (getrandom(&v->run, sizeof(v->run), 0) != sizeof(v->run))
		v->run = now_ns();
	for (size_t i = 0; i < sizeof(v->rest) / sizeof(*v->rest); i++)
		v->rest[i] = stream_mix(i + 1);
	return v;
}

void verify_free(struct verify *v)
{
	if (v)
		munmap(v, verify_bytes(v));
}

static u64 *unit_at(const struct verify *v, u64 writer, u64 offset)
{
	u64 units = v->part_bytes / v->unit_bytes;

	return v->units + writer * units + offset % v->part_bytes / v->unit_bytes;
}

static u64 unit_count(const struct verify *v, u64 bytes)
{
	return (bytes + v->unit_bytes - 1) / v->unit_bytes;
}

static u64 load_unit(const u64 *unit)
{
	return __atomic_load_n(unit, __ATOMIC_SEQ_CST);
}

static bool has_writes_in_flight(u64 unit)
{
	return unit & ~UNIT_UNKNOWN & -UNIT_WRITING;
}

static bool is_being_written(const struct verify *v, u64 writer, const struct request *r)
{
	const u64 *unit = unit_at(v, writer, r->offset);

	for (u64 n = unit_count(v, r->bytes); n; n--)
		if (has_writes_in_flight(load_unit(unit++)))
			return true;
	return false;
}

/* Adds a write in flight to the unit. If another write to the unit is in flight, the order of the
 * two writes is unknown, so the unit is not checked. */
static u64 with_write(u64 unit)
{
	return (has_writes_in_flight(unit) ? unit | UNIT_UNKNOWN : unit & ~UNIT_UNKNOWN) +
		UNIT_WRITING;
}

static u64 without_write(u64 unit, const struct request *r)
{
	unit -= UNIT_WRITING;
	if (r->result != (int)r->bytes)
		unit |= UNIT_UNKNOWN;
	return unit & UNIT_UNKNOWN ? unit : (unit & -UNIT_WRITING) | r->generation;
}

/* Marks the units of the write @r as being written when it starts. When the write ends (@ends),
 * removes the mark and stores the generation of the write. */
static void change_units(struct verify *v, u64 writer, const struct request *r, bool ends)
{
	u64 *unit = unit_at(v, writer, r->offset);

	for (u64 n = unit_count(v, r->bytes); n; n--, unit++)
		for (u64 old = load_unit(unit); !__atomic_compare_exchange_n(
			     unit, &old, ends ? without_write(old, r) : with_write(old), false,
			     __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);)
			;
}

/* The order matters, because other processes may access the units: a write first marks its units,
 * then takes its generation. A read first takes the newest generation, then looks for marks. So if
 * a read sees no mark, each write that starts later has a newer generation. */
bool verify_begin(struct verify *v, u64 writer, struct request *r)
{
	u64 *newest = &v->newest[writer];

	r->generation = load_unit(newest);
	r->unchecked = is_being_written(v, writer, r);
	if (r->unchecked && !v->shared)
		return false;
	if (!r->write)
		return true;
	change_units(v, writer, r, false);
	do
		r->generation = __atomic_add_fetch(newest, 1, __ATOMIC_SEQ_CST);
	while (!r->generation);
	stamp(v, writer, r->generation, r->offset, r->buffer, r->bytes);
	return true;
}

bool verify_next(struct worker *w, struct request *r)
{
	struct stream before = w->stream;

	stream_next(&w->stream, &r->offset, &r->bytes, &r->write);
	if (verify_begin(w->spec->verify, w->number, r))
		return true;
	w->stream = before;
	return false;
}

/* Successive sectors of one read. Their stamps must have the same process and generation. */
struct extent {
	u64 writer, offset, n; /* .n is the number of sectors */
	u32 generation;
	const struct sector *sectors;
	bool any_is_right;
};

static void add_atomic(u64 *sum, u64 n)
{
	__atomic_fetch_add(sum, n, __ATOMIC_RELAXED);
}

static struct verify_stamp expected_stamp(const struct verify *v, const struct extent *p, u64 i)
{
	return (struct verify_stamp){ .offset = p->offset + i * VERIFY_SECTOR,
				      .writer = p->writer,
				      .generation = p->generation,
				      .run = v->run };
}

static bool is_as_expected(const struct verify *v, const struct extent *p, u64 i)
{
	struct sector right;

	make_sector(v, &right, expected_stamp(v, p, i));
	return !memcmp(&right, &p->sectors[i], sizeof(right));
}

static void examine_corrupt(const struct verify *v, const struct extent *p, u64 i,
			    struct finding *f)
{
	const unsigned char *is = (const void *)&p->sectors[i];
	struct sector right;

	make_sector(v, &right, expected_stamp(v, p, i));
	f->zeroes = true;
	for (size_t b = 0; b < sizeof(right); b++) {
		f->wrong_bytes += is[b] != ((unsigned char *)&right)[b];
		f->zeroes &= !is[b];
	}
}

/* Describes the fault of sector @i, which does not have the data that were written. */
static struct finding find_fault(const struct verify *v, const struct extent *p, u64 i)
{
	const struct sector *s = &p->sectors[i];
	struct finding f = {
		.verdict = p->any_is_right ? VERDICT_TORN : VERDICT_LOST,
		.at_end = v->at_end,
		.offset = p->offset + i * VERIFY_SECTOR,
		.bytes = VERIFY_SECTOR,
		.writer = p->writer,
		.generation = p->generation,
	};

	if (!is_genuine(v, s)) {
		f.verdict = VERDICT_CORRUPT;
		examine_corrupt(v, p, i, &f);
		return f;
	}
	f.found = s->stamp;
	if (f.found.run == v->run && (f.found.offset != f.offset || f.found.writer != f.writer))
		f.verdict = VERDICT_MISDIRECTED;
	return f;
}

/* Adds a difference to the result. Marks the units of the difference as UNIT_UNKNOWN, so that later
 * reads do not count the difference again. A new write to a unit removes its mark. */
static void note_finding(struct verify *v, const struct finding *f)
{
	u32 n = __atomic_fetch_add(&v->found, 1, __ATOMIC_RELAXED);
	u64 unit = f->offset - f->offset % v->unit_bytes;

	if (n < VERIFY_FIRST)
		v->first[n] = *f;
	add_atomic(&v->places[f->verdict], 1);
	for (u64 *each = unit_at(v, f->writer, unit),
		 *end = each + unit_count(v, f->offset + f->bytes - unit);
	     each < end; each++)
		__atomic_fetch_or(each, UNIT_UNKNOWN, __ATOMIC_SEQ_CST);
}

/* Returns true if fault @next continues fault @f in the next sector. If the sectors contain data of
 * other offsets, those offsets must also be consecutive. */
static bool joins(const struct finding *f, const struct finding *next)
{
	return f->bytes && f->verdict == next->verdict && f->offset + f->bytes == next->offset &&
		next->found.offset - f->found.offset ==
		(next->found.run ? next->offset - f->offset : 0);
}

static void note_findings(struct verify *v, const struct extent *p)
{
	struct finding f = {}, next;

	for (u64 i = 0; i < p->n; i++) {
		if (is_as_expected(v, p, i))
			continue;
		next = find_fault(v, p, i);
		if (joins(&f, &next)) {
			f.bytes += VERIFY_SECTOR;
			continue;
		}
		if (f.bytes)
			note_finding(v, &f);
		f = next;
	}
	note_finding(v, &f);
}

static void check_extent(struct verify *v, struct extent *p)
{
	u64 right = 0;

	for (u64 i = 0; i < p->n; i++)
		right += is_as_expected(v, p, i);
	add_atomic(&v->checked_bytes[v->at_end], p->n * VERIFY_SECTOR);
	/* Generation 0 is the fill before the load. The fill consisted of many writes. So if some
	 * sectors are right and others are not, this does not prove that a single write was
	 * torn. */
	p->any_is_right = right && p->generation;
	if (right < p->n)
		note_findings(v, p);
}

/* Returns true if a unit can be checked. @unit is its element of v->units. @newest is the last
 * generation before the read. If the unit has a newer generation, it was written during the read,
 * which may have returned old or new data. The comparison allows for generations that wrap around
 * at 2^32. */
static bool can_check(u64 unit, u32 newest)
{
	u32 generation = unit;

	return unit < UNIT_WRITING && (!generation || (int)(generation - newest) <= 0);
}

void verify_check(struct verify *v, u64 writer, u64 offset, const void *data, u64 bytes, u32 newest)
{
	const u64 *unit = unit_at(v, writer, offset);
	u64 n = bytes / v->unit_bytes, same;

	for (u64 i = 0; i < n; i += same) {
		u64 first = load_unit(&unit[i]);
		struct extent p = {
			.writer = writer,
			.offset = offset + i * v->unit_bytes,
			.generation = first,
			.sectors = (const void *)((const char *)data + i * v->unit_bytes),
		};

		for (same = 1; i + same < n && load_unit(&unit[i + same]) == first; same++)
			;
		p.n = same * v->unit_bytes / VERIFY_SECTOR;
		if (can_check(first, newest))
			check_extent(v, &p);
		else
			add_atomic(&v->unchecked_bytes[v->at_end], same * v->unit_bytes);
	}
}

void verify_end(struct verify *v, u64 writer, const struct request *r)
{
	if (r->write)
		change_units(v, writer, r, true);
	else if (r->result > 0 && r->unchecked)
		add_atomic(&v->unchecked_bytes[0], r->result);
	else if (r->result > 0)
		verify_check(v, writer, r->offset, r->buffer, r->result, r->generation);
}

void verify_unreadable(struct verify *v, u64 writer, u64 offset, u64 bytes)
{
	const struct finding f = {
		.verdict = VERDICT_UNREADABLE,
		.at_end = v->at_end,
		.offset = offset,
		.bytes = bytes,
		.writer = writer,
		.generation = *unit_at(v, writer, offset),
		.unknown = *unit_at(v, writer, offset) >= UNIT_WRITING,
	};

	note_finding(v, &f);
}

u64 verify_places(const struct verify *v)
{
	u64 n = 0;

	for (int i = 0; i < VERDICTS; i++)
		n += v->places[i];
	return n;
}
