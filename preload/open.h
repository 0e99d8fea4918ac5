/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Descriptors that a program opens and closes by syscall(). */
#ifndef IOSPAN_PRELOAD_OPEN_H
#define IOSPAN_PRELOAD_OPEN_H

/* Call before and after system call @n with the arguments @a. */
void syscall_starts(long n, const long *a);
void syscall_returned(long n, const long *a, long ret);

#endif
