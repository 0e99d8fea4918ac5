// SPDX-License-Identifier: GPL-2.0-or-later
#include "tools/characterize/counters.h"

#include <stdlib.h>
#include <string.h>

#include "user/base/err.h"
#include "user/base/num.h"
#include "user/base/table.h"

const char *const counter_names[COUNTERS] = {
	"read_bytes", "reads", "opens", "write_bytes", "writes", "closes", "creates",
};

void counters_init(struct counters *c, u64 start_ns, u64 interval_ns)
{
	*c = (struct counters){ .start_ns = start_ns,
				.interval_ns = interval_ns,
				.most = CELLS_MAX };
}

void counters_release(struct counters *c)
{
	for (u32 i = 0; i < c->servers_n; i++) {
		free(c->servers[i].name);
		free(c->servers[i].cells);
	}
	free(c->servers);
}

u32 counters_server(struct counters *c, const char *name)
{
	c->servers = need(reallocarray(c->servers, c->servers_n + 1, sizeof(*c->servers)));
	c->servers[c->servers_n] = (struct server){ .name = need(strdup(name)) };
	return c->servers_n++;
}

static bool grow_cells(struct counters *c, struct server *s, u64 n)
{
	u64 room = n + n / 4 + 16;

	if (n > s->room) {
		if (room - s->room > c->most - c->cells)
			room = n;
		if (room - s->room > c->most - c->cells)
			return false;
		c->cells += room - s->room;
		s->cells = need(reallocarray(s->cells, room, sizeof(*s->cells)));
		s->room = room;
	}
	memset(s->cells + s->n, 0, (n - s->n) * sizeof(*s->cells));
	s->n = n;
	return true;
}

struct moved *counters_make_cell(struct counters *c, u32 server, u64 interval)
{
	struct server *s = &c->servers[server];

	if (interval >= s->n && (interval >= CELLS_MAX || !grow_cells(c, s, interval + 1))) {
		c->full = true;
		return NULL;
	}
	if (interval >= c->n)
		c->n = interval + 1;
	return &s->cells[interval];
}

bool counters_full(const struct counters *c)
{
	return c->full || (u64)c->n * c->servers_n > c->most;
}

u64 counters_interval(const struct counters *c, u64 end_ns)
{
	return end_ns > c->start_ns ? (end_ns - 1 - c->start_ns) / c->interval_ns : 0;
}

const struct moved *counters_cell(const struct counters *c, u32 server, u32 interval)
{
	static const struct moved none;
	const struct server *s = &c->servers[server];

	return interval < s->n ? &s->cells[interval] : &none;
}

static u128 in_direction(u128 read, u128 write, enum direction d)
{
	return d == DIR_BOTH ? read + write : d == DIR_WRITE ? write : read;
}

u128 moved_bytes(const struct moved *cell, enum direction d)
{
	return in_direction(cell->of[COUNTER_READ_BYTES], cell->of[COUNTER_WRITE_BYTES], d);
}

u128 moved_operations(const struct moved *cell, enum direction d)
{
	return in_direction(cell->of[COUNTER_READS], cell->of[COUNTER_WRITES], d);
}

static void add_cell(struct moved *sum, const struct moved *more)
{
	for (int i = 0; i < COUNTERS; i++)
		sum->of[i] += more->of[i];
}

struct moved counters_of_interval(const struct counters *c, u32 interval)
{
	struct moved sum = {};

	for (u32 i = 0; i < c->servers_n; i++)
		add_cell(&sum, counters_cell(c, i, interval));
	return sum;
}

struct moved counters_of_server(const struct counters *c, u32 server)
{
	struct moved sum = {};

	for (u32 i = 0; i < c->servers[server].n; i++)
		add_cell(&sum, &c->servers[server].cells[i]);
	return sum;
}

struct moved counters_total(const struct counters *c)
{
	struct moved sum = {};

	for (u32 i = 0; i < c->servers_n; i++) {
		struct moved one = counters_of_server(c, i);

		add_cell(&sum, &one);
	}
	return sum;
}

static u32 servers_active(const struct counters *c, u32 interval, enum direction d, u64 threshold)
{
	u32 n = 0;

	for (u32 s = 0; s < c->servers_n; s++)
		n += moved_bytes(counters_cell(c, s, interval), d) > threshold;
	return n;
}

struct burst counters_burst(const struct counters *c, enum direction d, u64 threshold)
{
	struct burst b = {};

	for (u32 i = 0; i < c->n; i++)
		burst_add(&b, servers_active(c, i, d, threshold));
	return b;
}

static void write_cell(FILE *f, const struct counters *c, u32 server, u32 interval)
{
	const struct moved *cell = counters_cell(c, server, interval);
	char buf[NUM_TEXT];

	fprintf(f, "%llu,", (unsigned long long)(c->start_ns + interval * c->interval_ns));
	out_csv_cell(f, c->servers[server].name);
	for (int i = 0; i < COUNTERS; i++)
		if (c->has >> i & 1)
			fprintf(f, ",%s", num_whole_text(buf, cell->of[i]));
	fputc('\n', f);
}

void counters_write(FILE *f, const struct counters *c)
{
	fprintf(f, "time_ns,server");
	for (int i = 0; i < COUNTERS; i++)
		if (c->has >> i & 1)
			fprintf(f, ",%s", counter_names[i]);
	fputc('\n', f);
	for (u32 i = 0; i < c->n; i++)
		for (u32 s = 0; s < c->servers_n; s++)
			write_cell(f, c, s, i);
}
