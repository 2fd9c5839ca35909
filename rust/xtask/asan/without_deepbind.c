/* For `cargo xtask asan`: the engine loads libraries with RTLD_DEEPBIND, which AddressSanitizer refuses, since a
   library would then find malloc without it. Preloaded before the sanitizer, this takes the flag away. */
#define _GNU_SOURCE
#include <dlfcn.h>

void *dlopen(const char *file, int mode) {
	void *(*next)(const char *, int) = (void *(*)(const char *, int))dlsym(RTLD_NEXT, "dlopen");
	return next(file, mode & ~RTLD_DEEPBIND);
}
