/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sends a range query to Prometheus by curl(1). */
#ifndef IOSPAN_INPUT_PROMETHEUS_URL_H
#define IOSPAN_INPUT_PROMETHEUS_URL_H

struct out;
struct prometheus_range;

/* Returns the complete URL of the range query @url, such as http://host:9090?query=rate(x[1m]).
 * Adds the path /api/v1/query_range, and from @range the parameters start, end and step, unless
 * @url has them. Encodes characters that a URL cannot have. Returns NULL if a parameter is
 * unknown; prints the error. The caller frees the URL. */
char *prometheus_url(const char *url, const struct prometheus_range *range);

/* Returns the answer to this query, or NULL after an error, which it prints. */
struct out *prometheus_fetch(const char *url, const struct prometheus_range *range);

#endif
