// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests the binary heap: elements leave it in their order. */
#include <stdlib.h>
#include "user/base/heap.h"
#include "tests/lib/harness.h"

#define MANY 2000

struct item {
	int key, number;
};

static bool before(const void *a, const void *b)
{
	return ((const struct item *)a)->key < ((const struct item *)b)->key;
}

static const struct heap_kind kind = { sizeof(struct item), before };

static void push(struct heap *h, int key, int number)
{
	const struct item new = { key, number };

	heap_push(h, &kind, &new);
}

static int pop(struct heap *h)
{
	struct item first;

	heap_pop(h, &kind, &first);
	return first.key;
}

TEST(one_element)
{
	struct heap h = {};

	push(&h, 7, 0);
	EXPECT_EQ(pop(&h), 7);
	EXPECT_EQ(h.n, 0);
	push(&h, 8, 0);
	EXPECT_EQ(pop(&h), 8);
	free(h.at);
}

/* There are only 50 different keys, which many elements share. Each element must leave the
 * heap once, although the order of equal elements is not defined. */
TEST(random_elements_leave_in_order)
{
	struct heap h = {};
	bool left[MANY] = {};
	int last = 0;

	srandom(1);
	for (int i = 0; i < MANY; i++)
		push(&h, random() % 50, i);
	for (int i = 0; i < MANY; i++) {
		struct item first;

		heap_pop(&h, &kind, &first);
		EXPECT_LE(last, first.key);
		EXPECT_TRUE(!left[first.number]);
		left[first.number] = true;
		last = first.key;
	}
	EXPECT_EQ(h.n, 0);
	free(h.at);
}

/* Elements are added and removed in turns. The first one must always be the smallest. */
TEST(the_first_element_is_the_smallest)
{
	struct heap h = {};
	int counts[50] = {};

	srandom(2);
	for (int i = 0; i < MANY; i++) {
		if (h.n && random() % 3 == 0) {
			int smallest = 0;

			while (!counts[smallest])
				smallest++;
			ASSERT_EQ(pop(&h), smallest);
			counts[smallest]--;
		} else {
			int key = random() % 50;

			push(&h, key, i);
			counts[key]++;
		}
	}
	free(h.at);
}

TEST_MAIN
