/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options that several commands share, with the same letter, name, argument and meaning. Each macro
 * makes a row of an option table. The macro argument "d" is the address of the variable that the
 * option sets. The macro argument "what" is a part of the help text. */
#ifndef IOSPAN_BASE_OPT_COMMON_H
#define IOSPAN_BASE_OPT_COMMON_H

#include "user/base/err.h"
#include "user/base/opt-given.h"
#include "user/base/opt.h"

#define OPT_OUTPUT(d, what) OPT_STR('o', "output", d, "FILE", "write " what " to FILE")
#define OPT_JSON(d) OPT_FLAG('j', "json", d, "print JSON")
#define OPT_CSV(d) OPT_FLAG('c', "csv", d, "print CSV")
#define OPT_HISTOGRAM(d) OPT_FLAG(0, "histogram", d, "print histograms of the latency as well")
#define OPT_HTML(d) OPT_STR(0, "html", d, "FILE", "write a page with plots to FILE as well")
#define OPT_VERBOSE(what) OPT_FLAG('v', "verbose", &verbosity.verbose, "print " what " as well")
#define OPT_LIMITS OPT_VERBOSE("limits that every measurement on this machine has")
#define OPT_QUIET \
	OPT_FLAG('q', "quiet", &verbosity.quiet, \
		 "print only results and errors: no notes, no warnings, no progress")

/* Pairs of options that exclude each other. If both options of a pair are given, opt_parse() prints
 * an error. */
#define OPT_EXCLUDED \
	{ "json", "csv" }, \
	{ \
		"quiet", "verbose" \
	}

#define OPT_LAYERS_TO(d, words, help) OPT_SET('l', "layers", d, words, help)
#define OPT_LAYERS(d, words) OPT_LAYERS_TO(d, words, "only these layers")
#define OPT_OPS(d, words) OPT_SET(0, "ops", d, words, "only these operations")
#define OPT_BY(d, words) OPT_SET('b', "by", d, words, "a row for each of these")
#define OPT_TOP(d, help) OPT_UINT(0, "top", d, "N", help "; 0: print all rows")
#define TOP_SUMS "sum all rows but the first N"
#define OPT_SORT(d) OPT_STR(0, "sort", d, "COLUMN", "sort rows by COLUMN, the largest first")
#define TOP_DEFAULT 20
/* Filters. The value of each option is a list of patterns, separated by commas, such as
 * "sda,nvme*". */
#define OPT_DEVICE(d) \
	OPT_LIST('d', "device", d, NULL, "only these disks: names, numbers or patterns")
#define OPT_CGROUP(d, keys) \
	OPT_LIST('g', "cgroup", d, keys, "only these cgroups: paths, names or patterns")
#define OPT_WITHIN(d) \
	OPT_STR(0, "within", d, "DIR", "measure only what runs in the cgroup DIR or below it")
#define OPT_PROCESS(d) \
	OPT_LIST('p', "process", d, NULL, "only these processes: numbers, names or patterns")
#define OPT_FILE(d) OPT_LIST('f', "file", d, NULL, "only these files: paths, names or patterns")
#define OPT_FROM(d) \
	OPT_TIME(0, "from", d, "TIME", "skip everything before TIME, counted from the start")
#define OPT_TO(d) \
	OPT_TIME(0, "to", d, "TIME", \
		 "skip everything after TIME, counted from the start; 0: nothing")

#define OPT_INTERVAL(d, what) OPT_TIME('i', "interval", d, "TIME", "length of an interval" what)
#define OPT_COUNT(d, what) OPT_UINT('n', "count", d, "N", "number of " what)
#define OPT_DURATION(d, what) OPT_TIME('t', "duration", d, "TIME", "how long to measure" what)

#define OPT_REQUEST_SIZE(d, what) OPT_SIZE('s', "size", d, "BYTES", "request size" what)
#define OPT_SEED(d) OPT_UINT(0, "seed", d, "N", "random seed")
#define OPT_DESTROY(d) \
	OPT_FLAG(0, "destroy", d, "write to a device or file and destroy its content")
#define OPT_SIGNATURE(d) \
	OPT_STR(0, "signature", d, "NAMES", \
		"content of the device that --destroy may destroy, such as ext4,dos")
#define OPT_DIRECT(d) OPT_FLAG(0, "direct", d, "bypass the page cache")
#define OPT_PARENT(d) \
	OPT_STR(0, "parent", d, "DIR", "create the cgroup below DIR; else below the caller's")

#define OPT_ATTRIBUTION(d) \
	OPT_STR(0, "attribution", d, "HOW", \
		"how device I/O is attributed to a cgroup: 'kernel' (to the cgroup that the " \
		"kernel " \
		"charges), 'task' (to that of the submitting task), 'auto'")
#define OPT_MAX_GROUPS(d) OPT_UINT(0, "max-groups", d, "N", "largest number of cgroups with a row")

#endif
