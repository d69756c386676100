// Package nd has the n-dimensional array of ndgrad, NumPy's ndarray for Go. What the first hour needs:
//
//	x := nd.FromRows([][]float64{{1, 2, 3}, {4, 5, 6}}) // or nd.FromSlice(data, 2, -1), nd.Zeros([]int{2, 3})
//	row := x.Index(nd.At(1))                            // x[1], a view; x.Index(nd.All(), nd.From(1)) is x[:, 1:]
//	row.Assign(nd.Scalar(0), nd.From(1))                // x[1, 1:] = 0
//	y := ops.AddScalar(ops.Square(x), 1)                // functions are in package ops, and return new arrays
//	s := ops.Sum(y, ops.Over(0))                        // along axis 0, which Over(0).KeepDims() keeps; ops.Sum(y) of all
//	fmt.Println(x, s)                                   // as NumPy prints them
//	fmt.Printf("%.2f\n", s)                             // the verbs of fmt are the elements'
//	total := ops.Sum(y).Float()                         // a float64; all elements are nd.ToSlice[float64](y)
//
// In short:
//
//   - Shapes broadcast and dtypes promote as in NumPy 2. An array is float64, or what the slice is that it was made of, or what
//     [ArrayOptions] say: nd.Zeros(shape, nd.ArrayOptions{DType: dtype.Float32}); [Array.AsType] converts.
//   - A number beside an array is [Scalar], which takes the array's dtype; ops.MulScalar(x, 2) is short for it.
//   - Indices and transposes are views, which share memory; [Array.Copy] makes an array of its own. x += y is
//     ops.Add(x, y, ops.UfuncOptions{Out: x}).
//   - Options are one struct at the end of a call, whose zero value means the defaults: see Options below.
//   - Misuse, such as shapes that do not fit, panics with an [*Error]; [Catch] makes an ordinary error of it.
//   - Nobody has to release anything; in a hot loop [TidyAll] makes it faster.
//   - Gradients: tape := grad.NewTape(); w := tape.Watch(w0); g := tape.Gradient(loss(w), w)[0].
//   - [github.com/ndgrad/ndgrad/nd/ops] has the functions, [github.com/ndgrad/ndgrad/nd/grad] the gradients,
//     [github.com/ndgrad/ndgrad/nn] parameters, layers and optimizers, [github.com/ndgrad/ndgrad/nd/dtype] the element types.
//   - docs/numpy.md and docs/torch.md say what each name of NumPy and PyTorch is here.
//
// # Arrays
//
// An [Array] is a header on a block of memory: the element type ([Array.DType]), the length of every axis ([Array.Shape]), the
// place of the first element ([Array.Offset]), and how far apart neighbours along an axis are ([Array.Strides], in elements).
// Up to [MaxRank] axes; an array without axes has one element. Methods are views, conversions and metadata; there is no x.Add.
//
// They are made from slices ([FromSlice], [FromRows], [Wrap]), of one value ([Zeros], [Ones], [Full], [Empty] and their like), as
// ranges and grids ([Arange], [Linspace], [Meshgrid]) and as matrices ([Eye], [Tri]). [ArrayOptions] says of which dtype and on
// which device: float64 on the CPU by default. Elements come back with [ToSlice], [ToRows], [CopyTo], [Array.Float], [Value] and [Array.Item].
// [fmt.Printf] formats elements by its verbs: %.4f of a loss.
//
// # What shares memory
//
// Views do: [Array.Transpose], [Array.Reshape] where the strides allow it, [Array.BroadcastTo], [Array.Flip], [Array.Diagonal],
// and [Array.Index] with basic items ([At], [Span], [From], [Until], [All], [NewAxis], [Ellipsis]). An index with arrays of
// positions ([Pick]), [Array.Copy], and [Array.AsType] to another dtype make new arrays. [Wrap] and [Data] share memory with a
// slice. [Array.SharesMemory] tells. [Array.Assign] writes in place, [Array.With] is the same as a new array.
//
// # Scalars
//
// [Scalar] makes a number an operand. It has no width: like a Python number in NumPy 2 it takes the dtype of the array it meets,
// so that a float32 array times Scalar(2.5) stays float32, and Scalar(300) is refused beside a uint8 array.
//
// # Options
//
// Functions take what they need, then at most one struct of options. A field's zero value means the documented default; where
// zero is a choice of its own, the field is a pointer, written new(value). Functions that work along axes take those alone too:
// ops.Sum(x, ops.Over(1)), ops.Max(x, ops.Over(0, 1).KeepDims()), ops.Softmax(x, ops.Over(0)).
//
// # Errors
//
// Misuse, such as shapes that do not fit, panics with an [*Error] that names the function, the operands and what was expected,
// before anything is written. [Catch] makes an ordinary error of it. Reading and writing files returns errors.
//
// # Who releases
//
// Nobody has to: memory that no header is left on is collected. [Array.Release] gives it back at once, so that the next array
// of its size need not ask for more. One line does that for all that a computation made on its way: [Tidy] for one with a
// result, [TidyAll] for the steps of a loop. An [Arena] is what both are made of: everything that was computed from its arrays
// is its own, and goes with its Release. A tape is an arena that records too. [MemoryByMaker] tells what lives.
//
// # Devices
//
// An array lives on a device, the CPU unless told otherwise, and what is computed from it too; [Array.To] moves it. Arrays of two
// devices do not meet. [github.com/ndgrad/ndgrad/device] says what a device is. Arrays may be read from many goroutines at once;
// writing and releasing need exclusion.
//
// # Files
//
// NumPy's .npy and .npz ([LoadNpy], [SaveNpy], [LoadNpz], [OpenNpz]; [OpenNpyRows] for files larger than memory), tables of text
// ([LoadText], [SaveText]) and safetensors ([LoadSafetensors], [SaveSafetensors]). What a file says of its sizes is not trusted.
// A file that is written appears whole or not at all.
//
// # Random numbers
//
// [NewRand] makes a stream of a seed, an explicit argument of everything that draws: package
// [github.com/ndgrad/ndgrad/nd/ops/random], dropout, initializers.
//
// # Writing functions
//
// Most functions of your own need nothing of what follows: an elementwise expression is a kernel with its gradient by
// ops.MustKernel, and Go code with a gradient beside it is a grad.Function. A function that launches kernels of the device itself,
// as those of package ops do, begins with its name: a [Func], whose methods check arguments ([Func.Check]), make errors
// ([Func.Errorf]) and results ([Func.NewLike]), and begin a [Launch]. Its gradient is an [Op], which [Func.Record] gives to the
// tape; [Claims] says which values the gradient reads, and a [Call] hands them over. examples/customop has one function of each
// kind, with their gradients checked.
package nd
