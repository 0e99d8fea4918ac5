// SPDX-License-Identifier: GPL-2.0-or-later
#include "user/kernel/symbols.h"

#include <stdio.h>
#include <string.h>

void symbols_find(const char *const *names, u64 *addresses, unsigned n)
{
	FILE *f = fopen("/proc/kallsyms", "re");
	unsigned long long address;
	char line[512], name[256];
	unsigned left = n;

	memset(addresses, 0, n * sizeof(*addresses));
	while (f && left && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%llx %*c %255s", &address, name) != 2)
			continue;
		for (unsigned i = 0; i < n; i++) {
			/* A module may have a function with the same name. The file has the
			 * kernel's own functions first, so the first match is right. */
			if (strcmp(name, names[i]) != 0 || addresses[i])
				continue;
			addresses[i] = address;
			left--;
		}
	}
	if (f)
		fclose(f);
}
