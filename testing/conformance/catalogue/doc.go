// Package catalogue says what each documented name of the four systems (and of NumPy and torch, where they have more) is in this library:
// one [Row] a name, the names that are left out and why, the binding of documented arguments to the functions of the rows, and
// the [Call] of a row by its name. Whoever wants to drive this library by another project's tests needs no more than that:
//
//	r, err := catalogue.Call("cupy.sum", []any{x}, map[string]any{"axis": 0, "keepdims": true})
//
// # How to add a row
//
// A row is the documented signature, with the document's defaults, and the Go function that answers to it. It stands in
// the file of its chapter, <chapter>.go; a new chapter is also named in [Rows]. Where the document prints
// no arguments (NumPy's universal functions) the signature is NumPy's.
//
//	{Signature: "nnabla.functions.affine(x, weight, bias=None, base_axis=1)", Func: ops.Affine},
//
// Arguments are bound as follows.
//
//   - The Go function's parameters take the documented arguments in their order, whatever they are called. A variadic
//     parameter (axes ...int, xs ...*nd.Array) takes one argument that is a list, as *xs does.
//   - What remains goes to the fields of the options struct, by name: upper and lower case and underscores do not count
//     (base_axis is BaseAxis), and axis may be Axes.
//   - A parameter of type *nd.Rand stands for no documented argument: it gets the stream of the call.
//   - A first parameter of type *nn.Scope makes it a parametric function: it gets a view of the call's scope, of which the documented
//     arguments name (unless the Go function has a text there) and fix_parameters tell which. Arguments that are initializers take arrays, too.
//   - Arguments without meaning here (cudnn_off, inplace) are named in Ignores, wherever they stand.
//   - An option Device, which no document has, gets the device of the call.
//   - An argument is_train, which no document has, is given by the runner: true where a case's note says mode=train; n_results
//     too: the number of results that a case lists. Layers that remember their steps take updates, which a case adds to the weights
//     after each.
//
// Where names, defaults or meaning differ, Func is a function literal whose parameters are the documented arguments:
//
//	{Signature: "chainer.functions.leaky_relu(x, slope=0.2)", Func: func(x *nd.Array, slope float64) *nd.Array {
//		return ops.LeakyReLU(x, ops.LeakyReLUOptions{Alpha: &slope})
//	}},
//
// Values are converted to the type of the parameter or field:
//
//	document                   Go
//	array                      *nd.Array
//	number, bool               *nd.Array (a weak nd.Scalar), int…, uint…, float…, complex…, bool, *big.Int
//	list of numbers            []int, []float64, [2]int, *nd.Array (an array, as numpy.array makes it), …
//	one number                 a list of one, where a slice is wanted: axis=0 is []int{0}
//	list of arrays, *xs        []*nd.Array; lists of lists [][]*nd.Array
//	dtype                      dtype.DType
//	None                       nil, or the zero value
//	where=True                 nil, where an array is wanted
//	index, slice               []nd.Index, nd.Index
//	text, name of a function   string
//	RandomState                *nd.Rand
//	anything                   any: *nd.Array, []*nd.Array, dtype.DType, []any, Slice, bool, *big.Int, float64, complex128, string
//	what only Go has           itself: bytes, a device, a tape, a kernel, a function
//
// A pointer gets the address of what it points to. A value that the parameter cannot hold refuses the call, as a TypeError
// does, and as the compiler would.
//
// The signature's defaults must be the document's: the runner calls every function with them passed too. Results may be
// *nd.Array, lists of arrays, several of these, and numbers. What a case expects beside arrays (texts, numbers, properties) is
// compared with the Go value: an array's shape, dtype, strides and so on are known; other properties are the fields of a
// struct, or the entries of a map, that an adapter returns. An error among the results counts as a refusal, as an *nd.Error
// panic does.
//
// Flags: NoGrad where no gradient flows (what a case says of gradients must then be zeros, and without the flag a missing
// gradient is no zero); Writes names the arguments that are changed (all others must stay as they are; out is known); Random;
// StraightThrough where the documented gradient is not the derivative; Approximate and Note say what the list of functions
// should tell.
//
// The sweeps hold gradients of both orders to differences at points from 0 to 6 on both sides, off the kinks of most functions:
// multiples of a half, and ties. Domain says where a function has no such points, Fixed which numbers must stay, Unchecked and
// NotDerivative why a gradient cannot be held to differences. All that a row does not except is checked.
//
// A row commits the function to every golden case of that name:
//
//	go run ./testing/conform -golden DIR -only '^nnabla\.functions\.affine$'
//
// A few cases of each function are committed in testing/conformance/testdata, and run with go test, on the CPU and the
// reference device. After adding rows write them anew:
//
//	go run ./testing/conformance/subset -golden DIR
//
// Accuracy tables that no document names are run by a row named accuracy.NAME, such as "accuracy.erf(x)".
//
// A name that has no meaning here is listed in left_out.go instead, with the reason. Then the lists that are made from the
// catalogue are stale; a test says so:
//
//	go run ./testing/conformance/functionsmd
package catalogue
