/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options as rows beside the struct that they fill: parsing, --help with the
 * live defaults, and the tests all read the same table. */
#ifndef IOSPAN_OPT_H
#define IOSPAN_OPT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum opt_type {
	OPT_END_,
	OPT_FLAG_, /* bool, no argument */
	OPT_UINT_, /* uint64_t */
	OPT_SIZE_, /* uint64_t bytes: 4k, 1M, 2GiB (powers of 1024), 16KB (1000) */
	OPT_TIME_, /* uint64_t ns: 10s, 5ms, 2m, 1h; a bare number is s */
	OPT_REAL_, /* double, not negative: 0.67, 67% */
	OPT_STR_,  /* const char *, NULL when not given */
	OPT_SET_,  /* unsigned: bit i for word i of a comma list */
};

struct opt {
	char letter; /* 0: long name only */
	const char *name;
	enum opt_type type;
	void *dst;	 /* holds the default before parsing */
	const char *arg; /* name of the argument in --help */
	const char *help;
	const char *const *words; /* OPT_SET: NULL-ended choices; OPT_AUTO: name of 0 */
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
#define OPT_SET(c, n, d, w, h) \
	{ \
		c, n, OPT_SET_, d, "LIST", h, w \
	}
#define OPT_END \
	{ \
		0, NULL, OPT_END_, NULL, NULL, NULL, NULL \
	}

/* Another long name of an option, for users of another tool. */
struct opt_alias {
	const char *name, *of;
};

/* An argument of another tool, and what to write here. */
struct opt_hint {
	const char
		*arg; /* "--rw" or "-x"; "": the first operand that starts with a letter or '/' */
	const char *value;   /* NULL: it takes none; "*": any */
	const char *instead; /* "*" is the value */
	const char *with;    /* only beside this option, and no error of its own; NULL: always */
};

/* The command line of one command, for the parser, --help and completion. */
struct opt_page {
	const char *command; /* "run" */
	const char *usage;   /* "[options] -- COMMAND [ARGUMENT...]" */
	const char *summary; /* one sentence */
	const struct opt *opts;
	const char *examples;		 /* whole lines with their newlines, or NULL */
	const struct opt_alias *aliases; /* end with a NULL name; NULL: none */
	const struct opt_hint *hints;	 /* end with a NULL arg; NULL: none */
};

#define OPT_HELPED (-EUSAGE - 1)

/* Parses the options of @argv, which starts with the command's own name, up to
 * the first operand or past "--". Returns the index of the first operand (argc
 * when there is none); -EUSAGE after an error was printed; OPT_HELPED when
 * --help was asked for and printed to stdout. Long names may be given as
 * --name=value, letters as -ovalue, flags together as -vj; names are never
 * abbreviated. -h and --help are built in, no table may use them. */
int opt_parse(const struct opt_page *page, int argc, char **argv);

/* As opt_parse(), but options may also follow operands. Stores the operands and a NULL in
 * @operands, which has room for @argc + 1. Returns the number of operands. */
int opt_operands(const struct opt_page *page, int argc, char **argv, char **operands);

/* The option --help, which every command has. */
extern const struct opt opt_help_option;

/* Was the option that fills @dst given? */
bool opt_given(const void *dst);
/* Was it given with a value other than 0? */
bool opt_in_use(const struct opt_page *page, const void *dst);

/* Two options by their dst. @idle has no effect while @with is in use; if @missing, while @with is
 * not in use. */
struct opt_pair {
	const void *idle, *with;
	bool missing;
};

#define OPT_BARS(idle, with) \
	{ \
		idle, with, false \
	}
#define OPT_NEEDS(idle, with) \
	{ \
		idle, with, true \
	}

/* Checks @pairs, which end with a NULL. If an option has no effect, prints an error that names both
 * options, and returns -EUSAGE. */
int opt_check_pairs(const struct opt_page *page, const struct opt_pair *pairs);
/* Prints that option @name has no effect with @with, such as "--requests". Returns -EUSAGE. */
int opt_no_effect(const char *name, const char *with);

#endif
