package device

// Kernels is what a device can compute: the vocabulary that every function of the library is made of.
//
// A kernel goes through the points of a loop, whose shape is Launch.Shape[:Launch.Rank]. Each operand has a stride for each axis
// of the loop, which leads from the element that belongs to a point to the one that belongs to the next; it is 0 along axes
// that the operand does not have. So (m, n) below says which axes an operand has: its strides along all others are 0. "The last
// axis" is the loop's. The operands have here the names, and in Launch.Operands the order, that [Signatures] gives them.
//
// Elements are converted as package dtype does, where an operand has another dtype than the kernel computes with.
//
// Where a kernel panics with *[IndexError] below, an asynchronous device reports it later: see [Device]. The
// index is that of the first point of the loop, in row-major order, that has one out of range. Nonzero, Compress and kernels that
// may panic with *[MatrixError] wait for their results on every device.
type Kernels interface {
	// Copy stores x in y, converted to y's dtype.
	Copy(l *Launch)
	// Elementwise runs l.Program at each point of the loop: the operands are its outputs and its inputs. Where mask (of bools,
	// operand number l.Where) is false, nothing is stored.
	Elementwise(l *Launch)
	// Reduce combines by l.Combine the values of l.Program along the last l.Reduced axes, applies l.Post, if there is one, to the
	// combination, and stores the result in y, which does not have these axes. Without values the combination is l.Combine's
	// identity: 0 for a sum, -Inf for a maximum; for FMax and FMin of floats not-a-number, which they ignore. l.Post runs in the
	// loop over the other axes.
	Reduce(l *Launch)
	// Scan stores in y at each place of the last axis what l.Combine makes of the values of x there and at all places before. With
	// l.Exclusive the value there is left out, and the first place gets the identity. It is computed in y's type, as MatMul and
	// Scatter are.
	Scan(l *Launch)
	// ArgReduce stores in y the place of the largest element of x (l.Combine is CombineMax), or the smallest (CombineMin), along
	// the last l.Reduced axes, counted in row-major order. Of equal ones it is the first, and the first not-a-number comes before
	// all others. It panics where these axes have no elements.
	ArgReduce(l *Launch)
	// MatMul stores the matrix product a·b, or a·b + d, in c. The loop is (batch..., m, n, k): c and d are (m, n), a is (m, k), b is
	// (k, n), each with the batch's axes or without, and the sums go along k. d may be c itself.
	MatMul(l *Launch)
	// Gather stores in y the elements of x at the places that indices say. The strides of x along the loop lead to an element
	// for each point; from there each index (int64) leads on, the one in operand 2+j by index·l.Axes[j].Stride elements, along an
	// axis of l.Axes[j].Size.
	Gather(l *Launch)
	// Scatter combines each element of x by l.Combine into an element of y, which indices choose as Gather chooses those of x. Of
	// several elements for one place CombineAssign stores the last, in row-major order of the loop. l.Cleared sets y to 0
	// first, over the axes that it has in the loop and those in l.Axes. Where the loop has no points nothing is written, and
	// nothing is cleared: the strides do not tell an axis of length 0 from one that y does not have.
	Scatter(l *Launch)
	// Sample is Gather with places that need not be whole. The strides of x along the loop lead to an element for each point; from
	// there each place leads on, the one in operand 2+j along an axis of x of l.Axes[j].Size elements. An int64 place is one corner,
	// of weight 1. A float place p has two: floor(p), of weight 1 - (p - floor(p)), and floor(p) + 1, of weight p - floor(p), both
	// rounded to x's dtype. y is the sum of the elements at all combinations of corners times their weights. With l.Bounds
	// BoundsDrop, elements at corners that x does not have count 0; with BoundsClip the nearest one is meant, where there is
	// any. Elements whose weight is 0 are not read. Where a place is not a number, neither is y; but where an axis
	// has no elements y is 0. Up to three places are floats, which come first; x and y are float32 or float64, and so are these.
	Sample(l *Launch)
	// SampleGrad stores in gx, which lies in the loop as x does, the gradient of Sample from that of its result, gy: for each
	// element the sum of gy times the weights with which it counts, but for points where a place is not a number. No
	// two elements of gx are at one address. Where the loop has no points nothing is written.
	SampleGrad(l *Launch)
	// SamplePlacesGrad stores in gplaces, one for each place that is a float, the gradients of Sample by the places: sums of gy
	// times the difference, along the axis, of what lies at the two corners. Of these two also one of weight 0 is read. They
	// may have any axes: along all others their gradient is added up.
	SamplePlacesGrad(l *Launch)
	// Nonzero stores in y (int64, of one axis) the positions in the loop, counted in row-major order, at which x is not 0: one
	// after the other from y's offset on. It returns how many there are. y has room for all of the loop.
	Nonzero(l *Launch) int
	// Compress stores in y (of one axis) the elements of x at which mask (of bools) is true, in row-major order, one after the
	// other from y's offset on. It returns how many there are. Without y it merely counts.
	Compress(l *Launch) int
	// Sort sorts x along the last axis. It stores the values in y, and the places where they were in places (int64). Equal values
	// keep their order. Not-a-numbers come last, also with l.Descending. Complex numbers are in the order of their real parts and,
	// where these are equal, of their imaginary parts; last come those with a number in the real part only, in its order, then
	// those with one in the imaginary part only, in its order, then those with none. With l.Keep, y and places have room for so
	// many elements of each row, and the first so many are stored.
	Sort(l *Launch)
	// SearchSorted stores in y (int64) how many elements of a sorted row are less than x, or with l.Right not greater than x, in
	// Sort's order. The strides of row along the loop lead to a row's first element, and l.Axes[0] is the axis along which it
	// lies. It has x's dtype. In a row that is not sorted the result is any number up to its length.
	SearchSorted(l *Launch)
	// Random stores l.Distribution's random numbers in y: those of the stream of l.Key from number l.Counter on, in row-major order
	// of the loop. An element depends on the key and on its number in the stream alone, and on the parameters a and b, float64, of
	// distributions that have them.
	Random(l *Launch)
	// Softmax stores exp(x)/Σexp(x) along the last axis in y, or the logarithm of that with l.Log.
	Softmax(l *Launch)
	// SoftmaxGrad stores in gx the gradient of Softmax from its result, y, and the gradient of that, gy.
	SoftmaxGrad(l *Launch)
	// CrossEntropy stores in y, which does not have the last axis, log Σexp(x) - x[t] along it: t is the row's element of labels, a
	// place of the axis counted from 0. Where the label is l.Ignore it stores 0.
	CrossEntropy(l *Launch)
	// CrossEntropyGrad stores in gx the gradient of CrossEntropy, (softmax(x) - onehot(t))·gy, and 0 where the label is l.Ignore.
	CrossEntropyGrad(l *Launch)
	// CTC stores in y the negative logarithm of the probability of a sequence's labels, which the classes of its times make when
	// of each run of equal ones one is left and then all that are l.Blank are taken out. The loop is (batch..., t, c): softmax(x),
	// along the classes, are the probabilities of a time. y, lengths and counts are (batch): a sequence has the first so many
	// times, and so many labels. The strides of labels along the loop lead to a sequence's first label, and l.Axes[0] is the axis
	// along which they lie. It panics with *[IndexError] at a length, or a number of labels, beyond its axis and at a label that is
	// no class. Where there are too few times y is +Inf.
	CTC(l *Launch)
	// CTCGrad stores in gx the gradient of CTC, (softmax(x) - o)·gy, in which o is the probability that a class is at a time, if the
	// labels are those. Beyond the length of a sequence, and where CTC stores +Inf, it is 0.
	CTCGrad(l *Launch)
	// Attention stores w = softmax(l.Scale·q·kᵀ + mask), along the keys, in weights, and w·v in y. The loop is
	// (batch..., m, n, d, e), for m queries and n keys of d numbers, and n values of e: y is (m, e), weights and mask are (m, n), q is
	// (m, d), k (n, d), v (n, e). Elements are floats. Without keys y is 0. With l.Causal query i sees the keys up to number i alone:
	// the weights of the others are 0, whatever their scores are, and a value of weight 0 may be left out of w·v.
	Attention(l *Launch)
	// Normalize stores (x - mean)/√(variance + l.Eps)·gamma + beta in y. Mean and variance, Σ(x - mean)²/n, are those of x along the
	// last l.Reduced axes; it stores them, too, in operands that do not have these axes. gamma and beta may have any axes.
	Normalize(l *Launch)
	// NormalizeGrad stores in gx, ggamma and gbeta the gradients of Normalize, from that of its result, gy. ggamma and gbeta may
	// have any axes: along all others their gradient is added up.
	NormalizeGrad(l *Launch)
	// Convolve multiplies and adds over the loop (n, g, m, o1..or, c, k1..kr): n elements of a batch, g groups of m output and c
	// input channels, places o of the output and points k of the window, with r = l.Window.Rank. y is (n, g, m, o...), w is
	// (g, m, c, k...), and x is (n, g, c) and has r axes of its own: a point k of the window at o lies at place
	// o·Stride + k·Dilation - Before of them, each as in l.Window. So the strides of x along o are those along its own axes times
	// Stride, along k times Dilation, and its offset is that of place 0.
	//
	// l.Part says which of the three is the result: y = Σx·w, x = Σy·w or w = Σy·x, over the axes that it does not have. The other
	// two are first and second, in the order y, x, w. For y and x there may be a bias that is added, one number for each of
	// their channels: (g, m) or (g, c).
	//
	// At places that x does not have it is 0. In y and w such a zero is a factor as any other: times an infinity it is not a
	// number. An element of x is the sum of the products that it has part in, and none is made up for places that y does not
	// have.
	Convolve(l *Launch)
	// Pool combines x over windows: the loop is (n, c, o1..or, k1..kr), x lies in it as in Convolve, and y and places are (n, c, o...).
	// Points of the window at places that x does not have are left out. l.Combine is CombineMax or CombineSum. With CombineMax of
	// real numbers places (int64, or uint8 for windows of up to 256 points) gets the point of the window, in row-major order, that
	// has the first largest element, or the first not-a-number. Where all points are left out, y is the identity, and
	// the place 0.
	Pool(l *Launch)
	// PoolGrad stores in gx, which lies in the loop as x, the gradient of Pool from that of its result, gy: for each element the
	// sum of gy over the windows whose place it is at, or without places over all windows that it is in. A place that is no point
	// of the window is left out.
	PoolGrad(l *Launch)
	// FFT stores in y the discrete Fourier transform of x along the last axis, y[k] = Σ x[j]·exp(-2πi·jk/n), or with l.Inverse
	// Σ x[j]·exp(2πi·jk/n), which is not divided by n. Both are complex.
	FFT(l *Launch)

	// The kernels on batches of matrices follow. Their loop is (batch..., m, n), the shape of the matrix a. The strides of every
	// operand along the last two axes are those of its own rows and columns, which may be more or fewer than m and n. A vector
	// has stride 0 along the last axis. Elements are float32, float64, complex64 or complex128, of one dtype but for singular
	// values and the eigenvalues of Eigh, which are real: their dtype is that of the parts; and for the results of Eig. Of complex matrices ᵀ below is the
	// adjoint, but not in TriangularSolve.

	// Cholesky stores in y the lower triangular matrix L with L·Lᵀ = a, zeros above its diagonal, which is real. It reads a's lower triangle, and
	// panics with *[MatrixError] where a is not positive definite.
	Cholesky(l *Launch)
	// LU stores in y the factors of P·a = L·U, L below the diagonal, on which it is 1, and U on it and above. P exchanges rows:
	// pivots (int64, of min(m, n)) says with which row the first is exchanged, then the second, and so on, counted from 0; rows (int64,
	// of m) says which row of a each row of P·a is. What comes first is the largest of its column by |Re| + |Im|. a may be singular.
	LU(l *Launch)
	// TriangularSolve stores in y the matrix X with T·X = b, both (m, n). T is the lower triangle of t, (m, m), or with l.Upper the
	// upper one; with l.UnitDiagonal it is 1 on the diagonal; with l.Transposed it is transposed. A zero on the diagonal
	// gives infinities.
	TriangularSolve(l *Launch)
	// QR stores in q and r matrices with q·r = a: q, (m, k), has orthonormal columns, and r, (k, n), is 0 below the diagonal and
	// real on it. k is min(m, n), or m with l.Full.
	QR(l *Launch)
	// SVD stores in u, s and vt the factors of a = u·diag(s)·vt. The columns of u, (m, k), and the rows of vt, (k, n), are
	// orthonormal; s has min(m, n) singular values, the largest first. k is min(m, n); with l.Full it is m for u and n for vt. It
	// has both u and vt, or neither. It panics with *[MatrixError] where a has elements that are not finite.
	SVD(l *Launch)
	// Eigh stores the eigenvalues of a symmetric or Hermitian matrix in w, the least first, and its eigenvectors, of length 1, in the columns of
	// v. It reads a's lower triangle, or with l.Upper the upper one. It panics with *[MatrixError] where there are elements that
	// are not finite.
	Eigh(l *Launch)
	// Eig stores the eigenvalues of a square matrix in w, in any order, but the same without v, and its eigenvectors, of length 1, in the
	// columns of v. w and v are complex, those of real matrices too: then what is not real comes in conjugate pairs, and where all
	// eigenvalues are real the vectors are. It panics with *[MatrixError] where there are elements that are not finite.
	Eig(l *Launch)
}

// Signature says what a kernel takes.
//
// Outputs and Inputs name its operands, in their order. One with a question mark may be nil memory, one in brackets may be left
// out, and one with three dots stands for any number. Attributes names the fields of [Attributes] that the kernel reads, and
// Scalars where it reads those of the launch.
type Signature struct {
	Kernel     string
	Outputs    string
	Inputs     string
	Attributes string
}

// Signatures has every method of [Kernels], in their order.
var Signatures = []Signature{
	{"Copy", "y", "x", ""},
	{"Elementwise", "y...", "x... [mask]", "Program Scalars"},
	{"Reduce", "y", "x...", "Program Scalars Combine Reduced Post"},
	{"Scan", "y", "x", "Combine Exclusive"},
	{"ArgReduce", "y", "x", "Combine Reduced"},
	{"MatMul", "c", "a b [d]", ""},
	{"Gather", "y", "x indices...", "Axes Bounds Fresh"},
	{"Scatter", "y", "x indices...", "Axes Bounds Combine Fresh Cleared"},
	{"Sample", "y", "x places...", "Axes Bounds"},
	{"SampleGrad", "gx", "gy places...", "Axes Bounds"},
	{"SamplePlacesGrad", "gplaces...", "gy x places...", "Axes Bounds"},
	{"Nonzero", "y", "x", ""},
	{"Compress", "y?", "x mask", ""},
	{"Sort", "y? places?", "x", "Descending Keep"},
	{"SearchSorted", "y", "row x", "Axes Right"},
	{"Random", "y", "[a] [b]", "Distribution Key Counter Scalars"},
	{"Softmax", "y", "x", "Log"},
	{"SoftmaxGrad", "gx", "y gy", "Log"},
	{"CrossEntropy", "y", "x labels", "Ignore"},
	{"CrossEntropyGrad", "gx", "x labels gy", "Ignore"},
	{"CTC", "y", "x labels lengths counts", "Axes Blank"},
	{"CTCGrad", "gx", "x labels lengths counts gy", "Axes Blank"},
	{"Attention", "y weights?", "q k v [mask]", "Scale Causal"},
	{"Normalize", "y mean variance", "x gamma? beta?", "Reduced Eps"},
	{"NormalizeGrad", "gx ggamma? gbeta?", "x gamma? mean variance gy", "Reduced Eps"},
	{"Convolve", "result", "first second [bias]", "Window Part"},
	{"Pool", "y places?", "x", "Window Combine"},
	{"PoolGrad", "gx", "gy [places]", "Window"},
	{"FFT", "y", "x", "Inverse"},
	{"Cholesky", "y", "a", ""},
	{"LU", "y pivots rows?", "a", ""},
	{"TriangularSolve", "y", "t b", "Upper Transposed UnitDiagonal"},
	{"QR", "q r", "a", "Full"},
	{"SVD", "u? s vt?", "a", "Full"},
	{"Eigh", "w v?", "a", "Upper"},
	{"Eig", "w v?", "a", ""},
}

// Base has every kernel, and each panics with *[Unsupported]: a backend that embeds it compiles when the vocabulary grows.
type Base struct{}

// ArrayOption marks devices as options of functions that make arrays.
func (Base) ArrayOption() {}

// Flat returns nil.
func (Base) Flat(*Program) Flat { return nil }

// CopyFrom reports that copies go by way of the host.
func (Base) CopyFrom(Memory, int, Device, Memory, int, int) bool { return false }

func (Base) Copy(*Launch)             { panic(&Unsupported{"Copy"}) }
func (Base) Elementwise(*Launch)      { panic(&Unsupported{"Elementwise"}) }
func (Base) Reduce(*Launch)           { panic(&Unsupported{"Reduce"}) }
func (Base) Scan(*Launch)             { panic(&Unsupported{"Scan"}) }
func (Base) ArgReduce(*Launch)        { panic(&Unsupported{"ArgReduce"}) }
func (Base) MatMul(*Launch)           { panic(&Unsupported{"MatMul"}) }
func (Base) Gather(*Launch)           { panic(&Unsupported{"Gather"}) }
func (Base) Scatter(*Launch)          { panic(&Unsupported{"Scatter"}) }
func (Base) Sample(*Launch)           { panic(&Unsupported{"Sample"}) }
func (Base) SampleGrad(*Launch)       { panic(&Unsupported{"SampleGrad"}) }
func (Base) SamplePlacesGrad(*Launch) { panic(&Unsupported{"SamplePlacesGrad"}) }
func (Base) Nonzero(*Launch) int      { panic(&Unsupported{"Nonzero"}) }
func (Base) Compress(*Launch) int     { panic(&Unsupported{"Compress"}) }
func (Base) Sort(*Launch)             { panic(&Unsupported{"Sort"}) }
func (Base) SearchSorted(*Launch)     { panic(&Unsupported{"SearchSorted"}) }
func (Base) Random(*Launch)           { panic(&Unsupported{"Random"}) }
func (Base) Softmax(*Launch)          { panic(&Unsupported{"Softmax"}) }
func (Base) SoftmaxGrad(*Launch)      { panic(&Unsupported{"SoftmaxGrad"}) }
func (Base) CrossEntropy(*Launch)     { panic(&Unsupported{"CrossEntropy"}) }
func (Base) CrossEntropyGrad(*Launch) { panic(&Unsupported{"CrossEntropyGrad"}) }
func (Base) CTC(*Launch)              { panic(&Unsupported{"CTC"}) }
func (Base) CTCGrad(*Launch)          { panic(&Unsupported{"CTCGrad"}) }
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
func (Base) Eig(*Launch)              { panic(&Unsupported{"Eig"}) }
func (Base) FFT(*Launch)              { panic(&Unsupported{"FFT"}) }
