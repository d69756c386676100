// Package nd contains the n-dimensional array of ndgrad: NumPy's ndarray for Go. A first program:
//
//	x := nd.FromRows([][]float64{{1, 2, 3}, {4, 5, 6}}) // or nd.FromSlice(data, 2, -1), nd.Zeros([]int{2, 3})
//	row := x.Index(nd.At(1))                            // x[1], a view; x.Index(nd.All(), nd.From(1)) is x[:, 1:]
//	row.Assign(nd.Scalar(0), nd.From(1))                // x[1, 1:] = 0
//	y := ops.Add(ops.Square(x), 1)                      // functions are in package ops and return new arrays
//	s := ops.Sum(y, ops.Over(0))                        // along axis 0; Over(0).KeepDims() keeps the axis; ops.Sum(y) sums all
//	fmt.Println(x, s)                                   // prints as NumPy prints
//	fmt.Printf("%.2f\n", s)                             // the verb applies to every element
//	total := ops.Sum(y).Float()                         // a float64; nd.ToSlice[float64](y) returns all elements
//
// In short:
//
//   - Shapes broadcast and dtypes promote as in NumPy 2. A new array is float64, or has the element type of its slice,
//     or the dtype in [ArrayOptions], such as dtype.Float32. [Array.AsType] converts.
//   - A Go number is an operand: ops.Multiply(x, 2) has x's dtype. Methods and options take a number as a [Scalar].
//   - Indices and transposes return views, which share memory; [Array.Copy] returns an independent array. x += y is
//     ops.Add(x, y, ops.Into(x)).
//   - Options come last in a call: one struct, whose zero value means the defaults, or settings by themselves, such as a dtype:
//     see Options below.
//   - Misuse, such as shapes that do not match, panics with an [*Error]; [Catch] turns the panic into an ordinary
//     error.
//   - You never have to release memory. [TidyAll] makes hot loops faster.
//   - Gradients: tape := grad.NewTape(); w := tape.Watch(w0); g := tape.Gradient(loss(w), w)[0].
//   - Package [github.com/ndgrad/ndgrad/nd/ops] contains the functions, [github.com/ndgrad/ndgrad/nd/grad] the
//     gradients, [github.com/ndgrad/ndgrad/nn] parameters, layers and optimizers, [github.com/ndgrad/ndgrad/nd/dtype]
//     the element types.
//   - docs/numpy.md and docs/torch.md list the names of NumPy and PyTorch with their equivalents here.
//
// # Arrays
//
// An [Array] is a header on a block of memory. The header holds the element type ([Array.DType]), the length of every
// axis ([Array.Shape]), the offset of the first element ([Array.Offset]), and the distance between neighbours along
// every axis ([Array.Strides], in elements). An array has at most [MaxRank] axes; a 0-d array has one element. Methods
// are views, conversions and metadata; arithmetic is in package ops: there is no x.Add.
//
// Arrays are made from slices ([FromSlice], [FromRows], [Wrap]), from one value ([Zeros], [Ones], [Full], [Empty],
// [ZerosLike] and similar functions), as ranges and grids ([Arange], [Linspace], [Meshgrid]) and as matrices ([Eye],
// [Tri]). [ArrayOptions] choose the dtype and the device; the default is float64 on the CPU. [ToSlice], [ToRows],
// [CopyTo], [Array.Float], [Value] and [Array.Item] return elements. The verbs of [fmt.Printf] format elements: %.4f
// prints a loss.
//
// # What shares memory
//
// Views share memory: [Array.Transpose], [Array.Reshape] if the strides allow it, [Array.BroadcastTo], [Array.Flip],
// [Array.Diagonal], and [Array.Index] with basic items ([At], [Span], [From], [Until], [All], [NewAxis], [Ellipsis]).
// [Array.Index] with index arrays ([Pick]), [Array.Copy], and [Array.AsType] to another dtype return new arrays. [Wrap]
// and [Data] share memory with a slice. [Array.SharesMemory] reports whether two arrays share memory. [Array.Assign]
// writes in place; [Array.With] returns a new array instead.
//
// # Scalars
//
// A number has no width as an operand: like a Python number in NumPy 2, it takes the dtype of the array that it meets. A float32
// array times 2.5 stays float32; a uint8 array plus 300 is refused. [Scalar] is such a number as an array, for methods, options and
// lists: x.Assign(nd.Scalar(0)).
//
// # Options
//
// A function takes what it needs, then options. They are one struct, whose zero value means the documented defaults; if zero is a
// choice of its own, the field is a pointer, written new(value). Or they are settings, which are fields by themselves and combine:
//
//	nd.Zeros([]int{3}, dtype.Float32)       // nd.ArrayOptions{DType: dtype.Float32}; a device stands alone too
//	ops.Sum(x, ops.Over(1), ops.Into(y))    // ops.ReduceOptions{Axes: ops.Over(1), Out: y}
//	ops.Max(x, ops.Over(0, 1).KeepDims())
//	ops.Softmax(x, ops.Over(0))
//
// # Errors
//
// Misuse, such as shapes that do not match, panics with an [*Error] before anything is written. The error names the
// function, the operands and what was expected. [Catch] turns the panic into an ordinary error. Functions that read and
// write files return errors.
//
// # Releasing memory
//
// Releasing is optional: the garbage collector frees memory that no header refers to. [Array.Release] releases memory
// at once, so that the next array of its size can reuse the block. One line releases all intermediate results of a
// computation: [Tidy] for a computation with one result, [TidyAll] for the steps of a loop. Both are built on [Arena]:
// an arena owns everything that is computed from its arrays, and its Release releases all of it. A tape is an arena
// that also records. [MemoryByMaker] lists the live blocks of memory.
//
// # Devices
//
// An array lives on a device, by default the CPU, and so do the results computed from it. [Array.To] moves an array to
// another device. The operands of one function must be on the same device. Package [github.com/ndgrad/ndgrad/device]
// defines devices. Many goroutines may read an array at once; writing and releasing need exclusion.
//
// # Files
//
// Package nd reads and writes NumPy's .npy and .npz files ([LoadNpy], [SaveNpy], [LoadNpz], [OpenNpz]; [OpenNpyRows]
// for files larger than memory), tables of text ([LoadText], [SaveText]) and safetensors ([LoadSafetensors],
// [SaveSafetensors]). Readers do not trust the sizes that a file declares. A written file appears complete or not at
// all.
//
// # Random numbers
//
// [NewRand] makes a random stream from a seed. The stream is an explicit argument of everything that draws random
// numbers: package [github.com/ndgrad/ndgrad/nd/ops/random], dropout, initializers.
//
// # Writing functions
//
// Most functions of your own need nothing from this section: ops.MustKernel compiles an elementwise expression and its
// gradient into a kernel, and grad.Function is Go code with its own gradient. A function that launches device kernels
// itself, as package ops does, begins with its name, a [Func]. The methods of Func check arguments ([Func.Check]), make
// errors ([Func.Errorf]) and results ([Func.NewLike]), and begin a [Launch]. The gradient of the function is an [Op],
// which [Func.Record] passes to the tape. [Claims] say which values the gradient reads, and a [Call] supplies them. The
// directory examples/customop contains one function of each kind, with checked gradients.
package nd
