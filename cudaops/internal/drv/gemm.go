package drv

// Gemm is a batch of matrix products for cuBLAS, which is column-major: C = A·B + Beta·C, where C has M rows and N
// columns. A or B may be transposed first. Pointers, and strides from one matrix to the next, are in the order of the
// batch. A leading dimension is the distance between two columns in elements. The C code uses the same struct.
type Gemm struct {
	TransposedA, TransposedB  int32 // 0 or 1
	M, N, K, Batch            int32
	Type, TypeC               int32 // of A and B, and of C: cudaDataType
	Compute                   int32 // cublasComputeType_t
	LDA, LDB, LDC             int32
	A, B, C                   Pointer
	StrideA, StrideB, StrideC int64
	Beta                      int64 // 0 or 1
}

// The types of elements, cudaDataType, and of sums, cublasComputeType_t.
const (
	Real32 int32 = iota
	Real64
	Real16
	_
	Complex32
	Complex64
	RealB16 int32 = 14

	Sums32 int32 = 68
	Sums64 int32 = 70
)
