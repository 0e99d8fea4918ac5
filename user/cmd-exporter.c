// SPDX-License-Identifier: GPL-2.0-or-later
/* iospan exporter: serves the I/O of each cgroup and disk to Prometheus. The tracer is the BPF
 * programs and the code that reads their counters. The main thread polls the tracer; a thread of
 * the web server answers requests. */
#include <malloc.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "user/base/opt-common.h"
#include "user/base/clock.h"
#include "user/base/out-print.h"
#include "user/cmd.h"
#include "user/host/cgroup-names.h"
#include "user/host/containers.h"
#include "user/base/err.h"
#include "user/base/num.h"
#include "user/exporter/exporter.h"
#include "user/exporter/http.h"
#include "user/session/measured.h"
#include "user/exporter/openmetrics.h"
#include "user/base/privileges.h"
#include "user/base/signals.h"
#include "user/metric/measurement.h"

/* The exporter reads the counters at this interval, even if Prometheus does not scrape. Each
 * reading also finds the cgroups that were removed, so that their entries in the BPF maps become
 * free. */
#define UPDATE_NS 5000000000ULL
#define SERIES_MIN 1000
#define LOCK_S 5
#define UNHEALTHY_NS 10000000000ULL
#define CPU_WINDOW_NS 10000000000ULL

static struct exporter_opts {
	const char *cgroup;
	/* bit mask of the layers to measure; bit 0: vfs layer; bit 1: device layer */
	unsigned layers;
	struct measured_opts measured;
	struct exporter_limits limits;
	struct http_options http;
	bool bpf_stats;
	const char *cpu_limit;
} o = {
	.layers = 2,
	.measured = MEASURED_DEFAULTS,
	.limits = { .keep_ns = 300000000000ULL,
		    .max_series = 100000,
		    .bursts = { .interval_ns = 10000000000ULL, .window_ns = 3600000000000ULL } },
	.http = { .listen = "127.0.0.1:9715" },
};

static const struct opt opts[] = {
	OPT_STR(0, "listen", &o.http.listen, "[ADDR]:PORT",
		"address to serve at; without ADDR: every address; port 0: any free port"),
	OPT_STR(0, "tls-cert", &o.http.certificate, "FILE", "TLS certificate, in PEM"),
	OPT_STR(0, "tls-key", &o.http.key, "FILE", "key of the TLS certificate, in PEM"),
	OPT_STR(0, "basic-auth-file", &o.http.auth_file, "FILE",
		"serve only users with a line NAME:HASH in FILE"),
	OPT_TIME(0, "keep-removed", &o.limits.keep_ns, "TIME",
		 "how long a removed cgroup or disk stays in the output"),
	OPT_UINT(0, "max-series", &o.limits.max_series, "N",
		 "largest number of series of cgroups; the smallest cgroups are folded"),
	OPT_CGROUP(&o.limits.cgroup, cgroup_names_parts),
	OPT_WITHIN(&o.cgroup),
	OPT_LAYERS(&o.layers, layer_names + LAYER_VFS),
	OPT_MAX_GROUPS(&o.measured.max_groups),
	OPT_FLAG(0, "bpf-stats", &o.bpf_stats,
		 "export the run time of iospan's kernel programs; raises their cost"),
	OPT_STR(0, "cpu-limit", &o.cpu_limit, "P%",
		"stop measuring the vfs layer if its kernel programs use more than P% of one CPU"),
	OPT_TIME(0, "burst-interval", &o.limits.bursts.interval_ns, "TIME",
		 "length of an interval for burstiness and parallel intensity"),
	OPT_TIME(0, "burst-window", &o.limits.bursts.window_ns, "TIME",
		 "time that these metrics cover; 0: no such metrics"),
	OPT_SIZE(0, "burst-threshold", &o.limits.bursts.threshold, "BYTES",
		 "a disk with at most this many bytes in an interval is idle"),
	MEASURED_HOW_OPTS(o.measured),
	OPT_END,
};

const struct opt_page exporter_page = {
	.command = "exporter",
	.usage = "[options]",
	.summary = "serve the I/O of cgroups and disks to Prometheus",
	.opts = opts,
	.examples = "  iospan exporter --layers vfs,device  # fsync latencies as well\n"
		    "  iospan exporter --listen [::]:9715 --tls-cert c.pem --tls-key k.pem\n",
};

/* ---- data that the thread of the web server shares with the thread that polls the tracer ---- */

struct watch {
	pthread_mutex_t lock; /* protects all fields below */
	struct tracer *tracer;
	struct exporter *exporter;
	/* .window_ns: start of the current window of --cpu-limit (CLOCK_MONOTONIC). .window_run_ns:
	 * run time of the vfs layer's BPF programs at that time. */
	u64 window_ns, window_run_ns;
	bool limited; /* true: the vfs layer is measured, and --cpu-limit is not 0 */
	u64 begin_ns, updated_ns, polled_ns;
	/* warning about the version of the cgroups (measured_hierarchy_note()); NULL: none */
	const char *note;
	/* true: the warning about cgroups without series was printed */
	bool others_warned;
	int failed; /* negative errno of tracer_read(), which has printed the error; 0: no error */
};

static void update(struct watch *w)
{
	struct measurement *m;

	w->failed = tracer_read(w->tracer, w->begin_ns, &m);
	if (w->failed)
		return;
	exporter_update(w->exporter, m);
	if (m->notes.other_groups && !w->others_warned)
		warn("some cgroups with I/O have no series: there are more than --max-groups "
		     "permits (%llu, with '/'), or they are nested more than %d deep; their I/O is "
		     "in their parents and in iospan_other_accesses_total; if there are too many, "
		     "raise --max-groups",
		     (unsigned long long)o.measured.max_groups, GROUP_LEVELS);
	w->others_warned |= m->notes.other_groups;
	measurement_free(m);
	w->updated_ns = now_ns();
}

static char *document(void *arg, bool classic, size_t *size)
{
	struct watch *w = arg;
	char *text;

	pthread_mutex_lock(&w->lock);
	update(w);
	text = exporter_text(w->exporter, classic, size);
	pthread_mutex_unlock(&w->lock);
	return text;
}

/* Answers a health check. Returns true if the counters can be read and the main thread has polled
 * the tracer within the last UNHEALTHY_NS. If the last reading is over a second old, reads the
 * counters. Returns false if watch.lock cannot be locked within LOCK_S seconds. */
static bool is_healthy(void *arg)
{
	struct watch *w = arg;
	struct timespec until;
	bool healthy;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += LOCK_S;
	if (pthread_mutex_timedlock(&w->lock, &until))
		return false;
	if (!w->failed && now_ns() - w->updated_ns > 1000000000)
		update(w);
	healthy = !w->failed && now_ns() - w->polled_ns < UNHEALTHY_NS;
	pthread_mutex_unlock(&w->lock);
	return healthy;
}

/* Checks the CPU time of the vfs layer's BPF programs once per window of CPU_WINDOW_NS. If they
 * have used more than --cpu-limit permits, stops measuring the vfs layer. */
static void keep_to_limit(struct watch *w)
{
	u64 now = now_ns(), length = now - w->window_ns, run_ns;
	char text[NUM_TEXT];
	double used;

	if (!w->limited || length < CPU_WINDOW_NS)
		return;
	run_ns = tracer_vfs_run_ns(w->tracer);
	used = (double)(run_ns - w->window_run_ns) / length;
	w->window_ns = now;
	w->window_run_ns = run_ns;
	if (used <= o.limits.cpu)
		return;
	tracer_stop_vfs(w->tracer);
	exporter_end_vfs(w->exporter);
	w->limited = false;
	warn("the kernel programs of the vfs layer used %s%% of a CPU in the last %.0f s, more "
	     "than --cpu-limit %s; the vfs layer is off until the exporter is started again",
	     num_ratio_text(text, used * 100), length / 1e9, o.cpu_limit);
}

/* Polls the tracer and updates the numbers until a signal arrives or an update fails. At the same
 * time, the thread of the web server answers requests. */
static int serve(struct watch *w, int signals)
{
	struct pollfd p = { .fd = signals, .events = POLLIN };
	u64 last = 0;
	int failed = 0;

	while (!failed && !signals_came(signals, &last)) {
		poll(&p, 1, TRACER_POLL_NS / 1000000);
		pthread_mutex_lock(&w->lock);
		tracer_poll(w->tracer);
		keep_to_limit(w);
		w->polled_ns = now_ns();
		if (now_ns() - w->updated_ns >= UPDATE_NS ||
		    exporter_due(w->exporter, now_ns() - w->begin_ns))
			update(w);
		failed = w->failed;
		pthread_mutex_unlock(&w->lock);
	}
	return failed;
}

static int serve_all(struct watch *w, struct http *h, int signals)
{
	int ret = http_serve(h);

	if (ret)
		return ret;
	if (w->note)
		warn("%s", w->note);
	printf("%s\n", http_url(h));
	ret = out_finish(stdout, "standard output");
	return ret ? ret : serve(w, signals);
}

/* Makes malloc() use mmap() for large buffers, so that free() returns their memory to the kernel.
 * The answer to a scrape takes megabytes. On the heap, a small block after the answer could keep
 * free() from returning this memory. */
static void give_memory_back(void)
{
	mallopt(M_MMAP_THRESHOLD, 128 << 10);
	mallopt(M_ARENA_MAX, 1);
}

static int export_all(struct watch *w, struct http *h)
{
	sigset_t before;
	int signals, ret;

	give_memory_back();
	/* Drop the capabilities and block the signals before the web server starts its threads,
	 * because threads inherit capabilities and blocked signals. */
	ret = privileges_drop_all();
	if (ret)
		return ret;
	signals = signals_catch(0, &before);
	if (signals < 0)
		return signals;
	update(w);
	ret = w->failed ? w->failed : serve_all(w, h, signals);
	signals_release(signals, &before);
	return ret;
}

static int run(const struct measured *m)
{
	struct watch w = { .lock = PTHREAD_MUTEX_INITIALIZER };
	struct tracer_options options = m->options;
	struct http *h = NULL;
	int ret = measured_target(&options, m->charge, o.cgroup);

	o.http.arg = &w;
	if (!ret)
		containers_warn();
	if (!ret)
		ret = http_new(&o.http, &h);
	if (!ret)
		ret = tracer_new(&options, &w.tracer);
	if (!ret) {
		w.begin_ns = w.polled_ns = w.window_ns = now_ns();
		w.exporter = exporter_new(options.layers, &o.limits);
		w.limited = o.cpu_limit;
		w.window_run_ns = tracer_vfs_run_ns(w.tracer);
		w.note = o.cgroup ? NULL : measured_hierarchy_note(&options);
		ret = export_all(&w, h);
	}
	/* Call http_free() first: it ends the web server's thread, which uses the exporter and the
	 * tracer. */
	http_free(h);
	exporter_free(w.exporter);
	tracer_free(w.tracer);
	return ret;
}

static int check_bursts(void)
{
	const struct bursts_limits *b = &o.limits.bursts;
	char window[NUM_TEXT], interval[NUM_TEXT];

	if (!b->window_ns && opt_given(&b->interval_ns))
		return opt_no_effect("burst-interval", "--burst-window 0");
	if (!b->window_ns && opt_given(&b->threshold))
		return opt_no_effect("burst-threshold", "--burst-window 0");
	if (b->interval_ns < BURST_INTERVAL_LEAST_NS)
		return error(-EUSAGE, "option '--burst-interval' wants 100ms or longer");
	if (!b->window_ns || bursts_fit(b))
		return 0;
	return error(-EUSAGE,
		     "'--burst-window' must be 1 to %u times '--burst-interval', not %s with %s",
		     BURSTS_MOST, num_time_arg(window, b->window_ns),
		     num_time_arg(interval, b->interval_ns));
}

/* Parses --cpu-limit, a percentage of one CPU, to a fraction of it. */
static int check_cpu_limit(void)
{
	const char *text = o.cpu_limit;
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	double *fraction = &o.limits.cpu;

	if (!text)
		return 0;
	if (!strchr(text, '%') || num_real(text, fraction) || !(*fraction > 0 && *fraction <= cpus))
		return error(-EUSAGE,
			     "option '--cpu-limit' wants a percentage of one CPU, such as 1%% or "
			     "0.5%%: above 0%% and up to %ld%% (%ld CPU%s), not '%s'",
			     cpus * 100, cpus, num_word(cpus, "", "s"), text);
	if (!(o.layers & 1))
		return error(-EUSAGE,
			     "option '--cpu-limit' has no effect without the vfs layer; "
			     "add '--layers vfs,device', or leave out '--cpu-limit'");
	return 0;
}

int cmd_exporter(int argc, char **argv)
{
	struct measured m = {};
	int n = opt_parse(&exporter_page, argc, argv), ret;

	if (n < 0)
		return n;
	if (n < argc)
		return error(-EUSAGE, "'%s' is one argument too many; usage: iospan exporter %s",
			     argv[n], exporter_page.usage);
	if (o.limits.max_series < SERIES_MIN)
		return error(-EUSAGE, "--max-series is a number from %u", SERIES_MIN);
	if (check_bursts() || check_cpu_limit())
		return -EUSAGE;
	o.http.types[0] = openmetrics_type;
	o.http.types[1] = openmetrics_classic_type;
	o.http.document = document;
	o.http.healthy = is_healthy;
	o.measured.layers = o.layers << LAYER_VFS;
	o.measured.cgroups = true;
	m.options.per_part = true;
	m.options.retire = true;
	m.options.pressure = true;
	m.options.bpf_stats = o.bpf_stats || o.cpu_limit;
	ret = measured_prepare(&m, &o.measured);
	return ret ?: run(&m);
}
