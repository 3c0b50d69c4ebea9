/* Loaded before the C library: the read with one number, of those of files in a folder, fails with EIO. Reads are counted from 0 over all
 * threads. What failed is said on the standard error.
 *
 * KOMABAKO_FAIL_FOLDER: a part of the paths of the files. KOMABAKO_FAIL_AT: the number. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_long count;

static int fails(int file) {
    const char *folder = getenv("KOMABAKO_FAIL_FOLDER");
    const char *at = getenv("KOMABAKO_FAIL_AT");
    if (folder == NULL || at == NULL) {
        return 0;
    }
    char link[64];
    char path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) {
        return 0;
    }
    path[length] = 0;
    if (strstr(path, folder) == NULL || atomic_fetch_add(&count, 1) != atol(at)) {
        return 0;
    }
    dprintf(STDERR_FILENO, "a read failed\n");
    errno = EIO;
    return 1;
}

ssize_t read(int file, void *bytes, size_t length) {
    return fails(file) ? -1 : syscall(SYS_read, file, bytes, length);
}

ssize_t pread64(int file, void *bytes, size_t length, off64_t offset) {
    return fails(file) ? -1 : syscall(SYS_pread64, file, bytes, length, offset);
}

ssize_t pread(int file, void *bytes, size_t length, off_t offset) {
    return fails(file) ? -1 : syscall(SYS_pread64, file, bytes, length, offset);
}
