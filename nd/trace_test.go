package nd_test

import (
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/random"
)

func TestTraceFollowsValues(t *testing.T) {
	x, other := nd.FromSlice([]float32{3, 1, 2}), nd.FromSlice([]float32{1, 2, 3})
	trace := nd.NewTrace()
	if second := nd.NewTrace(); second != nil {
		t.Error("two traces run at once")
	}
	trace.Mark(x)
	for name, c := range map[string]struct {
		y    *nd.Array
		want bool
	}{
		"view":        {x.Index(nd.From(1)), true},
		"small sum":   {ops.Add(x, other), true},
		"indices":     {ops.ArgSort(x), true},
		"gathered":    {ops.Take(other, ops.ArgSort(x)), true},
		"cast":        {x.AsType(dtype.Int32), true},
		"draw":        {random.Uniform(nd.NewRand(1), 0, 1, []int{2}), true},
		"constant":    {ops.Exp(other), false},
		"new array":   {nd.Ones([]int{3}), false},
		"fixed order": {ops.ArgSort(other), false},
	} {
		if by, marked := trace.Marked(c.y); marked != c.want || marked && by == "" && name != "view" {
			t.Errorf("%s: marked is %t, by %q", name, marked, by)
		}
	}
	if reader, _ := trace.Read(); reader != "" {
		t.Errorf("%s has read a value", reader)
	}
	_ = other.Float(0)
	_ = ops.Max(x).Float()
	if reader, by := trace.Read(); reader != "Array.Float" || by != "ops.Max" {
		t.Errorf("the reader is %q, of %q", reader, by)
	}
	trace.End()
	after := nd.NewTrace()
	defer after.End()
	if _, marked := after.Marked(x); marked {
		t.Error("a mark of another trace counts")
	}
}

func TestTapeThatLinksAll(t *testing.T) {
	tape := grad.NewTape()
	tape.Links = true
	defer tape.Release()
	x, labels := tape.Watch(nd.FromSlice([]float32{3, 1, 2})), tape.Watch(nd.FromSlice([]int64{0, 2}))
	for name, y := range map[string]*nd.Array{
		"comparison": ops.Greater(x, 1), "argmax": ops.ArgMax(x), "cast": x.AsType(dtype.Int32), "detached": x.Detach(),
		"any": ops.Any(ops.Greater(x, 2)), "argsort": ops.ArgSort(x), "integers": ops.Add(labels, 1),
		"taken": ops.Take(nd.Ones([]int{3}), labels), "joined": ops.Concatenate([]*nd.Array{labels, labels}),
	} {
		if n, _ := y.Node(); n == nil || !y.Links() {
			t.Errorf("%s: not linked", name)
		}
	}
	plain := grad.NewTape()
	defer plain.Release()
	z := plain.Watch(nd.Ones([]int{3}))
	for name, y := range map[string]*nd.Array{"argmax": ops.ArgMax(z), "comparison": ops.Greater(z, 1), "detached": z.Detach()} {
		if n, _ := y.Node(); n != nil || y.Links() {
			t.Errorf("%s: linked on a plain tape", name)
		}
	}
}
