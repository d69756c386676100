package device

import "fmt"

// Device is one processor with its memory. Backends embed [Base] and override the kernels they have.
//
// A kernel must not retain its Launch, and must finish or enqueue all its work before it returns: kernels of one device
// take effect in the order of their calls. Panics of a kernel are *[Unsupported], *[IndexError], *[MatrixError] or
// *[OutOfMemory].
type Device interface {
	// Name is the name under which the device is registered, such as "cpu" or "cuda:0".
	Name() string

	// Alloc returns a block of the given number of bytes, of any content. It panics with *[OutOfMemory].
	Alloc(bytes int) Memory
	// Free gives a block back. Nothing may use it afterwards.
	Free(m Memory)
	// CopyIn copies src to m from the byte offset on.
	CopyIn(m Memory, offset int, src []byte)
	// CopyOut copies from m, from the byte offset on, to dst. It waits for kernels that write m.
	CopyOut(dst []byte, m Memory, offset int)
	// Bytes returns the host's view of m, or nil where the host cannot see the device's memory.
	Bytes(m Memory) []byte
	// Wrap makes a handle of host memory, without copying it; ok is false where the device cannot use host memory.
	Wrap(b []byte) (m Memory, ok bool)
	// Synchronize waits for all kernels and returns the first fault since the last call.
	Synchronize() error

	// Flat returns the short way to run a program of one output, one or two inputs and at most one scalar, whose operands are
	// all stored in the types that it declares; nil where there is none. It is for devices whose memory the host sees.
	Flat(p *Program) Flat

	Kernels
}

// Kernels is the vocabulary. Operands are numbered in the order of Launch.Operands, outputs first; "the last axis" is
// axis Launch.Rank-1. Where a result has a narrower dtype than the computation, the store converts as package dtype does.
type Kernels interface {
	// Copy stores operand 1, converted, in operand 0.
	Copy(l *Launch)
	// Elementwise runs l.Program at each point of the loop. The operands are the program's outputs, its inputs, and the
	// predicate of the store when l.Where is not 0.
	Elementwise(l *Launch)
	// Reduce combines the values of l.Program over the last l.Reduced axes with l.Combine, then applies l.Post, if any.
	// Operand 0 is the output (strides 0 on the reduced axes), the inputs of the program follow. An empty reduction gives
	// the identity of l.Combine; that of FMax and FMin of floats is not-a-number, which they ignore. In l.Post the position
	// and the length are those of the outputs.
	Reduce(l *Launch)
	// Scan stores in operand 0 the running combination of operand 1 along the last axis; l.Exclusive starts it with the
	// identity and leaves the last value out. It is computed in operand 0's type, as MatMul and Scatter are.
	Scan(l *Launch)
	// ArgReduce stores in operand 0 where along the last l.Reduced axes (flattened) operand 1 is first largest or
	// smallest; a not-a-number counts as both. It panics where these axes hold no elements.
	ArgReduce(l *Launch)
	// MatMul adds up over the last axis: the axes are (batch..., m, n, k), operand 0 is C (stride 0 along k), operand 1
	// A (stride 0 along n), operand 2 B (stride 0 along m). C = A·B, or with an operand 3 D (stride 0 along k) C = A·B + D.
	// D may have the memory of C, element for element.
	MatMul(l *Launch)
	// Gather stores in operand 0 the elements of operand 1 at places that the operands from 2 on (int64) say: index
	// operand j counts in steps of l.Axes[j].Stride elements, and l.Axes[j].Size is how many there are.
	Gather(l *Launch)
	// Scatter is the transpose: it combines operand 1 into operand 0 at the places that the operands from 2 on say.
	// With CombineAssign the last of several values for one place wins. Where the loop has no points nothing is written, nor
	// cleared with l.Cleared: the strides do not tell an axis of length 0 from one that operand 0 lacks.
	Scatter(l *Launch)
	// Nonzero stores in operand 0 (int64, one axis, room for all) the row-major positions in the loop shape at which
	// operand 1 is not zero, without gaps from its offset on, and returns how many there are.
	Nonzero(l *Launch) int
	// Compress stores in operand 0 (one axis, of operand 1's dtype) the elements of operand 1 at the points at which operand
	// 2 (bool) is true, in row-major order without gaps from its offset on, and returns how many there are. Operand 0 may be
	// nil memory: then it merely counts.
	Compress(l *Launch) int
	// Sort sorts operand 2 along the last axis, stably, into operand 0, and stores the places the values came from in
	// operand 1 (int64); either may be nil memory. Not-a-numbers come last, also with l.Descending: of complex ones first those
	// with a real part, in its order, then those with an imaginary part, in its order, then those with neither. With l.Keep
	// the first so many are stored, which is all that the outputs have room for.
	Sort(l *Launch)
	// SearchSorted stores in operand 0 (int64) how many elements of a sorted row are less than operand 2, or with l.Right not greater.
	// The row is that of operand 1, of operand 2's dtype, along l.Axes[0]; its strides along the loop say which row. Its order
	// is that of Sort. Where the row is not sorted, any number up to its length.
	SearchSorted(l *Launch)
	// Random fills operand 0 with the stream of l.Key from l.Counter on, as l.Distribution says. Element i of the loop in
	// row-major order depends on l.Key and l.Counter + i alone.
	Random(l *Launch)
	// Softmax stores exp(x)/Σexp(x) along the last axis of operand 1 in operand 0, or its logarithm with l.Log.
	Softmax(l *Launch)
	// SoftmaxGrad stores in operand 0 the gradient of Softmax from its result (operand 1) and the result's gradient
	// (operand 2).
	SoftmaxGrad(l *Launch)
	// CrossEntropy stores in operand 0 (stride 0 along the last axis) log Σexp(x) - x[t] for the rows x of operand 1 and
	// their labels t in operand 2, which never count from the end; where the label is l.Ignore it stores 0.
	CrossEntropy(l *Launch)
	// CrossEntropyGrad stores in operand 0 (softmax(x) - onehot(t))·g; the operands are gx, x, t, g.
	CrossEntropyGrad(l *Launch)
	// Attention stores in operand 1 the weights w = softmax(l.Scale·q·kᵀ + mask) of floats, and in operand 0 w·v. The axes are
	// (batch..., m, n, d, e): m queries, n keys, which the softmax is along, d numbers of each, and e of each value. Operand 0 is
	// (m, e), operand 1 (m, n), operand 2, q, is (m, d), operand 3, k, (n, d), operand 4, v, (n, e), and operand 5, the mask,
	// which need not be there, (m, n); each has stride 0 along the axes it lacks. Operand 1 may be nil memory. Where n is 0
	// operand 0 is 0.
	Attention(l *Launch)
	// Normalize stores in operand 0 (x - m)/√(v + l.Eps)·gamma + beta, in operand 1 m, the mean of x over the last l.Reduced
	// axes, and in operand 2 v, Σ(x - m)²/n over them: both have stride 0 along these axes. Operand 3 is x; gamma and beta,
	// operands 4 and 5, have any strides, 0 too, and may be nil memory.
	Normalize(l *Launch)
	// NormalizeGrad stores the gradients of Normalize by its result: operands 0, 1 and 2 are those of x, gamma and beta, of
	// which the last two have stride 0 along axes over which they add up, and may be nil memory. Operands 3 to 7 are x,
	// gamma, which may be nil memory, m, v and the result's gradient.
	NormalizeGrad(l *Launch)

	// Convolve multiplies and adds over the loop (n, g, m, o1..or, c, k1..kr): batch, group, output channel of the group,
	// output place, input channel of the group, place in the window, with r = l.Window.Rank. The input x is at place
	// o·Stride + k·Dilation - Before of its r axes: its operand's strides along o are those of x times Stride, along k
	// times Dilation, and its offset is that of place 0. l.Part says which of y, x and w is operand 0 and computed from the
	// other two, operands 1 and 2 in the order y, x, w; all have strides along the same loop, 0 along the axes they lack. To
	// y or x an operand 3 is added, if there is one: a number for each of its channels, with strides along g and m, or g
	// and c. At points outside of [0, Size) x is 0: as a factor, of y and of w, it takes part in the sums, so that its
	// product with an infinity is not a number; as a sum it is not computed. An element of x is the sum of the products
	// that belong to it and of nothing else: no zero stands in for a place that y does not have.
	Convolve(l *Launch)
	// Pool combines x, operand 2, over the window: the loop is (n, c, o1..or, k1..kr), places are as in Convolve, and
	// points outside do not count. Operand 0 is y (stride 0 along k). With CombineMax, where x is real, operand 1 (int64,
	// or uint8 for windows of at most 256 points; an output as y is) receives the row-major position in the window of the
	// first largest element, or of the first not-a-number; it may be nil memory, and else is. A window without points gives
	// the identity, and position 0.
	// l.Combine is CombineMax or CombineSum.
	Pool(l *Launch)
	// PoolGrad adds the gradients gy, operand 1, to gx, operand 0, at the position in the window that operand 2 (int64 or
	// uint8) says, or at all where there is no operand 2. Loop and places are those of Pool, gx has the strides of x, and is
	// overwritten. What is no position of the window does not count, as points outside do not.
	PoolGrad(l *Launch)

	Factorisations
}

// Factorisations are the kernels on batches of matrices. The loop is (batch..., m, n), the shape of the matrix that is
// factored; each operand's strides along the last two axes are those of its own rows and columns (its own sizes follow
// from m and n), and a vector has stride 0 along the last axis. Elements are float32 or float64.
type Factorisations interface {
	// Cholesky stores in operand 0 the lower triangular L with L·Lᵀ = A, operand 1, of which the lower triangle is read;
	// zeros above. It panics with *[MatrixError] where A is not positive definite.
	Cholesky(l *Launch)
	// LU stores in operand 0 the factors of P·A = L·U packed in one matrix, and in operand 1 (int64, min(m, n)) the row
	// with which each row was exchanged, in order. Operand 2 is A. A singular A is no error.
	LU(l *Launch)
	// TriangularSolve stores in operand 0 (m, n) the X with T·X = B, operand 2, for the triangular T (m, m), operand 1;
	// its upper triangle with l.Upper, else its lower one; transposed with l.Transposed; with ones on the diagonal with
	// l.UnitDiagonal. A zero on the diagonal gives infinities.
	TriangularSolve(l *Launch)
	// QR stores in operand 0 Q (m, k) with orthonormal columns and in operand 1 R (k, n), upper triangular, with
	// Q·R = A, operand 2: k = min(m, n), or m with l.Full.
	QR(l *Launch)
	// SVD stores in operand 0 U (m, k), in operand 1 the singular values (min(m, n)) in descending order and in operand 2
	// Vᵀ (k, n), with U·diag(s)·Vᵀ = A, operand 3: k = min(m, n), or with l.Full U is (m, m) and Vᵀ (n, n). U and Vᵀ may
	// both be nil memory.
	SVD(l *Launch)
	// Eigh stores in operand 0 the eigenvalues in ascending order and in operand 1 (n, n) the eigenvectors as columns of
	// the symmetric matrix in operand 2, of which the lower triangle is read, or the upper with l.Upper. Operand 1 may be
	// nil memory.
	Eigh(l *Launch)
	// FFT stores in operand 0 the discrete Fourier transform along the last axis of operand 1, both complex:
	// y[k] = Σ x[j]·exp(-2πi·jk/n); with l.Inverse exp(+2πi·jk/n). It does not scale. Any number of axes before.
	FFT(l *Launch)
}

// Unsupported is the panic of a kernel that a backend does not have.
type Unsupported struct{ Kernel string }

// Error names the kernel.
func (e *Unsupported) Error() string { return "the device has no kernel " + e.Kernel }

// OutOfMemory is the panic of Alloc.
type OutOfMemory struct {
	Bytes int
	Err   error
}

// Error says how much was wanted, and the cause.
func (e *OutOfMemory) Error() string {
	return fmt.Sprintf("out of memory: no block of %d bytes: %v", e.Bytes, e.Err)
}

// Unwrap returns the cause.
func (e *OutOfMemory) Unwrap() error { return e.Err }

// IndexError is the panic of a kernel that reads indices or labels and found one out of range. Nothing was written, unless
// the launch says that it may.
type IndexError struct{ Index, Size int }

// Error names the index and the size, as NumPy does.
func (e *IndexError) Error() string {
	return fmt.Sprintf("index %d is outside an axis of length %d", e.Index, e.Size)
}

// MatrixError is the panic of a factorisation that does not exist, or did not converge.
type MatrixError struct{ Kernel, Msg string }

// Error names the factorisation and what is wrong.
func (e *MatrixError) Error() string { return e.Kernel + ": " + e.Msg }

// Base has every kernel, and each panics with *[Unsupported]: a backend that embeds it compiles when the vocabulary grows.
type Base struct{}

// Flat returns nil.
func (Base) Flat(*Program) Flat { return nil }

func (Base) Copy(*Launch)             { panic(&Unsupported{"Copy"}) }
func (Base) Elementwise(*Launch)      { panic(&Unsupported{"Elementwise"}) }
func (Base) Reduce(*Launch)           { panic(&Unsupported{"Reduce"}) }
func (Base) Scan(*Launch)             { panic(&Unsupported{"Scan"}) }
func (Base) ArgReduce(*Launch)        { panic(&Unsupported{"ArgReduce"}) }
func (Base) MatMul(*Launch)           { panic(&Unsupported{"MatMul"}) }
func (Base) Gather(*Launch)           { panic(&Unsupported{"Gather"}) }
func (Base) Scatter(*Launch)          { panic(&Unsupported{"Scatter"}) }
func (Base) Nonzero(*Launch) int      { panic(&Unsupported{"Nonzero"}) }
func (Base) Compress(*Launch) int     { panic(&Unsupported{"Compress"}) }
func (Base) Sort(*Launch)             { panic(&Unsupported{"Sort"}) }
func (Base) SearchSorted(*Launch)     { panic(&Unsupported{"SearchSorted"}) }
func (Base) Random(*Launch)           { panic(&Unsupported{"Random"}) }
func (Base) Softmax(*Launch)          { panic(&Unsupported{"Softmax"}) }
func (Base) SoftmaxGrad(*Launch)      { panic(&Unsupported{"SoftmaxGrad"}) }
func (Base) CrossEntropy(*Launch)     { panic(&Unsupported{"CrossEntropy"}) }
func (Base) CrossEntropyGrad(*Launch) { panic(&Unsupported{"CrossEntropyGrad"}) }
func (Base) Attention(*Launch)        { panic(&Unsupported{"Attention"}) }
func (Base) Normalize(*Launch)        { panic(&Unsupported{"Normalize"}) }
func (Base) NormalizeGrad(*Launch)    { panic(&Unsupported{"NormalizeGrad"}) }
func (Base) Convolve(*Launch)         { panic(&Unsupported{"Convolve"}) }
func (Base) Pool(*Launch)             { panic(&Unsupported{"Pool"}) }
func (Base) PoolGrad(*Launch)         { panic(&Unsupported{"PoolGrad"}) }
func (Base) Cholesky(*Launch)         { panic(&Unsupported{"Cholesky"}) }
func (Base) LU(*Launch)               { panic(&Unsupported{"LU"}) }
func (Base) TriangularSolve(*Launch)  { panic(&Unsupported{"TriangularSolve"}) }
func (Base) QR(*Launch)               { panic(&Unsupported{"QR"}) }
func (Base) SVD(*Launch)              { panic(&Unsupported{"SVD"}) }
func (Base) Eigh(*Launch)             { panic(&Unsupported{"Eigh"}) }
func (Base) FFT(*Launch)              { panic(&Unsupported{"FFT"}) }
