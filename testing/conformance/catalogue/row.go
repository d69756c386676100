package catalogue

import (
	"slices"
	"strings"
)

// Row maps a documented name to this library: the documented signature, with the document's defaults, and the Go
// function that implements it.
type Row struct {
	// Signature is the name and the arguments as the document writes them: "cupy.sum(a, axis=None, keepdims=False)".
	Signature string
	// Func is a function or method expression of this library, or a function literal if names, defaults or meaning
	// differ.
	Func any

	// NoGrad says that no gradient flows through the function.
	NoGrad bool
	// FloatGradients says that the document gives gradients to integer arrays. Integers become float32 if gradients are
	// needed.
	FloatGradients bool
	// Random says that the results are draws from a stream.
	Random bool
	// Approximate is the formula that the function follows, if it is not exact.
	Approximate string
	// StraightThrough says that the gradient that the document gives is not the derivative.
	StraightThrough bool
	// Domain gives the intervals in which gradients are compared with finite differences, by argument name, or "" for
	// all arguments. Without an entry, all points are used.
	Domain map[string]Interval
	// Fixed lists arguments that keep their values when gradients are compared with differences, such as numeric masks.
	Fixed []string
	// CheckedWith are values of arguments with which the documented gradient is the derivative: with others it is not. An
	// argument of value nil is omitted.
	CheckedWith map[string]any
	// FirstOrder says what the documented gradient treats as constant, so that its own gradient is not the second
	// derivative.
	FirstOrder string
	// Writes lists the arguments that the function changes. The argument out need not be listed.
	Writes []string
	// Ignores lists documented arguments without meaning here, such as cudnn_off or a name for a graph. IgnoredArguments
	// has the reasons.
	Ignores []string
	// Renames are the names of options, by the arguments that the document has for them, where they differ.
	Renames map[string]string
	// Note is shown in the list of functions.
	Note string
}

// Name returns the documented name.
func (row *Row) Name() string {
	name, _, _ := strings.Cut(row.Signature, "(")
	return name
}

// MayWrite reports whether the function may change the argument at a path.
func (row *Row) MayWrite(path string) bool {
	root := rootOf(path)
	return root == "out" || slices.Contains(row.Writes, root)
}

// rootOf returns the argument name of a path such as "ws[1]".
func rootOf(path string) string {
	root, _, _ := strings.Cut(path, "[")
	return root
}

// Interval is the interval between two numbers.
type Interval struct{ From, To float64 }
