// SPDX-License-Identifier: GPL-2.0-or-later
/* Measures the longest runs of BPF programs of another process:
 *
 *   longest ID...
 *
 * ID is the id of a BPF program. Prints an empty line when ready. For each line of stdin, prints a
 * line about the runs since the previous line of stdin, with times in ns. If an interrupt arrives
 * during a run, the run is not timed, but counted as "interrupted":
 *
 *   {"NAME": [runs, sum, longest, interrupted], ...}
 *
 * The BPF programs are in longest.bpf.o, in the same directory. They need fentry on fentry
 * programs, which Linux 6.8 has. */
#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <err.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns the name of a BPF program. Takes the name of its function from BTF, because the kernel
 * cuts the name of a program to 15 characters. */
static char *name_of(int program)
{
	struct bpf_func_info function = { 0 };
	struct bpf_prog_info info = {
		.nr_func_info = 1,
		.func_info_rec_size = sizeof(function),
		.func_info = (unsigned long)&function,
	};
	unsigned size = sizeof(info);
	struct btf *btf;

	if (bpf_obj_get_info_by_fd(program, &info, &size))
		err(1, "program");
	btf = btf__load_from_kernel_by_id(info.btf_id);
	if (!btf)
		err(1, "types of '%s'", info.name);
	return strdup(btf__name_by_offset(btf, btf__type_by_id(btf, function.type_id)->name_off));
}

static struct bpf_object *watch(const char *path, int program, const char *name)
{
	struct bpf_object *object = bpf_object__open(path);
	struct bpf_program *p;

	if (!object)
		err(1, "%s", path);
	bpf_object__for_each_program (p, object)
		if (bpf_program__expected_attach_type(p) != BPF_TRACE_RAW_TP &&
		    bpf_program__set_attach_target(p, program, name))
			err(1, "target '%s'", name);
	if (bpf_object__load(object))
		err(1, "watching '%s'", name);
	bpf_object__for_each_program (p, object)
		if (!bpf_program__attach(p))
			err(1, "watching '%s'", name);
	return object;
}

static void print_and_clear(struct bpf_object *object, const char *name)
{
	struct bpf_map *map = bpf_object__find_map_by_name(object, ".bss");
	size_t size = bpf_map__value_size(map);
	unsigned long *seen = calloc(1, size);
	unsigned zero = 0;

	if (!seen || bpf_map__lookup_elem(map, &zero, sizeof(zero), seen, size, 0))
		err(1, "%s", name);
	printf("\"%s\": [%lu, %lu, %lu, %lu]", name, seen[0], seen[1], seen[2], seen[3]);
	memset(seen, 0, size);
	if (bpf_map__update_elem(map, &zero, sizeof(zero), seen, size, 0))
		err(1, "%s", name);
	free(seen);
}

int main(int argc, char **argv)
{
	struct bpf_object *objects[argc];
	char *names[argc], path[PATH_MAX];

	snprintf(path, sizeof(path), "%s.bpf.o", argv[0]);
	for (int i = 1; i < argc; i++) {
		int program = bpf_prog_get_fd_by_id(atoi(argv[i]));

		if (program < 0)
			err(1, "program %s", argv[i]);
		names[i] = name_of(program);
		objects[i] = watch(path, program, names[i]);
	}
	puts("");
	fflush(stdout);
	while (fgets(path, sizeof(path), stdin)) {
		for (int i = 1; i < argc; i++) {
			printf(i == 1 ? "{" : ", ");
			print_and_clear(objects[i], names[i]);
		}
		puts("}");
		fflush(stdout);
	}
	return 0;
}
