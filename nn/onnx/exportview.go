package onnx

import (
	"slices"

	"github.com/ndgrad/ndgrad/internal/traced"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
)

// walk says how a view moves along an axis of its base: from a start, by one step for each of some axes of the view.
type walk struct {
	start int
	axes  []int // of the view
	steps []int
}

// walks finds how a view moves along each axis of its base. ok is false if an axis of the view moves along several axes at
// once, as a diagonal does.
func walks(base []int, v broadcast.View) (all []walk, ok bool) {
	strides := broadcast.Strides(base)
	all = make([]walk, len(base))
	rest := v.Offset
	for a := range base {
		if base[a] > 1 {
			all[a].start = rest / strides[a]
			rest %= strides[a]
		}
	}
	low, high := make([]int, len(base)), make([]int, len(base))
	for a := range all {
		low[a], high[a] = all[a].start, all[a].start
	}
	for k, n := range v.Shape {
		if n == 1 || v.Strides[k] == 0 {
			continue
		}
		found := false
		for a := range base {
			if base[a] == 1 || v.Strides[k]%strides[a] != 0 {
				continue
			}
			step := v.Strides[k] / strides[a]
			from, to := low[a]+min(0, step*(n-1)), high[a]+max(0, step*(n-1))
			if from < 0 || to >= base[a] {
				continue
			}
			low[a], high[a] = from, to
			all[a].axes, all[a].steps = append(all[a].axes, k), append(all[a].steps, step)
			found = true
			break
		}
		if !found {
			return nil, false
		}
	}
	return all, true
}

// view shows some elements of a value.
func (g *exported) view(x string, base []int, v broadcast.View) string {
	all, ok := walks(base, v)
	if !ok || broadcast.Size(v.Shape) == 0 {
		flat := g.node("Reshape", []string{x, g.ints(-1)})
		return g.node("Gather", []string{flat, g.constant(indices(v.Shape, v.Strides, v.Offset))}, intValue("axis", 0))
	}
	var starts, ends, axes, steps []int
	for a, w := range all {
		count, step := 1, 1
		switch len(w.axes) {
		case 0:
			if base[a] == 1 {
				continue
			}
		case 1:
			count, step = v.Shape[w.axes[0]], w.steps[0]
		default:
			continue
		}
		if w.start == 0 && step == 1 && count == base[a] {
			continue
		}
		end := w.start + step*(count-1) + sign(step)
		if end < 0 {
			end = -base[a] - 1
		}
		starts, ends, axes, steps = append(starts, w.start), append(ends, end), append(axes, a), append(steps, step)
	}
	if axes != nil {
		x = g.node("Slice", []string{x, g.ints(starts...), g.ints(ends...), g.ints(axes...), g.ints(steps...)})
	}
	var order, dropped []int // the axes of the view in the order of the base, and the axes of the base without one
	at := 0
	for a, w := range all {
		switch len(w.axes) {
		case 0:
			dropped = append(dropped, a)
			continue
		case 1:
		default: // windows: the axis becomes several
			x = g.node("Gather", []string{x, g.constant(windowIndices(w, v))}, intValue("axis", at+len(dropped)))
		}
		order = append(order, w.axes...)
		at += len(w.axes)
	}
	return g.arranged(x, shiftedAxes(dropped, all), order, v)
}

// shiftedAxes returns the dropped axes of the base as they are counted after axes before them have become several.
func shiftedAxes(dropped []int, all []walk) []int {
	shifted := slices.Clone(dropped)
	for i, d := range dropped {
		for _, w := range all[:d] {
			shifted[i] += max(len(w.axes)-1, 0)
		}
	}
	return shifted
}

// arranged drops axes of length 1 from a value, puts the others into the view's order, and adds the view's other axes.
func (g *exported) arranged(x string, dropped, order []int, v broadcast.View) string {
	if dropped != nil {
		x = g.node("Squeeze", []string{x, g.ints(dropped...)})
	}
	perm := make([]int, len(order))
	for i := range perm {
		perm[i] = i
	}
	slices.SortFunc(perm, func(i, j int) int { return order[i] - order[j] })
	x = g.transpose(x, perm)
	var added []int
	repeated := false
	for k, n := range v.Shape {
		if !slices.Contains(order, k) {
			added = append(added, k)
			repeated = repeated || n > 1
		}
	}
	if added != nil {
		x = g.node("Unsqueeze", []string{x, g.ints(added...)})
	}
	if repeated {
		x = g.node("Expand", []string{x, g.ints(v.Shape...)})
	}
	return x
}

func sign(n int) int {
	if n < 0 {
		return -1
	}
	return 1
}

// windowIndices returns the indices along an axis of the base, in the shape of the view's axes.
func windowIndices(w walk, v broadcast.View) *nd.Array {
	shape := make([]int, len(w.axes))
	for i, k := range w.axes {
		shape[i] = v.Shape[k]
	}
	return indices(shape, w.steps, w.start)
}

// indices returns start + Σ index·step, in a shape.
func indices(shape, steps []int, start int) *nd.Array {
	values := make([]int64, broadcast.Size(shape))
	at := make([]int, len(shape))
	for i := range values {
		sum := start
		for k, j := range at {
			sum += j * steps[k]
		}
		values[i] = int64(sum)
		for k := len(at) - 1; k >= 0; k-- {
			if at[k]++; at[k] < shape[k] {
				break
			}
			at[k] = 0
		}
	}
	return nd.FromSlice(values, append([]int{}, shape...)...)
}

// positions returns the offsets of all elements of an array of that shape.
func positions(shape []int) *nd.Array { return indices(shape, broadcast.Strides(shape), 0) }

// scatterView puts the input into zeros.
func (r *recorded) scatterView(t traced.ScatterView) string {
	zeros := r.node("Expand", []string{r.number(0, r.DType(0)), r.ints(t.Base...)})
	at := r.view(r.constant(positions(t.Base)), t.Base, t.View)
	return r.scattered(zeros, t.Base, at, r.in(0), "none")
}

// scattered combines values with the elements of an array at some positions of its elements.
func (g *exported) scattered(x string, shape []int, at, values, reduction string) string {
	flat := g.node("Reshape", []string{x, g.ints(-1)})
	rows := g.node("Reshape", []string{at, g.ints(-1, 1)})
	y := g.node("ScatterND", []string{flat, rows, g.node("Reshape", []string{values, g.ints(-1)})}, textValue("reduction", reduction))
	return g.node("Reshape", []string{y, g.ints(shape...)})
}
