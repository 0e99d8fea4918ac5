/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds a word in the list of words that a user may choose from, and splits lists with commas. */
#ifndef IOSPAN_BASE_WORDS_H
#define IOSPAN_BASE_WORDS_H

/* Returns a copy of the first item of *@list, which the caller frees, and moves *@list past the
 * item. After the last item, sets *@list to NULL; the next call then returns NULL. Commas separate
 * items; "\," is part of an item. */
char *words_item(const char **list);

/* Returns the index of @word in @words, which ends with NULL. If @words does not have @word, prints
 * an error and returns -EUSAGE. @what is a noun for the error, such as "engine" in "unknown engine
 * 'urng'; did you mean 'uring'? one of uring, psync". */
int words_index(const char *what, const char *const *words, const char *word);

/* Returns the element of @table that has the name @word. The elements are pointers to structs; the
 * first member of such a struct is its name, a const char *. @table ends with NULL. If there is no
 * such element, prints the error of words_index() and returns NULL. */
const void *words_element(const char *what, const void *table, const char *word);

/* Prints the same error as words_index(), followed by @remedy, and returns -EUSAGE. */
int words_error(const char *what, const char *const *words, const char *word, const char *remedy);

#endif
