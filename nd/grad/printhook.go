package grad

import (
	"fmt"
	"io"
	"strings"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// PrintHook returns the hook that writes to w what every function is given, before it computes: a line for the function, and one for
// each array with its dtype, shape, device, and its numbers where these are few, else their mean and standard deviation. On the way
// back "grad of" goes before the function's name, and the arrays are the gradients of its results. What w returns as an error is
// ignored. chainer.function_hooks.PrintHook.
//
//	tape.Hook = grad.PrintHook(os.Stderr)
func PrintHook(w io.Writer) Hook {
	return Hook{
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

// fewElements are as many as Describe writes one by one.
const fewElements = 8

// Describe returns a line about an array: its dtype, shape and device, and its numbers where these are few, else their mean and standard
// deviation. chainer.Variable.debug_print.
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
