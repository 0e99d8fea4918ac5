// SPDX-License-Identifier: GPL-2.0-or-later
/* Parses files of hints, and finds the hints for a pattern. */
#include "bench/beff/hints.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/err.h"
#include "user/base/infile.h"
#include "user/base/num.h"

#define WORDS 6

const char *const beff_hint_chunks[BEFF_CHUNKS + 1] = {
	[BEFF_1K] = "1024",	  [BEFF_1K8] = "1032",	     [BEFF_32K] = "32768",
	[BEFF_32K8] = "32776",	  [BEFF_1M] = "1048576",     [BEFF_1M8] = "1048584",
	[BEFF_MPART] = "Lmax",	  [BEFF_2M] = "2M",	     [BEFF_FIRST] = "first",
	[BEFF_FILLER] = "filler", [BEFF_CHUNKS] = "on_open",
};

/* Returns the index of @word in @words; -1 for "all"; -2 if @word is not in the list. */
static int word_index(const char *word, const char *const *words, int n)
{
	if (!strcmp(word, "all"))
		return -1;
	for (int i = 0; i < n; i++)
		if (!strcmp(word, words[i]))
			return i;
	return -2;
}

static bool read_ranks(const char *word, unsigned *ranks)
{
	u64 n = 0;

	if (strcmp(word, "all") && (num_uint(word, &n) || !n || n > 65534))
		return false;
	*ranks = n;
	return true;
}

/* Parses the six words of a hint into @l. Returns NULL, or the first word that is wrong. */
static const char *parse_hint(char *const words[WORDS], struct beff_hint_line *l)
{
	if (!read_ranks(words[0], &l->ranks))
		return words[0];
	l->access = word_index(words[1], beff_access_names, BEFF_ACCESSES);
	if (l->access < -1)
		return words[1];
	l->type = word_index(words[2], beff_type_names, BEFF_TYPES);
	if (l->type < -1)
		return words[2];
	l->chunk = word_index(words[3], beff_hint_chunks, BEFF_CHUNKS + 1);
	if (l->chunk < -1)
		return words[3];
	for (int i = 4; i < WORDS; i++)
		if (strlen(words[i]) >= BEFF_HINT_TEXT)
			return words[i];
	strcpy(l->hint.key, words[4]);
	strcpy(l->hint.value, words[5]);
	return NULL;
}

/* Splits @line into words. Returns their number, or WORDS + 1 if there are too many. */
static int split_words(char *line, char *words[WORDS + 1])
{
	char *rest;
	int n = 0;

	line[strcspn(line, "#\n")] = '\0';
	for (char *word = strtok_r(line, " \t", &rest); word && n <= WORDS;
	     word = strtok_r(NULL, " \t", &rest))
		words[n++] = word;
	return n;
}

static int add_hint_line(struct beff_hints *h, unsigned number, char *line,
			 int (*check)(const struct beff_hint *hint))
{
	char *words[WORDS + 1];
	int n = split_words(line, words);
	struct beff_hint_line *l = &h->lines[h->n];
	const char *wrong;

	if (!n)
		return 0;
	if (n != WORDS)
		return error(-EINVAL,
			     "'%s', line %u: a hint has %d words: processes, access, "
			     "type, chunk, key, value",
			     h->path, number, WORDS);
	if (h->n == BEFF_HINTS)
		return error(-EINVAL, "'%s' has more than %d hints", h->path, BEFF_HINTS);
	wrong = parse_hint(words, l);
	if (wrong)
		return error(-EINVAL, "'%s', line %u: cannot understand '%s'", h->path, number,
			     wrong);
	h->n++;
	return check && check(&l->hint) ?
		error(-EINVAL, "'%s', line %u: invalid hint", h->path, number) :
		0;
}

int beff_hints_read(const char *path, int (*check)(const struct beff_hint *hint),
		    struct beff_hints *h)
{
	FILE *f = infile_open(path);
	unsigned number = 0;
	char *line = NULL;
	size_t size = 0;
	int ret = 0;

	if (!f)
		return -errno;
	h->path = path;
	while (!ret && getline(&line, &size, f) > 0)
		ret = add_hint_line(h, ++number, line, check);
	if (!ret && ferror(f))
		ret = error(-errno, "cannot read '%s': %s", path, strerror(errno));
	free(line);
	fclose(f);
	return ret;
}

static void set_hint(struct beff_hints_now *now, const struct beff_hint *hint)
{
	unsigned i = 0;

	while (i < now->n && strcmp(now->list[i].key, hint->key))
		i++;
	now->list[i] = *hint;
	now->n += i == now->n;
}

static void set_matching(struct beff_hints_now *now, const struct beff_hints *h, unsigned ranks,
			 enum beff_access access, enum beff_type type, int chunk)
{
	for (unsigned i = 0; i < h->n; i++) {
		const struct beff_hint_line *l = &h->lines[i];
		bool any = l->chunk < 0 && chunk != BEFF_CHUNKS;

		if ((!l->ranks || l->ranks == ranks) && (any || l->chunk == chunk) &&
		    (l->access < 0 || l->access == (int)access) &&
		    (l->type < 0 || l->type == (int)type))
			set_hint(now, &l->hint);
	}
}

struct beff_hints_now beff_hints_for(const struct beff_hints *h, unsigned ranks,
				     enum beff_access access, enum beff_type type, int chunk)
{
	struct beff_hints_now now = {};

	/* Hints for "on_open" apply to all chunk sizes. They are set first, so that a hint for a
	 * chunk size replaces them. */
	set_matching(&now, h, ranks, access, type, BEFF_CHUNKS);
	if (chunk != BEFF_CHUNKS)
		set_matching(&now, h, ranks, access, type, chunk);
	return now;
}
