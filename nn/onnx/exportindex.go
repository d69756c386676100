package onnx

import (
	"slices"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/internal/traced"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// indexArray is an array of indices: its name and shape.
type indexArray struct {
	name  string
	shape []int
}

// indices returns the inputs from one on, which are indices.
func (r *recorded) indices(from int) []indexArray {
	var all []indexArray
	for i := from; i < r.Inputs(); i++ {
		all = append(all, indexArray{r.inAs(i, dtype.Int64), r.Shape(i)})
	}
	return all
}

// gather picks elements of x, of a shape, by indices: by Gather for one axis, and by GatherND for several. result is the
// shape of what it returns.
func (r *recorded) gather(x string, shape, result []int, t traced.Gather, at []indexArray) string {
	if t.Bounds == device.BoundsDrop {
		return r.dropped(x, shape, result, t, at)
	}
	at = slices.Clone(at)
	for j := range at {
		if at[j].name = r.bounded(at[j].name, shape[t.Axes[j]], t.Bounds); at[j].name == "" {
			return r.unknown()
		}
	}
	kept := []int{} // the axes of x that stay
	for a := range shape {
		if !slices.Contains(t.Axes, a) {
			kept = append(kept, a)
		}
	}
	if len(t.Axes) == 1 && slices.Equal(at[0].shape, t.Index) {
		a := t.Axes[0]
		return r.moved(r.node("Gather", []string{x, at[0].name}, intValue("axis", a)), a, len(t.Index), t.At, len(result))
	}
	parts := make([]string, len(at))
	for j, ix := range at {
		name := ix.name
		if !slices.Equal(ix.shape, t.Index) {
			name = r.node("Expand", []string{name, r.ints(t.Index...)})
		}
		parts[j] = r.node("Unsqueeze", []string{name, r.ints(len(t.Index))})
	}
	rows := parts[0]
	if len(parts) > 1 {
		rows = r.node("Concat", parts, intValue("axis", len(t.Index)))
	}
	y := r.node("GatherND", []string{r.transpose(x, slices.Concat(t.Axes, kept)), rows})
	return r.moved(y, 0, len(t.Index), t.At, len(result))
}

// dropped is gather with 0 for indices that are out of range.
func (r *recorded) dropped(x string, shape, result []int, t traced.Gather, at []indexArray) string {
	var inside string
	for j, ix := range at {
		n := r.number(float64(shape[t.Axes[j]]), dtype.Int64)
		ok := r.node("And", []string{r.node("Less", []string{ix.name, n}), r.node("GreaterOrEqual", []string{ix.name, r.number(0, dtype.Int64)})})
		if j > 0 {
			ok = r.node("And", []string{inside, ok})
		}
		inside = ok
	}
	rank := 0
	for _, ix := range at {
		rank = max(rank, len(ix.shape))
	}
	if behind := len(result) - t.At - len(t.Index); behind > 0 { // axes after those of the indices
		var axes []int
		for k := range behind {
			axes = append(axes, rank+k)
		}
		inside = r.node("Unsqueeze", []string{inside, r.ints(axes...)})
	}
	t.Bounds = device.BoundsClip
	return r.node("Where", []string{inside, r.gather(x, shape, result, t, at), r.number(0, r.OutDType(r.k))})
}

// moved moves n neighbouring axes, which begin at an axis, to another one.
func (g *exported) moved(x string, from, n, to, rank int) string {
	if from == to || n == 0 {
		return x
	}
	var others, group []int
	for a := range rank {
		if a >= from && a < from+n {
			group = append(group, a)
		} else {
			others = append(others, a)
		}
	}
	return g.transpose(x, slices.Insert(others, to, group...))
}

// bounded returns indices that are in range, or "" if this takes more than indices.
func (g *exported) bounded(ix string, n int, bounds device.Bounds) string {
	switch bounds {
	case device.BoundsRaise, device.BoundsExact:
		return ix
	case device.BoundsWrap:
		return g.node("Mod", []string{ix, g.number(float64(n), dtype.Int64)})
	case device.BoundsClip:
		return g.node("Max", []string{g.node("Min", []string{ix, g.number(float64(n-1), dtype.Int64)}), g.number(0, dtype.Int64)})
	case device.BoundsDrop:
	}
	return ""
}

// reductions17 are ScatterND's ways to combine.
var reductions17 = map[device.Combine]string{device.CombineAssign: "none", device.CombineSum: "add", device.CombineProd: "mul"}

func (r *recorded) scatter(t traced.Scatter) string {
	base := r.Shape(0)
	whole := traced.Assign{Base: base, View: broadcast.NewView(base), Gather: &t.Gather, Combine: t.Combine}
	return r.assign(whole)
}

// assign combines a value with elements of the first input. It finds the positions of these elements by the same view and the
// same indices, from the positions of all.
func (r *recorded) assign(t traced.Assign) string {
	reduction, ok := reductions17[t.Combine]
	if !ok || r.DType(0).IsBool() && reduction != "none" {
		return r.unknown()
	}
	at := r.view(r.constant(positions(t.Base)), t.Base, t.View)
	shape := t.View.Shape
	if t.Gather != nil {
		shape = gathered(shape, *t.Gather)
		if at = r.gather(at, t.View.Shape, shape, *t.Gather, r.indices(2)); at == "" {
			return ""
		}
	}
	value := r.inAs(1, r.DType(0))
	if !slices.Equal(r.Shape(1), shape) {
		value = r.node("Expand", []string{value, r.ints(shape...)})
	}
	return r.scattered(r.in(0), r.OutShape(0), at, value, reduction)
}

// gathered returns the shape that a gather gives.
func gathered(shape []int, t traced.Gather) []int {
	var kept []int
	for a, n := range shape {
		if !slices.Contains(t.Axes, a) {
			kept = append(kept, n)
		}
	}
	return slices.Insert(kept, t.At, t.Index...)
}
