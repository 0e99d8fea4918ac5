/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keeps the remembered kinds of descriptors (fd.h) correct if the program opens or closes files by
 * syscall(). */
#ifndef IOSPAN_PRELOAD_OPEN_H
#define IOSPAN_PRELOAD_OPEN_H

/* The interposed syscall() calls these functions before and after the program's system call. @n is
 * the number of the system call, and @a are its arguments. */
void syscall_starts(long n, const long *a);
void syscall_returned(long n, const long *a, long ret);

#endif
