// SPDX-License-Identifier: GPL-2.0-or-later
/* Makes system data, the I/O of a system per interval, from the answer of Prometheus to a range
 * query. The amounts of all servers in the answer are added up. */
#include "tools/correlate/sources.h"
#include "tools/input/prometheus.h"

/* Makes the series @to from the samples of one server. They start at sample number *@i. Sets *@i to
 * the number of the first sample of the next server. */
static void make_server(struct series *to, const struct prometheus *p, size_t *i)
{
	const struct prometheus_sample *s = p->samples;
	u32 server = s[*i].server, row = 0;

	for (u32 c = 0; c < p->columns_n; c++)
		series_column(to, p->columns[c], false);
	for (double end_s = s[*i].end_s - 1; *i < p->n && s[*i].server == server; (*i)++) {
		if (s[*i].end_s != end_s) {
			end_s = s[*i].end_s;
			row = series_add(to, end_s - p->step_s, end_s);
		}
		to->columns[s[*i].column].values[row] = s[*i].amount;
	}
}

int series_read_prometheus(struct series *to, const char *path)
{
	struct prometheus_range range = { to->from_s, to->to_s, to->width_s };
	struct series_list servers = {};
	struct prometheus p;
	int ret = prometheus_read(&p, path, &range);

	for (size_t i = 0; !ret && i < p.n;) {
		struct series *server = series_list_add(&servers);

		make_server(server, &p, &i);
		ret = series_finish(server, path);
	}
	ret = series_list_sum(to, &servers, path, ret);
	prometheus_release(&p);
	return ret;
}
