package loss

import (
	"fmt"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/argument"
)

// indicesOf returns labels as indices of classes: an ignored label, where counts is false, as 0, and any other negative
// one as beyond the last class, because Take and TakeAlongAxis count negative indices from the end. A nil counts ignores
// no label.
func indicesOf(t, counts *nd.Array, classes int) *nd.Array {
	t = t.AsType(dtype.Int64)
	at := ops.Where(ops.Less(t, 0), classes, t)
	if counts != nil {
		at = ops.Where(counts, at, 0)
	}
	return at
}

// labelled says that the argument of that name holds labels of classes, or ignored ones.
func labelled(name string, t *nd.Array, classes int, ignored ...int) argument.Bounds {
	want := fmt.Sprintf("one of the classes 0 to %d", classes-1)
	if classes == 0 {
		want = "no label, as there are no classes"
	}
	for _, label := range ignored {
		want += fmt.Sprintf(", or %d to ignore it", label)
	}
	return argument.Bounds{Name: name, Values: t, High: classes - 1, Ignored: ignored, Want: want}
}

// bounds says what the labels of a target t may be, for classes along an axis of x.
func (o CrossEntropyOptions) bounds(fn nd.Func, x, t *nd.Array) []argument.Bounds {
	axis := fn.Axis(x, o.Axis, min(1, x.Rank()-1))
	return []argument.Bounds{labelled("t", t, x.Dim(axis), argument.ValueOr(o.Ignore, -1))}
}
