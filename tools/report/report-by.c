// SPDX-License-Identifier: GPL-2.0-or-later
/* Makes the tables of report --by as JSON. An entity is a process, file, cgroup or disk. The list
 * "top" has the entities with the most bytes. The last row of a table may be the sum of the
 * entities that are not shown. */
#include <stdlib.h>
#include <string.h>

#include "user/host/cgroup-names.h"
#include "user/host/dev.h"
#include "user/base/need.h"
#include "user/show/show-json.h"
#include "user/show/show-rows.h"
#include "tools/report/report.h"
#include "tools/report/report-show.h"

static const char *const by_keys[TRACE_KINDS] = {
	[TRACE_DISK] = "devices_accessed",
	[TRACE_GROUP] = "cgroups",
	[TRACE_PROCESS] = "processes",
	[TRACE_FILE] = "files_accessed",
};

/* Returns true if @v prints a table of --by as text. */
static bool is_table(const struct view *v)
{
	for (int kind = 0; kind < TRACE_KINDS; kind++) {
		size_t n = strlen(by_keys[kind]);

		if (!strncmp(v->path, by_keys[kind], n) && v->path[n] == '.')
			return v->columns && !v->is_hidden;
	}
	return false;
}

void by_show_column(struct view *views, const struct metric *sort)
{
	enum { TABLES = 2 * TRACE_KINDS, COLUMNS = 32 };
	static struct view_column columns[TABLES][COLUMNS];
	u32 tables = 0;

	for (struct view *v = views; v->path; v++) {
		u32 n = 0;

		if (!strcmp(v->path, "top.*"))
			v->is_hidden = !sort || strcmp(sort->key, "bytes") != 0;
		if (!sort || !is_table(v))
			continue;
		while (v->columns[n].path && strcmp(v->columns[n].path, sort->key))
			n++;
		if (v->columns[n].path || n + 2 > COLUMNS || tables == TABLES)
			continue;
		memcpy(columns[tables], v->columns, n * sizeof(**columns));
		columns[tables][n] = (struct view_column)COLUMN(sort->key);
		v->columns = columns[tables++];
	}
}

/* Returns true if row @i of entity @e has accesses. If @e is NULL, looks at row @i of @others. */
static bool has_sum(const struct by_entity *e, const struct sum *others, int i)
{
	return e ? by_nth_row(e, i) != NULL : others[i].row.accesses > 0;
}

static struct out *row_json(const struct report_run *r, const struct by_entity *e,
			    const struct sum *others, int i)
{
	const struct report report = { .has_histograms = r->has_histograms };
	struct sum s = { .has_span = true, .elapsed_ns = r->elapsed_ns };

	if (e && by_nth_row(e, i))
		by_sum(by_nth_row(e, i), r->elapsed_ns, &s);
	return show_sum_json(&report, e ? &s : &others[i]);
}

static struct out *layer_json(const struct report_run *r, const struct by_entity *e,
			      const struct sum *others, int layer)
{
	struct out *o, *ops;
	int first = layer * BY_CLASSES;
	bool any = false;

	for (int class = 0; class < BY_CLASSES; class ++)
		any |= has_sum(e, others, first + class);
	if (!any)
		return NULL;
	o = row_json(r, e, others, first + BY_RW);
	ops = out_object();
	for (int class = BY_RW + 1; class < BY_CLASSES; class ++)
		if (has_sum(e, others, first + class))
			out_put(ops, by_classes[class], row_json(r, e, others, first + class));
	out_put(o, "operations", ops);
	return o;
}

static struct out *entity_json(const struct report_run *r, const struct by_entity *e,
			       const struct sum *others)
{
	struct out *o = out_object(), *layers = out_object();

	for (int layer = 0; layer < LAYERS; layer++)
		out_put(layers, layer_names[layer], layer_json(r, e, others, layer));
	out_put(o, "layers", layers);
	return o;
}

/* Adds entity @e, which the table does not show, to the sums @others. The sums of a cgroup include
 * its children. So a cgroup is skipped if one of its parents is not shown either: the parent is
 * added instead. T is not added, because T of several entities together is unknown. */
static void add_other(const struct report_run *r, const struct by_entity *e, const bool *shown,
		      struct sum *others)
{
	struct sum s;

	for (const struct by_entity *above = e->above; above; above = above->above)
		if (!shown[above->number])
			return;
	for (int i = 0; i < BY_ROWS; i++)
		if (by_nth_row(e, i)) {
			by_sum(by_nth_row(e, i), r->elapsed_ns, &s);
			sum_add_row(&others[i], &s.row);
			others[i].elapsed_ns = s.elapsed_ns;
		}
}

static void add_others(struct out *sums, const struct report_run *r, const struct by *by,
		       struct by_entity **rest)
{
	struct sum *others = need(calloc(BY_ROWS, sizeof(*others)));
	bool *shown = need(calloc(by->n + 1, sizeof(*shown)));
	struct out *o;

	memset(shown, true, by->n);
	for (struct by_entity **e = rest; *e; e++)
		shown[(*e)->number] = false;
	for (struct by_entity **e = rest; *e; e++)
		add_other(r, *e, shown, others);
	if (*rest) {
		o = entity_json(r, NULL, others);
		out_str(o, "title", "(others)");
		out_append(out_list(sums, by_keys[by->kind]), o);
	}
	free(shown);
	free(others);
}

static void title_json(struct out *o, const struct by *by, u32 number)
{
	char *title = names_title(by->names, by->kind, number);

	out_str(o, "title", title);
	free(title);
}

/* Adds the title of a row in the list "top". The title of a cgroup is its readable name; see
 * cgroup_name(). */
static void top_title_json(struct out *o, const struct by *by, u32 number)
{
	const struct trace_name *n = by->names->of[by->kind][number];
	char *name = by->kind == TRACE_GROUP ? cgroup_name(n->text, n->names ?: "") : NULL;

	if (name)
		out_str(o, "title", name);
	else
		title_json(o, by, number);
	free(name);
}

void by_identity_json(struct out *o, const struct by *by, u32 number)
{
	const struct trace_name *n = by->names->of[by->kind][number];
	u32 kind = by->kind;
	const char *id = kind == TRACE_PROCESS ? "pid" : kind == TRACE_FILE ? "inode" : "id";
	char dev[DEV_TEXT];

	title_json(o, by, number);
	out_str(o, kind == TRACE_FILE || kind == TRACE_GROUP ? "path" : "name", n->text);
	if (kind == TRACE_GROUP)
		show_cgroup_names(o, n->text, n->names);
	if (kind == TRACE_DISK) {
		out_str(o, "dev", n->id ? dev_text(dev, n->id) : NULL);
		out_bool(o, "stacked", n->stacked);
	} else if (n->id) {
		out_u64(o, id, n->id);
	} else {
		out_null(o, id);
	}
}

#define TOP 3

static u128 entity_bytes(const struct by_entity *e)
{
	u128 bytes = 0;

	for (int layer = 0; layer < LAYERS; layer++)
		bytes += e->rows[layer][BY_RW] ? e->rows[layer][BY_RW]->counts.bytes : 0;
	return bytes;
}

/* Inserts an entity into @list, which is sorted by descending bytes and keeps at most TOP
 * entities. */
static void add_to_top(const struct by_entity **list, const struct by_entity *e)
{
	int i = TOP;

	for (; i && (!list[i - 1] || entity_bytes(e) > entity_bytes(list[i - 1])); i--)
		list[i] = list[i - 1];
	list[i] = e;
}

/* Adds the entities with the most bytes to @array. A cgroup with children includes their bytes, so
 * only cgroups without children are listed. */
static void top_json(struct out *array, const struct report_run *r, const struct by *by)
{
	const struct by_entity *list[TOP + 1] = {};
	bool *is_parent = need(calloc(by->n + 1, sizeof(*is_parent)));

	for (u32 i = 0; i < by->n; i++)
		if (by->entities[i] && by->entities[i]->above)
			is_parent[by->entities[i]->above->number] = true;
	for (u32 i = 1; i < by->n; i++) /* number 0 is the name "(unknown)", which is not listed */
		if (by->entities[i] && !is_parent[i])
			add_to_top(list, by->entities[i]);
	for (int i = 0; i < TOP && list[i]; i++) {
		struct out *o = entity_json(r, list[i], NULL);

		top_title_json(o, by, list[i]->number);
		out_str(o, "kind", trace_kind_names[by->kind]);
		out_append(array, o);
	}
	free(is_parent);
}

/* ---- the tables as arrays of the document ---- */

static void each_entity(const void *list, void (*add)(void *to, struct out *element), void *to)
{
	const struct by_list *l = list;

	for (u64 i = 0; i < l->n; i++) {
		struct out *o = entity_json(l->run, l->entities[i], NULL);

		by_identity_json(o, l->by, l->entities[i]->number);
		add(to, o);
	}
}

/* If the entity "(unknown)" has an index above @most in @list, moves it to index @most. Returns its
 * index, or the length of @list if @list lacks it. So a table with @most names can also show the
 * row "(unknown)", to which a note refers. */
static u64 keep_unknown(struct by_entity **list, u64 most)
{
	struct by_entity *unknown;
	u64 i = 0;

	while (list[i] && list[i]->number)
		i++;
	unknown = list[i];
	if (!unknown || i <= most)
		return i;
	memmove(list + most + 1, list + most, (i - most) * sizeof(*list));
	list[most] = unknown;
	return most;
}

struct made by_list_made(struct by_list *l, u64 most)
{
	u64 unknown;

	l->entities = by_sorted(l->by);
	unknown = most ? keep_unknown(l->entities, most) : 0;
	l->n = 0;
	while (l->entities[l->n] && (!most || l->n < most + (unknown <= most)))
		l->n++;
	return (struct made){ by_keys[l->by->kind], each_entity, l };
}

struct made by_json(struct out *doc, struct out *sums, struct by_list *l)
{
	struct made made = by_list_made(l, l->run->top);

	out_null(doc, made.key);
	add_others(sums, l->run, l->by, l->entities + l->n);
	if (l->by->kind != TRACE_DISK)
		top_json(out_list(doc, "top"), l->run, l->by);
	return made;
}
