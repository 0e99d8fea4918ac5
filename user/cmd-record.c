// SPDX-License-Identifier: GPL-2.0-or-later
/* iospan record: writes every access of a command, or of the whole machine, to a trace file. The
 * metadata at the start of the trace says how the trace was made. The report at the end of the
 * trace has the sums that the BPF programs counted. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "user/base/opt-common.h"
#include "user/base/opt-help.h"
#include "user/base/clock.h"
#include "user/base/out-print.h"
#include "user/cmd.h"
#include "user/base/err.h"
#include "user/session/measured.h"
#include "user/base/num.h"
#include "user/base/privileges.h"
#include "user/base/progress.h"
#include "user/kernel/recorder.h"
#include "user/base/seal.h"
#include "user/base/signals.h"
#include "user/base/table.h"
#include "user/host/cgroup-names.h"
#include "user/host/containers.h"
#include "user/trace/file.h"
#include "user/trace/unmatched.h"
#include "user/metric/measurement.h"
#include "user/show/show-json.h"
#include "user/trace/write.h"

static struct record_opts {
	const char *output;
	uint64_t time_ns, max_size, buffer;
	uint64_t keep;
	const char *cgroup;
	bool json, force;
	struct measured_opts measured;
	struct trace_filter filter;
} o = { .output = "iospan.trace",
	.buffer = 64 << 20,
	.measured = MEASURED_DEFAULTS,
	.filter = TRACE_FILTER_ALL };

static const struct opt opts[] = {
	OPT_OUTPUT(&o.output, "the trace"),
	OPT_FLAG(0, "force", &o.force, "replace an existing FILE that is no trace"),
	OPT_DURATION(&o.time_ns,
		     " all that runs; only without COMMAND; 0: until a signal, needs --max-size "
		     "and --max-files"),
	OPT_SIZE(0, "max-size", &o.max_size, "BYTES",
		 "size of a file, after which the trace continues in FILE.1, FILE.2, ...; 0: one "
		 "file"),
	OPT_UINT(0, "max-files", &o.keep, "N", "keep only the last N of these files; 0: all"),
	OPT_SIZE(0, "buffer", &o.buffer, "BYTES", "memory for accesses that are not written yet"),
	OPT_JSON(&o.json),
	OPT_QUIET,
	MEASURED_OPTS(o.measured),
	OPT_OPS(&o.filter.ops, op_names),
	OPT_DEVICE(&o.filter.text[TRACE_DISK]),
	OPT_CGROUP(&o.filter.text[TRACE_GROUP], cgroup_names_parts),
	OPT_WITHIN(&o.cgroup),
	OPT_PROCESS(&o.filter.text[TRACE_PROCESS]),
	OPT_FILE(&o.filter.text[TRACE_FILE]),
	OPT_END,
};

const struct opt_page record_page = {
	.command = "record",
	.usage = "[options] {-t TIME | --max-size BYTES --max-files N | -- COMMAND [ARGUMENT...]}",
	.summary = "keep every access of a command, or of the machine, in a file",
	.opts = opts,
	.examples = "  iospan record -- dd if=/dev/zero of=file bs=1M count=100\n"
		    "  iospan report iospan.trace\n"
		    "  iospan record -o all.trace -t 10s\n"
		    "  iospan record -o last.trace --max-size 100M --max-files 3\n",
};

/* ---- metadata of the trace ---- */

/* Returns the filter options as the user wrote them, or NULL if there is no filter. */
static struct out *filter_json(const struct trace_filter *f)
{
	bool some = f->ops != TRACE_FILTER_ALL.ops;
	char *ops = opt_words(op_names, f->ops);
	struct out *filter = out_object();

	if (some)
		out_str(filter, "ops", ops);
	free(ops);
	for (u32 kind = 0; kind < TRACE_KINDS; kind++) {
		if (!f->text[kind])
			continue;
		out_str(filter, trace_kind_names[kind], f->text[kind]);
		some = true;
	}
	if (some)
		return filter;
	out_free(filter);
	return NULL;
}

static struct out *meta_json(char **argv, unsigned layers)
{
	struct out *meta = out_object(), *list = out_array();
	char host[256] = "";
	struct timespec real;
	struct utsname kernel;

	uname(&kernel);
	clock_gettime(CLOCK_REALTIME, &real);
	gethostname(host, sizeof(host) - 1);
	out_str(meta, "iospan", VERSION);
	out_str(meta, "source", "record");
	out_str(meta, "host", host);
	out_str(meta, "kernel", kernel.release);
	out_u64(meta, "written_from_ns", now_ns());
	out_u64(meta, "written_from_realtime_ns", real.tv_sec * 1000000000ULL + real.tv_nsec);
	for (int i = 0; i < LAYERS; i++)
		if (layers & 1 << i)
			out_append_str(list, layer_names[i]);
	out_put(meta, "recorded_layers", list);
	out_bool(meta, "has_opens",
		 layers >> LAYER_VFS & 1 && o.filter.ops >> OP_OPEN & 1 &&
			 o.filter.ops >> OP_CREATE & 1 && o.filter.ops >> OP_CLOSE & 1);
	out_bool(meta, "has_cgroups", measured_by_cgroup(&o.measured));
	out_words(meta, "argv", argv);
	out_put(meta, "filter", filter_json(&o.filter));
	return meta;
}

#define PROGRESS_NS 500000000ULL

/* One run of iospan record. @argv is the command; NULL: the whole machine is recorded. */
struct recording {
	struct trace_place place;
	struct trace_writer *w;
	char **argv;
	u64 empty_bytes; /* size of a trace without accesses */
	/* Set when the recording ends. .bytes: size of the trace, without the report at its end.
	 * .accesses: number of accesses by layer. */
	u64 bytes, accesses[LAYERS];
	/* Times on the clock of now_ns(). .start_ns: start of the recording. .progress_ns: time at
	 * which the progress is next shown. */
	u64 start_ns, progress_ns;
	bool replaced; /* the trace that existed before was renamed to FILE.old */
};

static int begin(struct recording *r)
{
	struct trace_write_options how = { .max_bytes = o.max_size,
					   .files_kept = o.keep,
					   .place = &r->place };
	struct out *meta = meta_json(r->argv, o.measured.layers);
	int ret = replace_set_aside(&r->place, o.force);

	r->replaced = ret > 0;
	if (ret >= 0)
		ret = trace_create(&r->w, o.output, meta, &how);
	out_free(meta);
	if (!ret)
		r->empty_bytes = trace_written(r->w);
	r->start_ns = now_ns();
	r->progress_ns = r->start_ns + PROGRESS_NS;
	return ret;
}

static void show_progress(void *recording)
{
	char elapsed[NUM_TEXT], accesses[NUM_TEXT], bytes[NUM_TEXT];
	struct recording *r = recording;
	u64 now = now_ns(), all = 0;

	if (now < r->progress_ns)
		return;
	r->progress_ns = now + PROGRESS_NS;
	for (u32 layer = 0; layer < LAYERS; layer++)
		all += trace_accesses(r->w, layer);
	progress("%s  %s accesses  %s", num_time_text(elapsed, now - r->start_ns),
		 num_count_text(accesses, all), num_bytes_text(bytes, trace_written(r->w)));
}

/* ---- end of the recording ---- */

/* Warns of accesses and names that are missing in the trace. The report lists other losses. */
static void warn_losses(const struct measurement *m)
{
	for (const struct loss *l = m->losses; l->name; l++) {
		char *text = show_loss_text(l, 0);

		if (l->n && loss_is_of_recordings(l->name))
			warn_loss("%s", text);
		free(text);
	}
}

static void print_summary(const struct report *r, const struct recording *trace)
{
	char size[NUM_TEXT];
	u64 all = 0;

	if (verbosity.quiet)
		return;
	out_line_format(stderr, "%s:", o.output);
	for (int i = 0; i < LAYERS; i++) {
		u64 n = trace->accesses[i];

		if (report_sees(r, i))
			fprintf(stderr, " %llu %s,", (unsigned long long)n, layer_names[i]);
		all += n;
	}
	fprintf(stderr, " %s written", num_bytes_text(size, trace->bytes));
	if (all)
		fprintf(stderr, ", %.1f bytes per access", (double)trace->bytes / all);
	fprintf(stderr, "\n");
}

static int finish(struct recording *to, const struct report *r)
{
	struct out *sums = show_document(r);
	int ret = trace_flush(to->w);

	to->bytes = trace_written(to->w);
	for (u32 layer = 0; layer < LAYERS; layer++)
		to->accesses[layer] = trace_accesses(to->w, layer);
	out_u64(sums, "start_ns", r->m->begin_ns);
	seal(sums);
	ret = trace_finish(to->w, sums) ?: ret;
	to->w = NULL;
	if (o.json) {
		out_str(sums, "file", o.output);
		out_u64(sums, "file_bytes", to->bytes);
		seal(sums);
		out_json(stdout, sums);
	}
	out_free(sums);
	print_summary(r, to);
	warn_losses(r->m);
	unmatched_warn_end(&o.filter, to->accesses);
	return ret;
}

/* Creates the trace file and starts recording. The caller has already called signals_catch(), so
 * that no signal ends iospan while the file is still empty. */
static int ready(struct recording *to, struct tracer *t)
{
	int ret = begin(to) ?: tracer_record(t, to->w, &o.filter);

	return ret ?: privileges_drop_tracing();
}

/* ---- recording of the whole machine, without a command ---- */

static void watch(struct recording *to, struct tracer *t, int signals, u64 end_ns)
{
	u64 next;

	do {
		next = now_ns() + PROGRESS_NS;
		next = next < end_ns ? next : end_ns;
		show_progress(to);
	} while (measured_wait(t, signals, next, RECORDER_POLL_NS) && next < end_ns);
	progress_end();
}

static int record_all(struct recording *to, const struct measured *m)
{
	struct tracer_options options = m->options;
	char *none[] = { NULL };
	struct report r = { .options = &options,
			    .command = "record",
			    .argv = none,
			    .everybody = true,
			    .attached = o.cgroup };
	struct measurement *found = NULL;
	struct tracer *t = NULL;
	sigset_t before;
	int signals, ret = measured_target(&options, m->charge, o.cgroup);
	u64 start;

	if (!ret && options.per_cgroup)
		containers_warn();
	if (!ret)
		ret = tracer_new(&options, &t);
	if (ret)
		goto out;
	signals = signals_catch(0, &before);
	ret = signals < 0 ? signals : ready(to, t);
	start = now_ns();
	if (!ret)
		watch(to, t, signals, o.time_ns ? start + o.time_ns : UINT64_MAX);
	if (signals >= 0)
		signals_release(signals, &before);
	if (!ret)
		ret = tracer_measure(t, start, &found);
	r.m = found;
	if (!ret)
		ret = finish(to, &r);
out:
	tracer_free(t);
	measurement_free(found);
	return ret;
}

/* ---- recording of one command ---- */

static int record_command(struct recording *to, struct measured *m)
{
	int ret = measured_begin(m, "record", to->argv);

	if (!ret)
		ret = ready(to, m->tracer);
	/* If stdout is a terminal, progress is not shown, because it would mix with the output of
	 * the command. */
	if (!isatty(STDOUT_FILENO))
		m->polled = show_progress;
	m->polled_arg = to;
	if (!ret)
		ret = measured_run(m, RECORDER_POLL_NS);
	if (m->polled)
		progress_end();
	if (m->report.m)
		ret = finish(to, &m->report) ?: ret;
	measured_end(m);
	return ret;
}

/* Ends the trace file. If the recording has ended or accesses were written, keeps the
 * trace. Otherwise removes the trace, and gives the previous trace (FILE.old) its name again. */
static void end(struct recording *to)
{
	bool begun = to->bytes || (to->w && trace_written(to->w) > to->empty_bytes);

	if (begun)
		trace_finish(to->w, NULL);
	else
		trace_abandon(to->w);
	if (!begun && to->replaced)
		replace_put_back(&to->place);
}

static int check(int argc, char **argv, int first)
{
	if (first < argc && o.time_ns)
		return error(-EUSAGE, "--duration and a command exclude each other");
	if (first >= argc && !o.time_ns && !o.keep)
		return error(-EUSAGE,
			     "no command, no --duration and no --max-files given; usage: iospan "
			     "record %s",
			     record_page.usage);
	if (first < argc && strcmp(argv[first - 1], "--"))
		return error(-EUSAGE, "'--' is missing before '%s'; usage: iospan record %s",
			     argv[first], record_page.usage);
	if (o.cgroup && first < argc)
		return error(-EUSAGE,
			     "option '--within' has no effect with a command, which has a cgroup "
			     "of its own");
	if (o.filter.text[TRACE_GROUP] && !measured_by_cgroup(&o.measured))
		return error(-EUSAGE, "option '--cgroup' has no effect without '--by cgroup'");
	if (first >= argc && !o.cgroup && opt_given(&o.measured.attribution) &&
	    !measured_by_cgroup(&o.measured))
		return error(-EUSAGE, "option '--attribution' has no effect without '--by cgroup'");
	if (o.keep && !o.max_size)
		return error(-EUSAGE, "option '--max-files' has no effect without '--max-size'");
	if (o.buffer < 1 << 20 || o.buffer > 1ULL << 36)
		return error(-EUSAGE, "--buffer is a size from 1M to 64G");
	if (o.max_size && o.max_size < 64 << 10)
		return error(-EUSAGE, "--max-size is at least 64k");
	return 0;
}

int cmd_record(int argc, char **argv)
{
	struct recording to = { .place = TRACE_PLACE_NONE };
	struct measured m = {};
	int first = opt_parse(&record_page, argc, argv), ret;

	if (first < 0)
		return first;
	ret = check(argc, argv, first);
	if (!ret)
		ret = measured_prepare(&m, &o.measured);
	if (!ret)
		ret = trace_place_open(&to.place, o.output);
	if (!ret)
		ret = replace_check(&to.place, o.force);
	if (!ret)
		ret = trace_file_try(&to.place);
	unmatched_warn_disks(o.filter.text[TRACE_DISK]);
	m.options.record_bytes = o.buffer;
	to.argv = first < argc ? argv + first : NULL;
	if (ret >= 0)
		ret = to.argv ? record_command(&to, &m) : record_all(&to, &m);
	end(&to);
	trace_place_close(&to.place);
	return ret;
}
