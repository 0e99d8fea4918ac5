/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Option tables. Each row describes one option and points to the variable that it sets. The parser,
 * --help, shell completion and tests all read these tables. --help prints the current values of the
 * variables as defaults. */
#ifndef IOSPAN_OPT_H
#define IOSPAN_OPT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum opt_type {
	OPT_END_,
	OPT_FLAG_, /* the variable is a bool; the option takes no argument */
	OPT_UINT_, /* the variable is a uint64_t */
	OPT_SIZE_, /* uint64_t bytes: 4k, 1M, 2GiB (powers of 1024), 16KB (1000) */
	OPT_TIME_, /* uint64_t ns: 10s, 5ms, 2m, 1h; a number without a unit is in seconds */
	OPT_REAL_, /* double, not negative: 0.67, 67% */
	OPT_STR_,  /* const char *; NULL if the option is not given and has no default */
	/* unsigned; the value is a list with commas; bit i is set if words[i] is in it */
	OPT_SET_,
	OPT_LIST_, /* char *; patterns with commas; NULL if the option is not given */
};

struct opt {
	char letter; /* 0: the option has only a long name */
	const char *name;
	enum opt_type type;
	void *dst;	 /* the variable to set; before parsing it holds the default */
	const char *arg; /* name of the argument in --help */
	const char *help;
	/* OPT_SET: the choices, ending with NULL; OPT_AUTO: words[0] is printed for value 0 */
	const char *const *words;
};

#define OPT_FLAG(c, n, d, h) \
	{ \
		c, n, OPT_FLAG_, d, NULL, h, NULL \
	}
#define OPT_UINT(c, n, d, a, h) \
	{ \
		c, n, OPT_UINT_, d, a, h, NULL \
	}
#define OPT_AUTO(c, n, d, a, w, h) \
	{ \
		c, n, OPT_UINT_, d, a, h, w \
	}
#define OPT_SIZE(c, n, d, a, h) \
	{ \
		c, n, OPT_SIZE_, d, a, h, NULL \
	}
#define OPT_TIME(c, n, d, a, h) \
	{ \
		c, n, OPT_TIME_, d, a, h, NULL \
	}
#define OPT_REAL(c, n, d, a, h) \
	{ \
		c, n, OPT_REAL_, d, a, h, NULL \
	}
#define OPT_STR(c, n, d, a, h) \
	{ \
		c, n, OPT_STR_, d, a, h, NULL \
	}
#define OPT_LIST(c, n, d, a, h) \
	{ \
		c, n, OPT_LIST_, d, a, h, NULL \
	}
#define OPT_SET(c, n, d, w, h) \
	{ \
		c, n, OPT_SET_, d, "LIST", h, w \
	}
#define OPT_END \
	{ \
		0, NULL, OPT_END_, NULL, NULL, NULL, NULL \
	}

/* Another long name for the option @of, for users who know that name from another tool. */
struct opt_alias {
	const char *name, *of;
};

/* An option or operand that users of another tool may type, such as --rw of fio, and the text that
 * replaces it in the command line that iospan suggests. */
struct opt_hint {
	const char
		*arg; /* "--rw" or "-x"; "": the first operand if it starts with a letter or '/' */
	/* value that @arg must have; "*": any value; NULL: @arg takes no value */
	const char *value;
	const char *instead; /* the replacement; a "*" in it stands for the value */
	/* The hint applies only if the command line also has this option; NULL: always. opt_parse()
	 * refuses @arg itself only if this is NULL. */
	const char *with;
};

/* The description of a command's options. The parser, --help and shell completion use it. */
struct opt_page {
	const char *command; /* name of the command, such as "run" */
	const char *usage;   /* arguments, such as "[options] -- COMMAND [ARGUMENT...]" */
	const char *summary; /* one sentence */
	const struct opt *opts;
	const char *examples; /* whole lines with their newlines; NULL: none */
	/* ends with an element that has name NULL; NULL: the command has no aliases */
	const struct opt_alias *aliases;
	const struct opt_hint *hints; /* ends with an element that has arg NULL; NULL: no hints */
};

#define OPT_HELPED (-EUSAGE - 1)

/* Parses the options in @argv; argv[0] is the name of the command. Stops at the first operand or
 * after "--". Returns the index of the first operand, which is @argc if there is none; -EUSAGE
 * after it has printed an error; or OPT_HELPED after it has printed the help to stdout.
 *
 * Accepts --name=value, -ovalue and flags in one argument such as -vj. If a list is repeated, its
 * values add up; other options may be repeated only with the same value. Long names cannot be
 * abbreviated. -h and --help belong to every command, so no table may define them. */
int opt_parse(const struct opt_page *page, int argc, char **argv);

/* Parses as opt_parse() does, but options may also stand after operands. Stores the operands and a
 * final NULL in @operands, which has room for @argc + 1 elements. Returns the number of operands,
 * -EUSAGE or OPT_HELPED. */
int opt_operands(const struct opt_page *page, int argc, char **argv, char **operands);

/* The option --help, which every command has. */
extern const struct opt opt_help_option;

#endif
