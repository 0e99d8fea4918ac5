// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/fuzz/import-fuzz.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct import_options o = { .from = "blkparse", .layer = size % 5 ? NULL : "app" };

	import_bytes(&o, data, size);
	return 0;
}
