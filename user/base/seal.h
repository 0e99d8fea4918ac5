/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Adds a hash to a result document, so that a change of the document can be detected. The hash is
 * no signature, because anybody can compute a new one. The document's key "hash" has the value
 * "sha256:HEX". HEX is the SHA-256 of the text of all other keys (out_canonical()). */
#ifndef IOSPAN_SEAL_H
#define IOSPAN_SEAL_H

struct out;

/* Sets the hash in @doc. Call it when @doc is complete. */
void seal(struct out *doc);

/* Returns 0 if @doc matches its hash, -ENODATA if it has no hash, and -EBADMSG if it was changed.
 * Prints nothing. */
int seal_check(const struct out *doc);

#endif
