//go:build cuda && linux

package drv

/*
#include <stddef.h>
#include <stdint.h>

static int blas_create(void *f, uintptr_t *handle) { return ((int (*)(void **))f)((void **)handle); }
static int blas_stream(void *f, uintptr_t handle, uintptr_t stream) { return ((int (*)(void *, void *))f)((void *)handle, (void *)stream); }
extern int cuCtxSetCurrent(void *);
static int blas_create_in(uintptr_t c, void *create, void *set_stream, uintptr_t stream, uintptr_t *handle) {
	int r = cuCtxSetCurrent((void *)c);
	if (r) return r;
	r = blas_create(create, handle);
	return r ? r : blas_stream(set_stream, *handle, stream);
}
*/
import "C"

// NewBLAS returns a handle of cuBLAS whose work is done in a stream.
func (c Context) NewBLAS(s Stream) (uintptr, error) {
	handle, err := library("libcublas")
	if err != nil {
		return 0, err
	}
	found, err := symbols(handle, "cublasCreate_v2", "cublasSetStream_v2")
	if err != nil {
		return 0, err
	}
	var made C.uintptr_t
	if code := C.blas_create_in(C.uintptr_t(c), found[0], found[1], C.uintptr_t(s), &made); code != 0 {
		return 0, &Error{Call: "cublasCreate", Code: int(code), Name: "CUBLAS_STATUS", Text: "see cublasStatus_t"}
	}
	return uintptr(made), nil
}
