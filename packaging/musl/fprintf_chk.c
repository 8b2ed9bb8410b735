/* LLVM's unwinder was compiled with glibc's headers, and calls this function, which musl lacks: see scripts/musl. */
#include <stdarg.h>
#include <stdio.h>

int __fprintf_chk(FILE *file, int flag, const char *format, ...)
{
    va_list arguments;
    int written;

    (void) flag;
    va_start(arguments, format);
    written = vfprintf(file, format, arguments);
    va_end(arguments);
    return written;
}
