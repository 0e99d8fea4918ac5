// SPDX-License-Identifier: GPL-2.0-or-later
#include "user/base/seal.h"

#include <errno.h>
#include <sha2.h>
#include <stdlib.h>
#include <string.h>
#include "user/base/out-print.h"
#include "user/base/out-read.h"
#include "user/base/out.h"

#define KEY "hash"
#define PREFIX "sha256:"
#define HASH_TEXT (sizeof(PREFIX) + 2 * SHA256_DIGEST_LENGTH)

static void hash(const struct out *doc, char text[HASH_TEXT])
{
	char *canonical = out_canonical(doc, KEY);

	strcpy(text, PREFIX);
	SHA256Data((const uint8_t *)canonical, strlen(canonical), text + strlen(PREFIX));
	free(canonical);
}

void seal(struct out *doc)
{
	char text[HASH_TEXT];

	hash(doc, text);
	out_str(doc, KEY, text);
}

int seal_check(const struct out *doc)
{
	const char *sealed = out_get_str(doc, KEY);
	char text[HASH_TEXT];

	if (!sealed)
		return -ENODATA;
	hash(doc, text);
	return strcmp(text, sealed) ? -EBADMSG : 0;
}
