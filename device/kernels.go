package device

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Kernels is what a device can compute: the vocabulary from which every function of the library is built.
//
// A kernel runs over the points of a loop, whose shape is Launch.Shape[:Launch.Rank]. Each operand has a stride for
// each axis of the loop: the distance from the element at one point to the element at the next point. The stride is 0
// along axes that the operand does not have. Below, (m, n) says which axes an operand has: its strides along all other
// axes are 0. "The last axis" is the last axis of the loop. The names of the operands below, and their order in
// Launch.Operands, are those of [Signatures].
//
// If an operand has another dtype than the kernel computes with, its elements are converted as package dtype does.
//
// An asynchronous device reports the *[IndexError] panics below later: see [Device]. The error holds the index at the
// first point of the loop, in row-major order, whose index is out of range. Nonzero, Compress and kernels that may
// panic with *[MatrixError] wait for their results on every device.
type Kernels interface {
	// Copy stores x in y, converted to y's dtype.
	Copy(l *Launch)
	// Elementwise runs l.Program at each point of the loop: the operands are its outputs and its inputs. Where the mask
	// (bools, operand number l.Where) is false, nothing is stored.
	Elementwise(l *Launch)
	// Reduce combines the values of l.Program by l.Combine along the last l.Reduced axes, applies l.Post to the result
	// unless l.Post is nil, and stores it in y, which does not have these axes. If these axes are empty, the combined
	// value is l.Combine's identity: 0 for a sum, -Inf for a maximum, NaN for FMax and FMin of floats, since these
	// ignore NaN. l.Post runs in the loop over the other axes.
	//
	// With l.Squares the squared magnitudes of the values are added up; l.Combine is CombineSum. A sum is guarded if
	// l.Post has two inputs, the sum and a real unit. The unit is 1 if the sum is in the range. A sum that is not, by
	// [ScalesOf], is computed again from the values multiplied by a power of two, and the unit is the inverse of that
	// power: the true sum is sum·unit, or with l.Squares sum·unit².
	//
	// With l.AsStored, Reduce stores the bits that it would store if it read the values of l.Program from memory: one input of
	// their type, with the strides of an input that has all axes. All such inputs have the same strides, without gaps;
	// the others have one element. A device whose results do not depend on strides need not read it.
	//
	// With l.Squares and l.Centred the values are the differences of input 0 from input 1, which is the mean of input 0, up
	// to rounding, and does not vary along the reduced axes. If all elements of input 0 are equal, the sum is 0. A device
	// for which this is too expensive stores the sum of the squared rounding errors.
	Reduce(l *Launch)
	// Scan stores in y, at each index along the last axis, the combination by l.Combine of the values of x at that
	// index and all indices before it. With l.Exclusive the value at that index is left out, and index 0 gets the
	// identity. Scan computes in y's type, as MatMul and Scatter do.
	Scan(l *Launch)
	// ArgReduce stores in y the index of the largest element of x (l.Combine is CombineMax), or of the smallest
	// (CombineMin), along the last l.Reduced axes, counted in row-major order. At ties the first index wins. The first
	// NaN precedes all other elements. ArgReduce panics if these axes are empty.
	ArgReduce(l *Launch)
	// MatMul stores the matrix product a·b, or a·b + d, in c. The loop is (batch..., m, n, k): c and d are (m, n), a is
	// (m, k), b is (k, n), each with or without the batch axes. The sums run along k. d may be c itself. MatMul applies
	// l.Post, unless it is nil, to each element of c, as [Launch.ApplyPost] does afterwards. l.Post has one input and no scalars,
	// and does not read its index in the loop.
	MatMul(l *Launch)
	// Gather stores in y the elements of x that the indices select. The strides of x along the loop give an element of
	// x for each point. Each index (int64) then moves on from that element: the index in operand 2+j moves
	// index·l.Axes[j].Stride elements, along an axis of size l.Axes[j].Size.
	Gather(l *Launch)
	// Scatter combines each element of x by l.Combine into an element of y, which the indices select as Gather's
	// indices select elements of x. If several elements go to one element of y, CombineAssign stores the last one, in
	// row-major order of the loop. With l.Cleared, y is first set to 0, over the axes that it has in the loop and those
	// in l.Axes. If the loop is empty, nothing is written and nothing is cleared: the strides do not tell an axis of
	// length 0 from an axis that y does not have.
	Scatter(l *Launch)
	// Sample is Gather with locations (the operands locations), which can be fractional. The strides of x along the loop
	// give an element of x for each point. Each location then moves on from that element: operand 2+j moves along an
	// axis of x with l.Axes[j].Size elements. An int64 location has one corner, with weight 1. A float location p has
	// two: floor(p), with weight 1 - (p - floor(p)), and floor(p) + 1, with weight p - floor(p), both rounded to x's
	// dtype. y is the sum, over all combinations of corners, of the elements times their weights. With BoundsDrop in
	// l.Bounds, elements at corners outside x count as 0; with BoundsClip a corner outside x means the nearest element,
	// if x is not empty. Elements with weight 0 are not read. If a location is NaN, y is NaN; but if an axis is empty,
	// y is 0. Up to three locations are floats, and these come first. x, y and the float locations are float32 or
	// float64.
	Sample(l *Launch)
	// SampleGrad stores in gx, which has the layout of x in the loop, the gradient of Sample with respect to x, from
	// the gradient gy of the result. Each element of gx is the sum of gy times the weights of that element in Sample.
	// Points with a NaN location do not count. No two elements of gx have the same address. If the loop is empty,
	// nothing is written.
	SampleGrad(l *Launch)
	// SampleLocationsGrad stores in glocations, one for each float location, the gradients of Sample with respect to the
	// locations: sums of gy times the difference of the values at the two corners along the axis. Corners with weight 0
	// are read, too. The glocations may have any axes: along all other axes their gradient is summed.
	SampleLocationsGrad(l *Launch)
	// Nonzero stores in y (int64, one axis) the indices of the points at which x is not 0, counted in row-major order
	// of the loop. They are stored one after the other from y's offset on. Nonzero returns how many there are. y has
	// room for these.
	Nonzero(l *Launch) int
	// Compress stores in y (one axis) the elements of x at which mask (bools) is true, in row-major order, one after
	// the other from y's offset on. It returns how many there are. Without y it only counts.
	Compress(l *Launch) int
	// Sort sorts x along the last axis. It stores the values in y, and their indices before sorting in indices (int64).
	// Equal values keep their order. NaNs come last, also with l.Descending. Complex numbers are ordered by their real
	// parts and, at ties, by their imaginary parts. After them come those whose imaginary part alone is NaN, ordered by
	// the real part; then those whose real part alone is NaN, ordered by the imaginary part; then those with two NaNs.
	// With l.Keep, only l.Keep elements of each sorted row are stored, from number l.From on, and y and indices have room for that many.
	// With l.Partition, all elements are stored, and only element number l.From must be where a sort puts it, with no larger element
	// before it and no smaller one after it. A device may sort the row all the same.
	Sort(l *Launch)
	// SearchSorted stores in y (int64) how many elements of a sorted row are less than x, or with l.Right not greater
	// than x, in Sort's order. The strides of row along the loop lead to the first element of a row, and l.Axes[0] is
	// the axis along which the row lies. row has x's dtype. If the row is not sorted, the result is some number between
	// 0 and its length.
	SearchSorted(l *Launch)
	// Random stores random numbers from l.Distribution in y: those of the stream of l.Key from number l.Counter on, in
	// row-major order of the loop. An element depends only on the key, on its number in the stream and, for
	// distributions with parameters, on the operands a, b and c (float64).
	Random(l *Launch)
	// Softmax stores exp(x)/Σexp(x) along the last axis in y, or its logarithm with l.Log.
	Softmax(l *Launch)
	// SoftmaxGrad stores in gx the gradient of Softmax, from its result y and the gradient gy of the result.
	SoftmaxGrad(l *Launch)
	// CrossEntropy stores log Σexp(x) - x[t] along the last axis in y, which does not have that axis. t is the row's
	// element of labels, an index along the axis, counted from 0. If the label is l.Ignore, CrossEntropy stores 0.
	CrossEntropy(l *Launch)
	// CrossEntropyGrad stores in gx the gradient of CrossEntropy, (softmax(x) - onehot(t))·gy, and 0 if the label is
	// l.Ignore.
	CrossEntropyGrad(l *Launch)
	// CTC stores in y the negative logarithm of the probability of a sequence's labels. A path has one class for each
	// time step. It stands for the labels that remain after repeats, and then all l.Blank, are removed. The loop is
	// (batch..., t, c): softmax(x) along the classes gives the probabilities of a time step. y, lengths and counts are
	// (batch): lengths has the number of time steps of each sequence, counts its number of labels. The strides of
	// labels along the loop lead to a sequence's first label, and l.Axes[0] is the axis along which the labels lie. CTC
	// panics with *[IndexError] if a length or a count exceeds its axis, or if a label is not a class. If a sequence
	// has too few time steps for its labels, y is +Inf.
	CTC(l *Launch)
	// CTCGrad stores in gx the gradient of CTC, (softmax(x) - o)·gy. o is the probability of a class at a time step,
	// given the labels. Beyond the length of a sequence, and where CTC stores +Inf, the gradient is 0.
	CTCGrad(l *Launch)
	// Attention stores w = softmax(l.Scale·q·kᵀ + mask), along the keys, in weights, and w·v in y. The loop is
	// (batch..., m, n, d, e), for m queries and n keys of d numbers, and n values of e numbers: y is (m, e), weights
	// and mask are (m, n), q is (m, d), k (n, d), v (n, e). Elements are floats. If there are no keys, y is 0. With
	// l.Causal, query i sees only the keys 0 to i. A key is also hidden from a query if mask is -Inf there. The weight of
	// a hidden key is 0, and its value is left out of w·v, whatever numbers they are. If no key is visible, or all scores
	// are -Inf, weights and y are 0.
	Attention(l *Launch)
	// Normalize stores (x - mean)/√(variance + l.Eps)·gamma + beta in y. Mean and variance, Σ(x - mean)²/n, are those
	// of x along the last l.Reduced axes. Normalize also stores them in the operands mean and variance, which do not
	// have these axes. gamma and beta may have any axes. y is right if only the variance leaves the range, which is
	// stored as +Inf, and 0 for equal elements.
	Normalize(l *Launch)
	// NormalizeGrad stores in gx, ggamma and gbeta the gradients of Normalize, from the gradient gy of its result. It
	// computes a variance again that is +Inf.
	// ggamma and gbeta may have any axes: along all other axes their gradient is summed.
	NormalizeGrad(l *Launch)
	// Convolve multiplies and adds over the loop (n, g, m, o1..or, c, k1..kr), with r = l.Window.Rank: n batch
	// elements, g groups of m output and c input channels, output positions o and window points k. y is (n, g, m,
	// o...), w is (g, m, c, k...), and x is (n, g, c) with r axes of its own. Window point k at output position o reads
	// x at index o·Stride + k·Dilation - Before along these axes, each as in l.Window. So the strides of x along o are
	// those along its own axes times Stride, its strides along k are those times Dilation, and its offset is that of
	// index 0.
	//
	// l.Part says which of the three arrays is the result: y = Σx·w, x = Σy·w or w = Σy·x, summed over the axes that
	// the result does not have. The other two are first and second, in the order y, x, w. For y and x the operand bias,
	// which is optional, is added, one number for each of their channels: (g, m) or (g, c).
	//
	// At indices outside x, x counts as 0. When Convolve computes y or w, such a zero is an ordinary factor: times an
	// infinity it gives NaN. When it computes x, each element is the sum of the products in which it takes part;
	// positions outside y add nothing. l.Kept and l.Version do not change the result, or with
	// l.Fast only as far as that permits.
	//
	// Convolve of y applies l.Post, unless it is nil, to each element and stores the result, as
	// [Launch.ApplyPost] does afterwards. l.Post has one input and no scalars, and does not read its index in the loop.
	Convolve(l *Launch)
	// Pool combines x over windows. The loop is (n, c, o1..or, k1..kr), x lies in it as in Convolve, and y and positions
	// are (n, c, o...). Window points outside x are left out. l.Combine is CombineMax or CombineSum. With CombineMax of
	// real numbers, positions (int64, or uint8 for windows of up to 256 points) gets the index of the window point, in
	// row-major order, with the largest element or a NaN; at ties the first index wins, and the first NaN precedes all
	// numbers. If all points are left out, y is the identity, and the index is 0.
	Pool(l *Launch)
	// PoolGrad stores in gx, which has the layout of x in the loop, the gradient of Pool from the gradient gy of its
	// result. With positions, each element gets the sum of gy over the windows whose index in positions selects that element.
	// Without positions, it gets the sum over all windows that contain it. An index that is not a window point is left
	// out.
	PoolGrad(l *Launch)
	// FFT stores in y the discrete Fourier transform of x along the last axis, y[k] = Σ x[j]·exp(-2πi·jk/n), or with
	// l.Inverse Σ x[j]·exp(2πi·jk/n), which is not divided by n; if l.Scale is not 0, y is multiplied by it. One of x and
	// y may be real, and the other then has only the elements from 0 to n/2 along the last axis: element n-k is the
	// conjugate of element k. If y is real, the imaginary parts of elements that are their own conjugates do not count.
	// Such x and y share no memory.
	FFT(l *Launch)

	// The kernels on batches of matrices follow. Their loop is (batch..., m, n), the shape of the matrix a. The strides
	// of every operand along the last two axes are those of its own rows and columns, which may be more or fewer than m
	// and n. A vector has stride 0 along the last axis. Elements are float32, float64, complex64 or complex128. All
	// operands have one dtype, with two exceptions: singular values and the eigenvalues of Eigh are real, with the
	// dtype of the real part, and the results of Eig are complex. For complex matrices, ᵀ below is the adjoint, except
	// in TriangularSolve.

	// Cholesky stores in y the lower triangular matrix L with L·Lᵀ = a, with zeros above its diagonal, which is real.
	// It reads a's lower triangle, and panics with *[MatrixError] if a is not positive definite.
	Cholesky(l *Launch)
	// LU stores in y the factors of P·a = L·U: L below the diagonal (its own diagonal is 1), and U on and above the
	// diagonal. P exchanges rows: pivots (int64, min(m, n) elements) says with which row row 0 is exchanged, then row
	// 1, and so on; rows (int64, m elements) says which row of a each row of P·a is. The pivot is the element of its
	// column with the largest |Re| + |Im|. a may be singular.
	LU(l *Launch)
	// TriangularSolve stores in y the matrix X with T·X = b; X and b are (m, n). T is the lower triangle of t, (m, m),
	// or with l.Upper the upper triangle. With l.UnitDiagonal the diagonal of T is 1. With l.Transposed T is
	// transposed. A zero on the diagonal gives infinities.
	TriangularSolve(l *Launch)
	// Solve stores in y the matrix X with a·X = b, and in det, a number for each matrix with stride 0 along both axes, the
	// determinant of a. X and b are (m, n), a is (m, m). Without b, X is the inverse of a, and n is m. Rows are exchanged as in LU.
	// Solve panics with *[MatrixError] if it has y and a is singular: if a pivot is 0.
	Solve(l *Launch)
	// QR stores in q and r matrices with q·r = a: q, (m, k), has orthonormal columns, and r, (k, n), is 0 below the diagonal and
	// real on it. k is min(m, n), or m with l.Full.
	QR(l *Launch)
	// SVD stores in u, s and vt the factors of a = u·diag(s)·vt. The columns of u, (m, k), and the rows of vt, (k, n),
	// are orthonormal; s has min(m, n) singular values, the largest first. k is min(m, n); with l.Full it is m for u
	// and n for vt. The launch has both u and vt, or neither. SVD panics with *[MatrixError] if a has elements that are
	// not finite.
	SVD(l *Launch)
	// Eigh stores the eigenvalues of a symmetric or Hermitian matrix in w, the smallest first, and its eigenvectors,
	// with length 1, in the columns of v. It reads a's lower triangle, or with l.Upper the upper one. It panics with
	// *[MatrixError] if there are elements that are not finite.
	Eigh(l *Launch)
	// Eig stores the eigenvalues of a square matrix in w, in any order, and its eigenvectors, with length 1, in the
	// columns of v. The eigenvalues and their order are the same without v. w and v are complex, also for real
	// matrices: then eigenvalues that are not real come in conjugate pairs, and if all eigenvalues are real, the
	// vectors are real. Eig panics with *[MatrixError] if there are elements that are not finite.
	Eig(l *Launch)
}

// Signature says which operands and attributes a kernel takes.
//
// Outputs and Inputs name its operands, in their order. A name with a question mark may be nil memory, a name in
// brackets may be left out, and a name with three dots stands for any number of operands. Attributes names the fields
// of [Attributes] that the kernel reads, and contains Scalars if the kernel reads the scalars of the launch.
type Signature struct {
	Kernel     string
	Outputs    string
	Inputs     string
	Attributes string
}

// Signatures has an entry for every method of [Kernels], in the same order.
var Signatures = []Signature{
	{"Copy", "y", "x", ""},
	{"Elementwise", "y...", "x... [mask]", "Program Scalars"},
	{"Reduce", "y", "x...", "Program Scalars Combine Squares AsStored Centred Reduced Post"},
	{"Scan", "y", "x", "Combine Exclusive"},
	{"ArgReduce", "y", "x", "Combine Reduced"},
	{"MatMul", "c", "a b [d]", "Post"},
	{"Gather", "y", "x indices...", "Axes Bounds Fresh"},
	{"Scatter", "y", "x indices...", "Axes Bounds Combine Fresh Cleared"},
	{"Sample", "y", "x locations...", "Axes Bounds"},
	{"SampleGrad", "gx", "gy locations...", "Axes Bounds"},
	{"SampleLocationsGrad", "glocations...", "gy x locations...", "Axes Bounds"},
	{"Nonzero", "y", "x", ""},
	{"Compress", "y?", "x mask", ""},
	{"Sort", "y? indices?", "x", "Descending Keep From Partition"},
	{"SearchSorted", "y", "row x", "Axes Right"},
	{"Random", "y", "[a] [b] [c]", "Distribution Key Counter Scalars"},
	{"Softmax", "y", "x", "Log"},
	{"SoftmaxGrad", "gx", "y gy", "Log"},
	{"CrossEntropy", "y", "x labels", "Ignore"},
	{"CrossEntropyGrad", "gx", "x labels gy", "Ignore"},
	{"CTC", "y", "x labels lengths counts", "Axes Blank"},
	{"CTCGrad", "gx", "x labels lengths counts gy", "Axes Blank"},
	{"Attention", "y weights?", "q k v [mask]", "Scale Causal"},
	{"Normalize", "y mean variance", "x gamma? beta?", "Reduced Eps"},
	{"NormalizeGrad", "gx ggamma? gbeta?", "x gamma? mean variance gy", "Reduced Eps"},
	{"Convolve", "result", "first second [bias]", "Window Part Fast Kept Version Post"},
	{"Pool", "y positions?", "x", "Window Combine"},
	{"PoolGrad", "gx", "gy [positions]", "Window"},
	{"FFT", "y", "x", "Inverse Scale"},
	{"Cholesky", "y", "a", ""},
	{"LU", "y pivots rows?", "a", ""},
	{"TriangularSolve", "y", "t b", "Upper Transposed UnitDiagonal"},
	{"Solve", "y? det?", "a [b]", ""},
	{"QR", "q r", "a", "Full"},
	{"SVD", "u? s vt?", "a", "Full"},
	{"Eigh", "w v?", "a", "Upper"},
	{"Eig", "w v?", "a", ""},
}

// Base has every kernel, and each panics with *[Unsupported]. A backend that embeds Base still compiles when kernels
// are added.
type Base struct{}

// ArrayOption marks devices as options of functions that make arrays.
func (Base) ArrayOption() {}

// Flat returns nil.
func (Base) Flat(*Program) Flat { return nil }

// FlatReduce returns nil.
func (Base) FlatReduce(Combine, dtype.DType) FlatReduce { return nil }

// Engines returns the empty set: no programs are joined.
func (Base) Engines(*Program) Engines { return 0 }

// FlatMatMul returns false.
func (Base) FlatMatMul(dtype.DType, int, int, int, unsafe.Pointer, unsafe.Pointer, unsafe.Pointer) bool {
	return false
}

// CopyFrom returns false: copies go through the host.
func (Base) CopyFrom(Memory, int, Device, Memory, int, int) bool { return false }

func (Base) Copy(*Launch)                { panic(&Unsupported{"Copy"}) }
func (Base) Elementwise(*Launch)         { panic(&Unsupported{"Elementwise"}) }
func (Base) Reduce(*Launch)              { panic(&Unsupported{"Reduce"}) }
func (Base) Scan(*Launch)                { panic(&Unsupported{"Scan"}) }
func (Base) ArgReduce(*Launch)           { panic(&Unsupported{"ArgReduce"}) }
func (Base) MatMul(*Launch)              { panic(&Unsupported{"MatMul"}) }
func (Base) Gather(*Launch)              { panic(&Unsupported{"Gather"}) }
func (Base) Scatter(*Launch)             { panic(&Unsupported{"Scatter"}) }
func (Base) Sample(*Launch)              { panic(&Unsupported{"Sample"}) }
func (Base) SampleGrad(*Launch)          { panic(&Unsupported{"SampleGrad"}) }
func (Base) SampleLocationsGrad(*Launch) { panic(&Unsupported{"SampleLocationsGrad"}) }
func (Base) Nonzero(*Launch) int         { panic(&Unsupported{"Nonzero"}) }
func (Base) Compress(*Launch) int        { panic(&Unsupported{"Compress"}) }
func (Base) Sort(*Launch)                { panic(&Unsupported{"Sort"}) }
func (Base) SearchSorted(*Launch)        { panic(&Unsupported{"SearchSorted"}) }
func (Base) Random(*Launch)              { panic(&Unsupported{"Random"}) }
func (Base) Softmax(*Launch)             { panic(&Unsupported{"Softmax"}) }
func (Base) SoftmaxGrad(*Launch)         { panic(&Unsupported{"SoftmaxGrad"}) }
func (Base) CrossEntropy(*Launch)        { panic(&Unsupported{"CrossEntropy"}) }
func (Base) CrossEntropyGrad(*Launch)    { panic(&Unsupported{"CrossEntropyGrad"}) }
func (Base) CTC(*Launch)                 { panic(&Unsupported{"CTC"}) }
func (Base) CTCGrad(*Launch)             { panic(&Unsupported{"CTCGrad"}) }
func (Base) Attention(*Launch)           { panic(&Unsupported{"Attention"}) }
func (Base) Normalize(*Launch)           { panic(&Unsupported{"Normalize"}) }
func (Base) NormalizeGrad(*Launch)       { panic(&Unsupported{"NormalizeGrad"}) }
func (Base) Convolve(*Launch)            { panic(&Unsupported{"Convolve"}) }
func (Base) Pool(*Launch)                { panic(&Unsupported{"Pool"}) }
func (Base) PoolGrad(*Launch)            { panic(&Unsupported{"PoolGrad"}) }
func (Base) Cholesky(*Launch)            { panic(&Unsupported{"Cholesky"}) }
func (Base) LU(*Launch)                  { panic(&Unsupported{"LU"}) }
func (Base) TriangularSolve(*Launch)     { panic(&Unsupported{"TriangularSolve"}) }
func (Base) Solve(*Launch)               { panic(&Unsupported{"Solve"}) }
func (Base) QR(*Launch)                  { panic(&Unsupported{"QR"}) }
func (Base) SVD(*Launch)                 { panic(&Unsupported{"SVD"}) }
func (Base) Eigh(*Launch)                { panic(&Unsupported{"Eigh"}) }
func (Base) Eig(*Launch)                 { panic(&Unsupported{"Eig"}) }
func (Base) FFT(*Launch)                 { panic(&Unsupported{"FFT"}) }
