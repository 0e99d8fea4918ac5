/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Adds a hash to a result, to detect changes; it is no signature. Key "hash" is "sha256:" and the
 * SHA-256 of out_canonical() without this key. */
#ifndef IOSPAN_SEAL_H
#define IOSPAN_SEAL_H

struct out;

/* Sets the hash in @doc. Call it when @doc is complete. */
void seal(struct out *doc);

/* Returns 0, -ENODATA without a hash, or -EBADMSG if @doc was changed. Prints nothing. */
int seal_check(const struct out *doc);

#endif
