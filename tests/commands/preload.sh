#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Tests programs that the preloaded library could break: programs under sanitizers or valgrind, and
# programs with their own search paths, or with own functions that have names of libc functions.
. "$(dirname "$0")/../lib/ktap.sh"
. tests/lib/measured.sh

# The program makes 7 writes of 100 bytes, and 2 reads in a thread. It also allocates a block, which
# the sanitizers watch.
program='#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
static void *reads(void *fd)
{
	char b[100];
	long bad = pread(*(int *)fd, b, 100, 0) != 100 || pread(*(int *)fd, b, 100, 9) != 100;
	return (void *)bad;
}
int main(void)
{
	int fd = open("file", O_RDWR | O_CREAT, 0600);
	char *b = calloc(100, 1);
	pthread_t t;
	void *failed = NULL;
	for (int i = 0; i < 7; i++)
		if (pwrite(fd, b, 100, i * 100) != 100)
			return 1;
	pthread_create(&t, NULL, reads, &fd);
	pthread_join(t, &failed);
	free(b);
	return failed != NULL;
}'

# $ktap_work/program must print nothing on stderr and have 9 accesses. ASAN_OPTIONS is unset,
# because the tests may run with a sanitizer.
expect_counted() # arguments: WHAT [WRAPPER]
{
	iospan_run "-o report --json --layers app -- env -u ASAN_OPTIONS $2 $ktap_work/program"
	expect_eq "$status:$out:$err" "0::" "$1"
	expect_eq "$(json "$dir/report" '[d["layers"]["app"]["operations"][o][k]
		for o in ("write", "read") for k in ("accesses", "bytes")]')" \
		"[7, 700, 2, 200]" "accesses, $1"
}

build() # arguments: COMPILER OPTION...
{
	printf '%s\n' "$program" >"$ktap_work/program.c"
	"$@" -g -pthread -o "$ktap_work/program" "$ktap_work/program.c"
}

test_sanitizers_of_gcc()
{
	needs_measuring
	for sanitizer in address thread undefined leak; do
		build gcc -fsanitize=$sanitizer
		expect_counted "gcc -fsanitize=$sanitizer"
	done
	build gcc -fsanitize=address -static-libasan
	expect_counted "gcc -static-libasan"
}

test_sanitizers_of_clang()
{
	needs_measuring
	runtime=$(clang -print-file-name="libclang_rt.asan-$(uname -m).so")
	needs '[ -e "$runtime" ]' "needs the runtimes of clang"
	for sanitizer in address thread memory; do
		build clang -fsanitize=$sanitizer
		expect_counted "clang -fsanitize=$sanitizer"
	done
	build clang -fsanitize=address -shared-libasan
	expect_counted "clang -shared-libasan" \
		"LD_LIBRARY_PATH=$(dirname "$runtime")"
}

# With the preloaded library, the sanitizer must still find errors.
test_sanitizer_still_works()
{
	needs_measuring
	printf '#include <stdlib.h>\nint main(int n, char **v)\n{ char *volatile p = malloc(n); return p[n]; }\n' \
		>"$ktap_work/bad.c"
	gcc -g -fsanitize=address -o "$ktap_work/bad" "$ktap_work/bad.c"
	iospan_run "-o report --layers app -- env -u ASAN_OPTIONS $ktap_work/bad"
	expect_eq "$status" 1
	expect_match "$err" "*heap-buffer-overflow*"
}

test_valgrind()
{
	needs_measuring
	needs 'command -v valgrind >/dev/null' "needs valgrind"
	build gcc
	iospan_run "-o report --json --layers app -- valgrind -q --error-exitcode=9 $ktap_work/program"
	expect_eq "$status:$out:$err" "0::"
	expect_ge "$(json "$dir/report" 'd["layers"]["app"]["operations"]["write"]["bytes"]')" 700
}

# A program may define its own functions with names of libc. So the library must link only to the
# symbols below, and must look up all others in libc itself. Symbols that only glibc has must be
# weak, because the loader ends a program with a missing symbol.
test_symbols_that_the_library_needs()
{
	expect_eq "$(nm -D --undefined-only "$IOSPAN_BUILD/libiospan.so" |
		sed -n 's/^ *U \([^@]*\).*/\1/p' | tr '\n' ' ')" \
		"__environ __errno_location environ memcpy stdin stdout "
}

# stdin has symbols in the form of nm -D. Prints those symbols that glibc 2.17 lacks.
newer_than_glibc_2_17()
{
	sed -n 's/^ *[Uw] \(.*@GLIBC_\)/\1/p' | while IFS= read -r symbol; do
		printf '2.17\n%s\n' "${symbol#*@GLIBC_}" | sort -CVr || echo "$symbol"
	done
}

# If the library needed a symbol of a newer glibc, programs of older distributions would not start.
test_library_needs_no_newer_glibc()
{
	expect_eq "$(printf ' U %s\n' d@GLIBC_2.34 b@GLIBC_2.17 c@GLIBC_2.4 | newer_than_glibc_2_17)" \
		d@GLIBC_2.34 "the filter"
	symbols=$(nm -D --undefined-only "$IOSPAN_BUILD/libiospan.so")
	expect_match "$symbols" "*@GLIBC_*"
	expect_eq "$(echo "$symbols" | newer_than_glibc_2_17)" ""
	expect_eq "$(objdump -p "$IOSPAN_BUILD/libiospan.so" | awk '$1 == "NEEDED" { print $2 }')" \
		libc.so.6 "libraries"
}

# The program defines its own functions with names of libc functions. It makes 7 writes through a
# descriptor, and one write and one read through a stream. Its exit status is the number of times
# that its own functions were called, which must be 0.
test_program_with_functions_of_libcs_names()
{
	needs_measuring
	cat >"$ktap_work/program.c" <<-END
	int open(const char *, int, ...), fscanf(void *, const char *, ...);
	int fputs(const char *, void *), fclose(void *);
	long write(int, const void *, unsigned long);
	void *fopen(const char *, const char *);
	static int calls;
	#define DOUBLE(name) long name(void) { calls++; return 0; }
	$(printf 'DOUBLE(%s)\n' clock_gettime dladdr dlerror dlsym fcntl \
		fileno_unlocked fstatfs ftello getenv getpid gettid madvise mmap munmap \
		pthread_key_create pthread_mutex_lock pthread_mutex_unlock pthread_setspecific \
		sigaltstack stat statx strcmp strlen strtol)
	int main(void)
	{
		int fd = open("file", 0102, 0600);
		void *fp = fopen("stream", "w+");

		for (int i = 0; i < 7; i++)
			write(fd, "0123456789", 10);
		fputs("hello", fp);
		fscanf(fp, "%d", &fd);
		fclose(fp);
		return calls;
	}
	END
	gcc -w -fno-builtin -o "$ktap_work/program" "$ktap_work/program.c"
	iospan_run "-o report --json --layers app -- $ktap_work/program"
	expect_eq "$status:$out:$err" "0::"
	expect_eq "$(json "$dir/report" '[d["layers"]["app"]["operations"]["write"]["bytes"],
		d["layers"]["app"]["operations"]["read"]["accesses"],
		d["layers"]["app"]["span_ns"] > 0]')" "[75, 1, True]"
}

# The program defines vprintf() and similar functions, which call printf(). If printf() called the
# program's vprintf() instead of libc's, the recursion would never end.
test_program_with_its_own_printf()
{
	needs_measuring
	cat >"$ktap_work/program.c" <<-'END'
	#include <stdarg.h>
	#include <stdio.h>
	int vprintf(const char *f, va_list a) { return printf("own vprintf\n"); }
	int vfprintf(FILE *fp, const char *f, va_list a) { return printf("own vfprintf\n"); }
	int vdprintf(int fd, const char *f, va_list a) { return dprintf(fd, "own vdprintf\n"); }
	int vfscanf(FILE *fp, const char *f, va_list a) { return 7; }
	int main(void)
	{
		int n = 0;

		setvbuf(stdout, NULL, _IONBF, 0);
		printf("%s", "one ");
		fprintf(stdout, "%s", "two ");
		dprintf(1, "%s", "three ");
		fscanf(fopen("/dev/null", "r"), "%d", &n);
		return n;
	}
	END
	gcc -w -std=gnu89 -fno-builtin -o "$ktap_work/program" "$ktap_work/program.c"
	iospan_run "-o report --layers app -- $ktap_work/program"
	expect_eq "$status:$out:$err" "0:one two three :"
}

# Another preloaded library defines a clock_gettime() that returns a constant. libiospan.so must not
# use this definition.
test_library_that_replaces_the_clock()
{
	needs_measuring
	build gcc
	printf '#include <time.h>\nint clock_gettime(clockid_t c, struct timespec *t) { t->tv_sec = t->tv_nsec = 7; return 0; }\n' \
		>"$ktap_work/clock.c"
	gcc -shared -fPIC -o "$ktap_work/clock.so" "$ktap_work/clock.c"
	iospan_run "-o report --json --layers app -- sh -c 'LD_PRELOAD=\$LD_PRELOAD:$ktap_work/clock.so exec $ktap_work/program'"
	expect_eq "$status:$err" "0:"
	expect_eq "$(json "$dir/report" '[d["layers"]["app"]["operations"]["write"]["accesses"],
		d["layers"]["app"]["span_ns"] > 0]')" "[7, True]"
}

test_programs_of_musl()
{
	needs_measuring
	needs 'command -v musl-gcc >/dev/null' "needs musl-gcc"
	echo 'int main(void) { return 5; }' >"$ktap_work/program.c"
	musl-gcc -o "$ktap_work/program" "$ktap_work/program.c"
	iospan_run "-o report --layers app -- $ktap_work/program"
	expect_eq "$status:$err" "5:"
}

# A child of vfork() exits in the middle of an I/O call. In the memory that the library shares with
# iospan, this call would stay in flight for ever. So a BPF program must end the call before the
# parent continues.
test_child_of_vfork_that_exits_in_a_call()
{
	needs_measuring
	iospan_run "-o report --json --layers app -- $IOSPAN_BUILD/tests/unit/preload/jumps vfork-ended"
	expect_eq "$status" 0
	expect_eq "$(json "$dir/report" '[d["layers"]["app"]["operations"]["read"]["accesses"],
		d["losses"]["app_killed"]]')" "[3, 1]"
}

# The test pretends that the clock source is hpet. Then a reading of the clock is a system call,
# because the vDSO does not support hpet. The program's seccomp filter forbids this system call, so
# all 10 calls of the program are lost.
test_filter_with_a_clock_that_needs_system_calls()
{
	needs_measuring
	source=/sys/devices/system/clocksource/clocksource0/current_clocksource
	echo hpet >"$ktap_work/hpet"
	for mode in filter filter-newer; do
		iospan_run "-o report --json --layers app -- unshare -m sh -c 'mount --bind $ktap_work/hpet $source && exec $IOSPAN_BUILD/tests/unit/preload/sandbox $mode'"
		expect_eq "$status" 0
		expect_eq "$(json "$dir/report" 'd["losses"]["app_seccomp"]')" 10
	done
}

# dlopen() searches in the run path of the object that calls it. The preloaded library replaces
# dlopen(). The search must still use the run path of libcaller.so.
test_library_found_by_the_callers_path()
{
	needs_measuring
	mkdir "$ktap_work/own"
	echo 'int here = 1;' >"$ktap_work/lib.c"
	gcc -shared -fPIC -o "$ktap_work/own/libhere.so" "$ktap_work/lib.c"
	printf '#include <dlfcn.h>\nint load(void) { return !dlopen("libhere.so", RTLD_NOW); }\n' \
		>"$ktap_work/caller.c"
	gcc -shared -fPIC -Wl,--enable-new-dtags,-rpath,'$ORIGIN/own' -o "$ktap_work/libcaller.so" \
		"$ktap_work/caller.c"
	echo 'int load(void); int main(void) { return load(); }' >"$ktap_work/main.c"
	gcc -Wl,-rpath,'$ORIGIN' -o "$ktap_work/program" "$ktap_work/main.c" "$ktap_work/libcaller.so"
	iospan_run "-o report --layers app -- $ktap_work/program"
	expect_eq "$status:$err" "0:"
}

test_main "$@"
