/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_IMPORT_FUZZ_H
#define IOSPAN_IMPORT_FUZZ_H

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "bpf/event.h"
#include "tools/import/import.h"
#include "user/kernel/tracer.h"
#include "user/trace/write.h"

#define CHECK(holds) \
	do { \
		if (!(holds)) \
			abort(); \
	} while (0)

static void check_access(const struct access *x)
{
	const struct trace_name *names[] = { &x->disk, &x->group, &x->process, &x->file };

	CHECK(x->at.start_ns <= x->at.end_ns);
	CHECK(x->at.flags < 16);
	CHECK(x->layer < LAYERS && x->op < OP_MAX && x->source < SRC_MAX);
	for (int i = 0; i < TRACE_KINDS; i++)
		CHECK(!names[i]->text || strlen(names[i]->text) < IMPORT_LINE);
}

/* Imports the bytes as one file, or as the same file twice, because an importer may merge several
 * inputs. */
static void import_bytes(struct import_options *o, const u8 *data, size_t size)
{
	static int fd = -1;
	char path[64], *paths[] = { path, path };

	if (fd < 0)
		fd = memfd_create("input", 0);
	CHECK(ftruncate(fd, 0) == 0 && pwrite(fd, data, size, 0) == (ssize_t)size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	o->skip_bad = size % 2;
	import_run(o, paths, 1 + (size % 3 == 0), check_access);
}

#endif
