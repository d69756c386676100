//go:build cuda && linux

package drv

/*
#include <stddef.h>
#include <stdint.h>

extern int cuCtxSetCurrent(void *);

struct blas_gemm {
	int32_t transposed_a, transposed_b, m, n, k, batch, type, type_c, compute, lda, ldb, ldc;
	uint64_t a, b, c;
	int64_t stride_a, stride_b, stride_c, beta;
};

typedef int (*create_function)(void **);
typedef int (*stream_function)(void *, void *);
typedef int (*mode_function)(void *, int);
typedef int (*version_function)(void *, int *);
typedef int (*workspace_function)(void *, void *, size_t);
typedef int (*gemm_function)(void *, int, int, int, int, int, const void *, const void *, int, int, long long, const void *, int, int, long long,
	const void *, void *, int, int, long long, int, int, int);
typedef int (*single_function)(void *, int, int, int, int, int, const void *, const void *, int, int, const void *, int, int,
	const void *, void *, int, int, int, int);

static int blas_create(uintptr_t context, void *create, void *set_stream, uintptr_t stream, uintptr_t *handle) {
	int r = cuCtxSetCurrent((void *)context);
	if (!r) r = ((create_function)create)((void **)handle);
	return r ? r : ((stream_function)set_stream)((void *)*handle, (void *)stream);
}

static int blas_mode(void *f, uintptr_t handle, int mode) { return ((mode_function)f)((void *)handle, mode); }
static int blas_version(void *f, uintptr_t handle, int *v) { return ((version_function)f)((void *)handle, v); }
static int blas_workspace(void *f, uintptr_t handle, uint64_t at, size_t bytes) { return ((workspace_function)f)((void *)handle, (void *)at, bytes); }

// blas_gemm calls single for one product, and batched for more: cuBLAS chooses among different kernels for the two.
static int blas_gemm(uintptr_t context, void *single, void *batched, uintptr_t handle, struct blas_gemm *g) {
	static const float one32[2] = {1, 0}, zero32[2] = {0, 0};
	static const double one64[2] = {1, 0}, zero64[2] = {0, 0};
	int wide = g->compute == 70;
	const void *alpha = wide ? (const void *)one64 : one32;
	const void *beta = g->beta ? alpha : wide ? (const void *)zero64 : zero32;
	int r = cuCtxSetCurrent((void *)context);
	if (r) return r;
	if (g->batch == 1)
		return ((single_function)single)((void *)handle, g->transposed_a, g->transposed_b, g->m, g->n, g->k, alpha, (void *)g->a, g->type, g->lda,
			(void *)g->b, g->type, g->ldb, beta, (void *)g->c, g->type_c, g->ldc, g->compute, -1);
	return ((gemm_function)batched)((void *)handle, g->transposed_a, g->transposed_b, g->m, g->n, g->k, alpha,
		(void *)g->a, g->type, g->lda, g->stride_a, (void *)g->b, g->type, g->ldb, g->stride_b, beta,
		(void *)g->c, g->type_c, g->ldc, g->stride_c, g->batch, g->compute, -1);
}
*/
import "C"

import "unsafe"

// BLAS is a handle of cuBLAS, whose work is done in one stream.
type BLAS struct {
	context Context
	handle  C.uintptr_t
	symbols []unsafe.Pointer
}

const (
	blasCreate = iota
	blasSetStream
	blasSetMathMode
	blasGetVersion
	blasSetWorkspace
	blasGemm
	blasGemmBatched
)

// NewBLAS opens cuBLAS and returns a handle.
func (c Context) NewBLAS(s Stream) (*BLAS, error) {
	handle, err := library("libcublas")
	if err != nil {
		return nil, err
	}
	b := &BLAS{context: c}
	b.symbols, err = symbols(handle, "cublasCreate_v2", "cublasSetStream_v2", "cublasSetMathMode", "cublasGetVersion_v2",
		"cublasSetWorkspace_v2", "cublasGemmEx", "cublasGemmStridedBatchedEx")
	if err != nil {
		return nil, err
	}
	return b, blasError("cublasCreate", C.blas_create(C.uintptr_t(c), b.symbols[blasCreate], b.symbols[blasSetStream], C.uintptr_t(s), &b.handle))
}

func blasError(call string, status C.int) error {
	if status == 0 {
		return nil
	}
	return &Error{Call: call, Code: int(status), Name: "CUBLAS_STATUS", Text: "see cublasStatus_t"}
}

// Handle returns cuBLAS' handle.
func (b *BLAS) Handle() uintptr { return uintptr(b.handle) }

// Version returns cuBLAS' version: 120403 for 12.4.3.
func (b *BLAS) Version() int {
	var v C.int
	C.blas_version(b.symbols[blasGetVersion], b.handle, &v)
	return int(v)
}

// Fix makes products reproducible: they use the given memory instead of what is free at the moment, and sums of 16-bit
// numbers are carried in 32 bits.
func (b *BLAS) Fix(workspace Pointer, bytes int) error {
	const disallowReducedPrecision = 16
	if err := blasError("cublasSetMathMode", C.blas_mode(b.symbols[blasSetMathMode], b.handle, disallowReducedPrecision)); err != nil {
		return err
	}
	return blasError("cublasSetWorkspace", C.blas_workspace(b.symbols[blasSetWorkspace], b.handle, C.uint64_t(workspace), C.size_t(bytes)))
}

// Multiply enqueues products.
func (b *BLAS) Multiply(g *Gemm) error {
	call := "cublasGemmStridedBatchedEx"
	if g.Batch == 1 {
		call = "cublasGemmEx"
	}
	return blasError(call, C.blas_gemm(C.uintptr_t(b.context), b.symbols[blasGemm], b.symbols[blasGemmBatched], b.handle, (*C.struct_blas_gemm)(unsafe.Pointer(g))))
}
