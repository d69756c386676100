// Package catalogue maps each documented name of the four systems, and further names of NumPy and torch, to this library:
// it has one [Row] per name, the names that are left out with the reasons, the binding of documented arguments to the
// functions of the rows, and [Call], which calls a row by its name. Call is enough to run another project's tests:
//
//	r, err := catalogue.Call("cupy.sum", []any{x}, map[string]any{"axis": 0, "keepdims": true})
//
// # How to add a row
//
// A row is the documented signature, with the document's defaults, and the Go function that implements it. It is in
// the file of its chapter, <chapter>.go; add a new chapter to [Rows], too. If the document prints
// no arguments (NumPy's universal functions), use NumPy's signature.
//
//	{Signature: "nnabla.functions.affine(x, weight, bias=None, base_axis=1)", Func: ops.Affine},
//
// Arguments are bound as follows.
//
//   - The parameters of the Go function take the documented arguments in order, whatever their names. A variadic
//     parameter (axes ...int, xs ...*nd.Array) takes one argument that is a list, as *xs does.
//   - The other arguments go to the fields of the options struct by name, ignoring case and underscores
//     (base_axis is BaseAxis); axis may be Axes.
//   - A parameter of type *nd.Rand has no documented argument: it gets the stream of the call.
//   - A function whose first parameter has type *nn.Scope is parametric: it gets a view of the call's scope. The documented
//     arguments name (unless the Go function takes a string there) and fix_parameters select the view. Initializers may be arrays.
//   - Arguments without meaning here (cudnn_off, inplace) are listed in Ignores, at any position. ignored.go has the reasons.
//   - Arguments that are neither parameters in order nor options of their name are in otherforms.go, which says what they are.
//     A test reports an argument that the list of functions does not say.
//   - An option Device, which no document has, gets the device of the call.
//   - The runner passes the argument is_train, which no document has: true if a case's note says mode=train. It also passes
//     n_results, the number of results that a case lists. Layers with a state take updates, which a case adds to the weights
//     after each step.
//
// If names, defaults or meaning differ, Func is a function literal whose parameters are the documented arguments:
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
// multiples of a half, and ties. Domain says where a function has no such points, Fixed which numbers must stay, CheckedWith
// which arguments make the documented gradient the derivative, and FirstOrder why the second derivative differs. All that a
// row does not except is checked; a case whose recorded result is not finite proves nothing, and another one must.
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
// catalogue are stale; a test says so. They have the expressions that package gonames finds in the rows; for a row that does
// more than these say, writtentable.go of gonames has the expressions.
//
//	go run ./testing/conformance/functionsmd
package catalogue
