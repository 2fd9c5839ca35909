/* A disk that breaks, for writer_faults_test.gd. Preloaded, it fails the calls on files named *.tmp that FAULT names:
   write, sync, rename; or "short": it takes no more than 1000 bytes at once, which is no fault. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int is_temporary(const char *path) {
	size_t length = strlen(path);
	return length > 4 && strcmp(path + length - 4, ".tmp") == 0;
}

static int is_open_temporary(int file) {
	char link[64], path[4096];
	snprintf(link, sizeof link, "/proc/self/fd/%d", file);
	ssize_t length = readlink(link, path, sizeof path - 1);
	if (length <= 0) {
		return 0;
	}
	path[length] = 0;
	return is_temporary(path);
}

static int fails(const char *call) {
	const char *fault = getenv("FAULT");
	return fault != NULL && strcmp(fault, call) == 0;
}

static int input_output_error(void) {
	errno = EIO;
	return -1;
}

ssize_t write(int file, const void *bytes, size_t count) {
	ssize_t (*next)(int, const void *, size_t) = dlsym(RTLD_NEXT, "write");
	if (fails("write") && is_open_temporary(file)) {
		return input_output_error();
	}
	if (fails("short") && count > 1000 && is_open_temporary(file)) {
		count = 1000;
	}
	return next(file, bytes, count);
}

int fsync(int file) {
	int (*next)(int) = dlsym(RTLD_NEXT, "fsync");
	return fails("sync") && is_open_temporary(file) ? input_output_error() : next(file);
}

int rename(const char *from, const char *to) {
	int (*next)(const char *, const char *) = dlsym(RTLD_NEXT, "rename");
	return fails("rename") && is_temporary(from) ? input_output_error() : next(from, to);
}

/* The engine has its extensions look for these calls past us. */
void *dlopen(const char *file, int flags) {
	void *(*next)(const char *, int) = dlsym(RTLD_NEXT, "dlopen");
	return next(file, flags & ~RTLD_DEEPBIND);
}
