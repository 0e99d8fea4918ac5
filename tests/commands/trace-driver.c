// SPDX-License-Identifier: GPL-2.0-or-later
/* Writes a trace from lines of text, for tests/commands/report.py:
 *
 *   trace-driver TRACE [-m META.json] [-s SUMS.json] [-b MAX-BYTES] <LINES
 *
 * A line is an access, with tabs between its fields:
 *
 *   layer op source disk group process file start end bytes offset queued held flags
 *
 * A disk is NAME=DEV, or NAME=DEV* if it is stacked. A group is a path, a process is NAME=PID, a
 * file is PATH=INODE. "-" stands for none of these. All other fields are numbers. The line "kill"
 * ends the driver like a crash. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "user/base/err.h"
#include "user/base/out-read.h"
#include "user/trace/trace.h"
#include "user/trace/write.h"

#define FIELDS 14

/* Adds a disk, process or file to the trace, and returns its number. @text is NAME=NUMBER. A '*' at
 * its end marks a stacked disk. */
static u32 name(struct trace_writer *w, u32 kind, char *text)
{
	struct trace_name n = { .kind = kind, .text = text };
	char *equals = strrchr(text, '=');

	if (!strcmp(text, "-"))
		return 0;
	if (equals) {
		*equals = '\0';
		n.id = strtoull(equals + 1, &equals, 0);
		n.stacked = *equals == '*';
	}
	return trace_name(w, &n);
}

/* Adds a cgroup and all cgroups above it to the trace, and returns its number. */
static u32 group(struct trace_writer *w, const char *path)
{
	struct trace_name n = { .kind = TRACE_GROUP, .text = path };
	char *above, *slash;

	if (!strcmp(path, "-"))
		return 0;
	for (const char *c = path; *c; c++)
		n.id = n.id * 31 + (unsigned char)*c;
	if (!strcmp(path, "/"))
		return trace_name(w, &n);
	above = need(strdup(path));
	slash = strrchr(above, '/');
	slash[slash == above] = '\0';
	n.parent = group(w, above);
	free(above);
	return trace_name(w, &n);
}

static void add(struct trace_writer *w, char **f)
{
	struct trace_stream s = {
		.layer = atoi(f[0]),
		.op = atoi(f[1]),
		.source = atoi(f[2]),
		.disk = name(w, TRACE_DISK, f[3]),
		.group = group(w, f[4]),
		.process = name(w, TRACE_PROCESS, f[5]),
		.file = name(w, TRACE_FILE, f[6]),
	};
	struct trace_access a = {
		.start_ns = strtoull(f[7], NULL, 0),
		.end_ns = strtoull(f[8], NULL, 0),
		.bytes = strtoull(f[9], NULL, 0),
		.offset = strtoull(f[10], NULL, 0),
		.queued_ns = strtoull(f[11], NULL, 0),
		.held_ns = strtoull(f[12], NULL, 0),
		.flags = atoi(f[13]),
		.stream = trace_stream(w, &s),
	};

	if (trace_add(w, &a))
		exit(1);
}

static void read_lines(struct trace_writer *w)
{
	char *line = NULL, *field[FIELDS + 1];
	size_t size = 0;

	while (getline(&line, &size, stdin) > 0) {
		char *rest = line;
		int n = 0;

		line[strcspn(line, "\n")] = '\0';
		if (!strcmp(line, "kill")) {
			trace_flush(w);
			raise(SIGKILL);
		}
		while (n <= FIELDS && (field[n] = strsep(&rest, "\t")))
			n++;
		if (n != FIELDS)
			exit(error(2, "%d fields in a line", n));
		add(w, field);
	}
	free(line);
}

int main(int argc, char **argv)
{
	struct trace_write_options options = {};
	struct out *meta = NULL, *sums = NULL;
	struct trace_writer *w;
	int opt, ret;

	while ((opt = getopt(argc, argv, "m:s:b:")) > 0) {
		if (opt == 'm')
			meta = out_read(optarg);
		else if (opt == 's')
			sums = out_read(optarg);
		else if (opt == 'b')
			options.max_bytes = strtoull(optarg, NULL, 0);
		else
			return 2;
	}
	if (optind + 1 != argc || trace_create(&w, argv[optind], meta, &options))
		return 2;
	read_lines(w);
	ret = trace_finish(w, sums);
	out_free(meta);
	out_free(sums);
	return ret < 0;
}
