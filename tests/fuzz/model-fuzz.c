// SPDX-License-Identifier: GPL-2.0-or-later
/* Fuzzes the reader of results of `iospan bench scale`. Each input gets a valid hash, because the
 * reader refuses a document with a wrong hash at once. */
#include <math.h>
#include "user/base/out-read.h"
#include "user/base/out.h"
#include "bench/model/predict.h"
#include "user/base/seal.h"
#include "bench/model/traits.h"
#include "bench/model/traits-show.h"

static void predict_some(const struct model *m)
{
	static const double bytes[] = { 1, 5e7, 9e18 }, shares[] = { 0, 1 };

	for (int i = 0; i < 3; i++) {
		struct workload w = { { bytes[i], NAN, shares[i & 1], NAN, i + 1, NAN } };

		predict(m, &w);
	}
}

static void format_traits(const struct model *m)
{
	for (unsigned i = 0; i < m->regions_n; i++)
		out_free(traits_json(&m->regions[i]));
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	struct out *doc = out_parse((const char *)data, size);
	struct model *m;

	if (!doc)
		return 0;
	if (out_get_str(doc, "command")) /* other values than objects cannot have a hash */
		seal(doc);
	m = model_of(doc, "fuzz");
	if (m) {
		predict_some(m);
		format_traits(m);
	}
	model_free(m);
	return 0;
}
