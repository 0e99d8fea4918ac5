// SPDX-License-Identifier: GPL-2.0-or-later
/* Converts the options of bench load into the specification of a load (struct load_spec). */
#include "bench/load/spec.h"

#include <string.h>

#include "bench/load/target.h"
#include "bench/load/verify.h"
#include "user/base/err.h"
#include "user/base/opt-common.h"

/* a request has at most this many bytes, because its result is an int */
#define MOST_BYTES (1ULL << 30)
#define MS 1000000ULL
#define HOUR (3600 * 1000 * MS)

static int check_requests(const struct load_opts *o)
{
	if (o->spec.stream.read > 1 || o->spec.stream.seq > 1)
		return error(-EUSAGE,
			     "--read and --seq are fractions from 0 to 1, such as 0.67 or 67%%");
	if (!o->spec.procs || !o->spec.stream.size || !o->spec.stream.align)
		return error(-EUSAGE, "--%s cannot be 0",
			     !o->spec.procs		  ? "procs" :
				     !o->spec.stream.size ? "size" :
							    "align");
	if (o->spec.procs > 4096 || o->spec.depth > 32768)
		return error(-EUSAGE, "--procs goes up to 4096, --depth up to 32768");
	if (o->spec.batch > 32768 || (o->spec.depth && o->spec.batch > o->spec.depth))
		return error(-EUSAGE, "--batch %llu is more than --depth %llu",
			     (unsigned long long)o->spec.batch, (unsigned long long)o->spec.depth);
	if (!o->spec.sizes && o->spec.stream.size % o->spec.stream.align)
		return error(-EUSAGE, "--size, %llu bytes, is no multiple of --align, %llu bytes",
			     (unsigned long long)o->spec.stream.size,
			     (unsigned long long)o->spec.stream.align);
	if (o->verify && o->spec.stream.align % VERIFY_SECTOR)
		return error(-EUSAGE, "--verify needs --align to be a multiple of %d",
			     VERIFY_SECTOR);
	if (o->layers != 1 << LAYER_APP && o->layers != (1 << LAYER_APP | LAYERS_BELOW))
		return error(-EUSAGE,
			     "--layers is 'app' or 'app,vfs,device': the load is the app "
			     "layer, and the other two are measured together");
	if (o->spec.stream.size > MOST_BYTES)
		return error(-EUSAGE, "--size goes up to 1G");
	return 0;
}

static int check_times(const struct load_opts *o)
{
	const struct watch_options *how = &o->how;

	if (how->round_ns < MS || how->round_ns > HOUR || how->time_ns > 10000 * HOUR ||
	    how->warm_up_ns > 10000 * HOUR)
		return error(-EUSAGE,
			     "--interval is 1ms to 1h, --duration and --warm-up go up to "
			     "10000h");
	if (!how->time_ns && !o->spec.requests && !how->steady)
		return error(-EUSAGE, "--duration cannot be 0 without --count or --steady");
	if (o->rate > 1e9)
		return error(-EUSAGE, "--rate goes up to 1000000000");
	return 0;
}

int spec_check(const struct load_opts *o)
{
	return check_requests(o) ?: check_times(o);
}

/* Fails if an option has no effect with the chosen engine. --depth 1 and --batch 1 are always
 * valid. */
static int check_engine(const struct load_opts *o)
{
	const struct engine *engine = o->spec.engine;
	const struct {
		const char *name;
		bool in_use;
		unsigned needs;
	} asked[] = {
		{ "depth", o->spec.depth > 1, ENGINE_DEPTH },
		{ "batch", o->spec.batch > 1, ENGINE_BATCH },
		{ "class", o->class, ENGINE_BATCH },
		{ "buffered", o->buffered, ENGINE_CACHE },
		{ "iopoll", o->spec.iopoll, ENGINE_RING },
		{ "sqpoll", o->spec.sqpoll, ENGINE_RING },
		{ "passthrough", o->passthrough, ENGINE_RING },
		{ "verify", o->verify, ENGINE_DATA },
		{ "layers", o->layers & LAYERS_BELOW, ENGINE_DATA },
		{ "destroy", o->destroy, ENGINE_DATA },
	};
	char with[64];

	snprintf(with, sizeof(with), engine == &engine_nvme ? "--passthrough" : "--engine %s",
		 engine->name);
	for (size_t i = 0; i < sizeof(asked) / sizeof(*asked); i++)
		if (asked[i].in_use && !(engine->can & asked[i].needs))
			return opt_no_effect(asked[i].name, with);
	return 0;
}

u64 spec_processes_of(const struct load_spec *spec, unsigned i, unsigned n)
{
	return (spec->procs + n - 1 - i) / n;
}

void spec_fit_targets(struct load_spec *spec, char *const *names, unsigned n)
{
	u64 least = spec->stream.unique_bytes;

	for (unsigned i = 0; i < n; i++) {
		u64 each = target_room(names[i]) / spec_processes_of(spec, i, n);

		least = each < least ? each : least;
	}
	least -= least % spec->stream.align;
	if (least == spec->stream.unique_bytes || least < stream_most_bytes(&spec->stream))
		return;
	spec->stream.unique_bytes = least;
	spec->unique_bytes_by_target = true;
}

bool spec_lists_sizes(const char *sizes)
{
	return strcmp(sizes, "normal") != 0 && strcmp(sizes, "exponential") != 0;
}

static int make_sizes(const struct load_opts *o, struct size_table *table)
{
	u64 align = o->spec.stream.align;

	if (spec_lists_sizes(o->spec.sizes))
		return sizes_list(table, o->spec.sizes, align);
	if (!strcmp(o->spec.sizes, "normal"))
		sizes_normal(table, (double)o->spec.stream.size / align);
	else
		sizes_exponential(table, (double)o->spec.stream.size / align);
	return 0;
}

/* Returns the alignment in bytes. For sizes with a normal or exponential distribution, the default
 * is the smallest alignment that all targets @names allow, because a larger one would change the
 * distribution. With --verify, the default is at least one sector. */
static u64 alignment(const struct load_opts *o, char *const *names)
{
	u64 align = o->verify ? VERIFY_SECTOR : 1;

	if (o->align_given || !o->spec.sizes || spec_lists_sizes(o->spec.sizes))
		return o->spec.stream.align;
	for (; *names; names++) {
		u64 unit = target_unit(*names, o->spec.buffered);

		align = unit > align ? unit : align;
	}
	return align;
}

/* Defaults of --depth (requests in flight) and --batch (requests per system call), per class of
 * disks. HDD: with 4 requests in flight, the disk can choose the nearest request. More requests
 * raise the latency more than the rate. SSD: SATA allows at most 32 requests in flight. NVMe: one
 * core reaches 3.6 M IOPS with 32 requests in flight, 3.95 M with 64 (linux-block, 2022-06-22). */
static const struct {
	u64 depth, batch;
} by_class[] = {
	[CLASS_HDD] = { 4, 1 },	   [CLASS_VIRTUAL] = { 32, 16 }, [CLASS_SSD] = { 32, 16 },
	[CLASS_NVME] = { 64, 16 }, [CLASS_RAM] = { 32, 16 },	 [CLASS_UNKNOWN] = { 32, 16 },
};

/* Returns the class of the slowest disk among the targets @names, a list that ends with NULL. */
static enum class_kind class_of_targets(char *const *names)
{
	enum class_kind slowest = CLASS_UNKNOWN;

	for (; *names; names++) {
		struct class class;

		class_of_path(&this_host, *names, &class);
		if (class.kind < slowest)
			slowest = class.kind;
	}
	return slowest;
}

/* If depth or batch of @spec is 0, sets it to the default for the class of the disk. Batch must not
 * exceed depth. So if the given batch exceeds the default depth, sets the depth to the batch. If
 * the given depth is below the default batch, sets the batch to the depth. */
static void set_by_class(struct load_spec *spec)
{
	u64 depth = by_class[spec->class].depth, batch = by_class[spec->class].batch;
	bool depth_asked = spec->depth, batch_asked = spec->batch;

	if (!depth_asked)
		spec->depth = spec->batch > depth ? spec->batch : depth;
	if (!batch_asked)
		spec->batch = spec->depth < batch ? spec->depth : batch;
	spec->depth_by_class = !depth_asked && spec->depth == depth;
	spec->batch_by_class = !batch_asked && spec->batch == batch;
}

static int set_class(struct load_opts *o, char *const *names)
{
	o->spec.class_given = o->class;
	if (!o->class)
		o->spec.class = class_of_targets(names);
	else if (class_by_name(o->class, &o->spec.class))
		return -EUSAGE;
	set_by_class(&o->spec);
	return 0;
}

int spec_make(struct load_opts *o, char *const *names, struct size_table *sizes)
{
	struct load_spec *spec = &o->spec;
	struct stream_spec *stream = &spec->stream;
	u64 each = o->unique_bytes / spec->procs;
	int ret;

	spec->engine = engine_named(o->engine);
	if (spec->engine && o->passthrough && spec->engine->can & ENGINE_RING)
		spec->engine = &engine_nvme;
	ret = spec->engine ? check_engine(o) : -EUSAGE;
	if (ret)
		return ret;
	spec->buffered = o->buffered || !(spec->engine->can & ENGINE_DIRECT);
	stream->align = alignment(o, names);
	ret = spec->sizes ? make_sizes(o, sizes) : 0;
	if (ret)
		return ret;
	stream->sizes = spec->sizes ? sizes : NULL;
	spec->sizes_listed = spec->sizes && spec_lists_sizes(spec->sizes);
	stream->unique_bytes = each - each % stream->align;
	spec->rate = o->rate / spec->procs;
	if (stream_most_bytes(stream) > MOST_BYTES)
		return error(-EUSAGE, "--size-dist has requests of more than 1G");
	if (stream->unique_bytes < stream_most_bytes(stream))
		return error(-EUSAGE, "--unique-bytes is less than a request of each process");
	if (!(spec->engine->can & ENGINE_BATCH))
		spec->depth = spec->batch = 1;
	ret = set_class(o, names);
	if (!(spec->engine->can & ENGINE_DEPTH)) {
		spec->depth = spec->batch;
		spec->depth_by_class = false;
	}
	return ret;
}
