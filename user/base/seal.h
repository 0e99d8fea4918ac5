/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A hash over a result and all it was made with, so that a later change shows. Who
 * wants to can make a new one: it is no signature.
 *
 * "hash": "sha256:" and the SHA-256 of the document's canonical text without that
 * key; see out_canonical(). */
#ifndef IOSPAN_SEAL_H
#define IOSPAN_SEAL_H

#include <stdio.h>

struct out;

/* Sets the hash; last of all. */
void seal(struct out *doc);

/* Seals @doc, prints it to @f and frees it. As out_json(). */
void seal_json(FILE *f, struct out *doc);

/* 0: as it was sealed. -ENODATA: there is no hash. -EBADMSG: it was changed. No
 * message. */
int seal_check(const struct out *doc);

#endif
