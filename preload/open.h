/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Descriptors that a program opens and closes by syscall(). */
#ifndef IOSPAN_PRELOAD_OPEN_H
#define IOSPAN_PRELOAD_OPEN_H

/* syscall() calls these before and after the program's system call @n with the arguments @a.
 * They keep the remembered kinds of descriptors correct. */
void syscall_starts(long n, const long *a);
void syscall_returned(long n, const long *a, long ret);

#endif
