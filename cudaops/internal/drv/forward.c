//go:build cuda && linux

// The driver's functions, as jumps through a table that is filled when libcuda.so.1 is opened. A program therefore
// links and starts without a driver; every function then returns CUDA_ERROR_NO_DEVICE. gorgonia.org/cu ends the process
// if cuInit fails: this cuInit never fails, and stores the result of the driver's own.
#include <dlfcn.h>
#include <stddef.h>

static int missing(void) { return 100; }

#if defined(__x86_64__)
#define JUMP(n) "jmp *drv_" #n "(%rip)\n"
#elif defined(__aarch64__)
#define JUMP(n) "adrp x16, drv_" #n "\nldr x16, [x16, #:lo12:drv_" #n "]\nbr x16\n"
#else
#error "cudaops: the driver's functions are forwarded on x86-64 and arm64"
#endif

#define F(n)                         \
	void *drv_##n = (void *)missing; \
	__asm__(".text\n.globl " #n "\n.type " #n ",%function\n" #n ": " JUMP(n));
#include "symbols.inc"
#undef F

static const struct {
	const char *name;
	void **at;
} table[] = {
#define F(n) {#n, &drv_##n},
#include "symbols.inc"
#undef F
};

int drv_init_result = 100;

int cuInit(unsigned flags) {
	static void *library;
	if (library) return 0;
	library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_GLOBAL);
	if (!library) return 0;
	int (*init)(unsigned) = (int (*)(unsigned))dlsym(library, "cuInit");
	if (!init) return 0;
	drv_init_result = init(flags);
	if (drv_init_result) return 0;
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		void *f = dlsym(library, table[i].name);
		if (f) *table[i].at = f;
	}
	return 0;
}
