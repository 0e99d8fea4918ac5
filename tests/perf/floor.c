// SPDX-License-Identifier: GPL-2.0-or-later
/* floor NAME...: attaches the BPF programs with these names until floor is killed. They are in
 * floor.bpf.o, in the directory of floor. */
#include <bpf/libbpf.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool is_named(const char *name, char **names)
{
	while (*names && strcmp(*names, name))
		names++;
	return *names;
}

static struct bpf_object *load(const char *self, char **names)
{
	char copy[PATH_MAX], path[PATH_MAX + 16];
	struct bpf_program *program;
	struct bpf_object *object;

	snprintf(copy, sizeof(copy), "%s", self);
	snprintf(path, sizeof(path), "%s/floor.bpf.o", dirname(copy));
	object = bpf_object__open(path);
	if (!object)
		return NULL;
	bpf_object__for_each_program (program, object)
		bpf_program__set_autoload(program, is_named(bpf_program__name(program), names));
	return bpf_object__load(object) ? NULL : object;
}

int main(int argc, char **argv)
{
	struct bpf_object *object = load(argv[0], argv + 1);
	struct bpf_program *program;

	if (!object)
		return 1;
	bpf_object__for_each_program (program, object)
		if (bpf_program__autoload(program) && !bpf_program__attach(program))
			return 1;
	pause();
	return 0;
}
