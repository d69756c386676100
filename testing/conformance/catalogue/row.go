package catalogue

import (
	"slices"
	"strings"
)

// Row says what a documented name is here: the documented signature, with the document's defaults, and the Go function
// that answers to it.
type Row struct {
	// Signature is the name and the arguments as the document writes them: "cupy.sum(a, axis=None, keepdims=False)".
	Signature string
	// Func is a function, or a method expression, of this library; or a function literal where names, defaults or
	// meaning differ.
	Func any

	// NoGrad says that no gradient flows through the function.
	NoGrad bool
	// FloatGradients says that the document gives arrays of integers gradients: they are taken as float32 where these are wanted.
	FloatGradients bool
	// Random says that the results are draws from a stream.
	Random bool
	// Approximate is the formula that the function follows, where that is not the exact one.
	Approximate string
	// StraightThrough says that the gradient that the document gives is not the derivative.
	StraightThrough bool
	// NotDerivative says what the documented gradient takes for constant that is not, so that it is not the derivative.
	NotDerivative string
	// Domain says, by the argument's name, or "" for all, between which numbers gradients are held to differences, where that
	// is not everywhere.
	Domain map[string]Interval
	// Fixed names arguments that gradients are held to differences with as they are, such as masks in numbers.
	Fixed []string
	// Unchecked says why at some points, or at none, a gradient can be held to differences.
	Unchecked string
	// Writes names the arguments that the function changes. The argument out need not be named.
	Writes []string
	// Ignores names documented arguments that mean nothing here, such as cudnn_off or a name for a graph.
	Ignores []string
	// Renames are the names of options, by the arguments that the document has for them, where they differ.
	Renames map[string]string
	// Note says what else a reader of the list of functions should know.
	Note string
}

// MayWrite tells whether the function may change the argument at a path.
func (row *Row) MayWrite(path string) bool {
	root := rootOf(path)
	return root == "out" || slices.Contains(row.Writes, root)
}

// rootOf is the name of the argument that a path such as "ws[1]" leads into.
func rootOf(path string) string {
	root, _, _ := strings.Cut(path, "[")
	return root
}

// Interval are the numbers between two.
type Interval struct{ From, To float64 }
