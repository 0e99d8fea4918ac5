// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests how measured points (samples) are read from a result of bench scale. */
#include "bench/scale/sample.h"
#include "user/base/out.h"
#include "tests/lib/harness.h"

#define KIB 1024.0
#define MIB (1024 * KIB)

TEST(a_sample_without_bandwidth_is_not_read)
{
	struct sample p = { .at = { { MIB, 4 * KIB, 0, 0, 1, 1 } }, .layers = out_object() };
	struct out *list = out_array();
	struct samples read = {};

	out_append(list, sample_json(&p));
	samples_read(&read, list);
	EXPECT_EQ(read.n, 0);
	p.bandwidth = 1;
	out_append(list, sample_json(&p));
	samples_read(&read, list);
	EXPECT_EQ(read.n, 1);
	samples_free(&read);
	out_free(p.layers);
	out_free(list);
}

TEST_MAIN
