/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A hash in a result document, which shows later changes. It is no signature: anybody can compute
 * a new one.
 *
 * "hash": "sha256:" and the SHA-256 of the document's canonical text without that key; see
 * out_canonical(). */
#ifndef IOSPAN_SEAL_H
#define IOSPAN_SEAL_H

#include <stdio.h>

struct out;

/* Sets the hash. Call it when the document is complete. */
void seal(struct out *doc);

/* Seals @doc, prints it with out_json() and frees it. */
void seal_json(FILE *f, struct out *doc);

/* Returns 0 if @doc is unchanged, -ENODATA if it has no hash, -EBADMSG if it was changed. Prints
 * nothing. */
int seal_check(const struct out *doc);

#endif
