/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Option tables, which the parser, --help, shell completion and tests read. A row of a table is one
 * option. It points to the variable that the option sets; --help prints the value of this variable
 * as the default. A hint replaces an argument of another tool, such as --rw of fio, in a command
 * line that iospan suggests to the user. */
#ifndef IOSPAN_OPT_H
#define IOSPAN_OPT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum opt_type {
	OPT_END_,
	OPT_FLAG_, /* the variable is a bool; the option takes no argument */
	OPT_UINT_, /* the variable is a uint64_t */
	/* the variable is a uint64_t in bytes: 4k, 1M, 2GiB (powers of 1024), 16KB (1000) */
	OPT_SIZE_,
	/* the variable is a uint64_t in ns: 10s, 5ms, 2m, 1h; an argument without a unit is in
	 * seconds */
	OPT_TIME_,
	OPT_REAL_, /* the variable is a double, which may not be negative: 0.67, 67% */
	/* the variable is a const char *, which is NULL if the option is not given and has no
	 * default */
	OPT_STR_,
	/* the variable is an unsigned; the argument is a list with commas; bit i is set if words[i]
	 * is in the list */
	OPT_SET_,
	/* the variable is a char *, which is NULL if the option is not given; the argument is a
	 * list of patterns with commas */
	OPT_LIST_,
	/* The option may be given several times. The variable is a const char **: an array of the
	 * given values that ends with NULL. If the option is not given, the variable is NULL. */
	OPT_EACH_,
};

struct opt {
	char letter; /* 0: the option has only a long name */
	const char *name;
	enum opt_type type;
	void *dst;	 /* variable that the option sets; its initial value is the default */
	const char *arg; /* name of the option's argument in --help */
	const char *help;
	/* A list of words that ends with NULL. Its meaning depends on the type of the option:
	 *
	 * - OPT_SET: the words that the user may choose from.
	 * - OPT_LIST: the keys that a pattern may start with, such as "pod" in "pod=web*". NULL:
	 *   patterns have no keys.
	 * - OPT_AUTO: the first word is what --help prints if the default is 0. */
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
#define OPT_LIST(c, n, d, w, h) \
	{ \
		c, n, OPT_LIST_, d, "PATTERN,...", h, w \
	}
#define OPT_EACH(c, n, d, a, h) \
	{ \
		c, n, OPT_EACH_, d, a, h, NULL \
	}
#define OPT_SET(c, n, d, w, h) \
	{ \
		c, n, OPT_SET_, d, "LIST", h, w \
	}
#define OPT_END \
	{ \
		0, NULL, OPT_END_, NULL, NULL, NULL, NULL \
	}

/* Another long name for option .of, for users who know this name from another tool. */
struct opt_alias {
	const char *name, *of;
};

/* A rule for the command line that iospan suggests: .instead replaces the argument .arg of another
 * tool, such as --rw of fio. */
struct opt_hint {
	const char
		/* argument of the other tool, such as "--rw" or "-x"; "": the first operand, if it
		 * starts with a letter or '/' */
		*arg;
	/* Pattern for the value of .arg, such as "*". The hint applies only if the value matches.
	 * NULL: .arg takes no value. */
	const char *value;
	/* Text that replaces the argument, such as "--size=*". "*" stands for the argument's value.
	 * If the text starts with "*", it is an operand. */
	const char *instead;
	/* If .arg is also an option of iospan: another option, such as "--bs". The hint applies
	 * only if the user gave that option, too. "--ioengine=*sync" has a pattern for the value
	 * of that option. NULL: .arg is no option of iospan, so the hint always applies. */
	const char *with;
	/* Reason or advice for a note about the argument; NULL: there is no note. If .instead is
	 * empty, this is the reason why iospan leaves out the argument: "'--rw' is left out, as
	 * ...". Otherwise, this is advice: "'--rw': ...". Advice is printed once, and only if the
	 * user did not give the option that it names, such as "--destroy". */
	const char *why;
};

struct opt_page {
	const char *command;
	/* arguments of the command, such as "[options] -- COMMAND [ARGUMENT...]" */
	const char *usage;
	const char *summary;
	/* NULL: the command is present. Otherwise it was left out of the build, because this
	 * library was missing. */
	const char *missing;
	const struct opt *opts;
	const char *examples; /* examples for the help, in whole lines with newlines; NULL: none */
	/* aliases of options; the last element has name NULL; NULL: the command has no aliases */
	const struct opt_alias *aliases;
	/* hints for arguments of other tools; the last element has arg NULL; NULL: the command has
	 * no hints */
	const struct opt_hint *hints;
	/* Variable of a flag that runs a command. If the user gave the flag, the operands are the
	 * command. So opt_operands() parses no options after the first operand. NULL: there is no
	 * such flag. */
	const bool *takes_command;
};

#define OPT_HELPED (-EUSAGE - 1)

/* Parses the options in @argv from argv[1] on, up to the first operand or "--". Returns the index
 * of the first operand, or @argc if there is none. Returns -EUSAGE after an error message, and
 * OPT_HELPED after printing the help.
 *
 * Accepts --name=value, -ovalue and flags in one argument such as -vj. Long names cannot be
 * abbreviated. Every command has -h and --help, so no table may define them.
 *
 * If an option is repeated, lists (OPT_SET_, OPT_LIST_) are joined, and OPT_EACH_ keeps all values.
 * Options of other types must have the same value each time. */
int opt_parse(const struct opt_page *page, int argc, char **argv);

/* Parses as opt_parse() does, but options may also stand after operands. Stores the operands and a
 * final NULL in @operands, which has room for @argc + 1 elements. Returns the number of operands,
 * -EUSAGE or OPT_HELPED. */
int opt_operands(const struct opt_page *page, int argc, char **argv, char **operands);

extern const struct opt opt_help_option;

#endif
