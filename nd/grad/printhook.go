package grad

import (
	"fmt"
	"io"
	"strings"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// PrintHook returns a hook that writes the arguments of every function to w before the function computes: a line for
// the function, and a line for each array with its dtype, shape, device, and its numbers if they are few, else their
// mean and standard deviation. In the backward pass the function's name follows "grad of", and the arrays are the
// gradients of its results. Errors of w are ignored. The name of the hook is "PrintHook".
//
//	tape.Hook = grad.PrintHook(os.Stderr)
//
// Chainer: function_hooks.PrintHook.
func PrintHook(w io.Writer) Hook {
	return Hook{
		Name:   "PrintHook",
		OnCall: func(fn nd.Func, in []*nd.Array) { io.WriteString(w, described(string(fn), in)) },
		OnBack: func(n *nd.Node, gy []*nd.Array) { io.WriteString(w, described("grad of "+string(n.Func), gy)) },
	}
}

func described(what string, xs []*nd.Array) string {
	var b strings.Builder
	b.WriteString(what + "\n")
	for _, x := range xs {
		b.WriteString("  " + Describe(x) + "\n")
	}
	return b.String()
}

// fewElements is the largest number of elements that Describe writes one by one.
const fewElements = 8

// Describe returns a line about an array: its dtype, shape and device, and its numbers if they are few, else their mean
// and standard deviation.
// Chainer: Variable.debug_print.
func Describe(x *nd.Array) string {
	switch {
	case x == nil:
		return "nil"
	case x.IsScalar():
		return x.String()
	}
	x = x.Detach()
	defer x.Release()
	head := x.DType().String() + broadcast.FormatShape(x.Shape()) + " on " + x.Device().Name()
	if x.Size() <= fewElements {
		flat := x.Ravel()
		defer flat.Release()
		return head + ": " + strings.Join(strings.Fields(flat.String()), " ")
	}
	mean, std := ops.Mean(x), ops.Std(x)
	defer mean.Release()
	defer std.Release()
	return head + fmt.Sprintf(": mean %v, std %v", mean, std)
}
