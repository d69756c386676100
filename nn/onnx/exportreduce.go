package onnx

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/internal/traced"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// reduction combines the values of a program along axes.
func (r *recorded) reduction(t traced.Reduction) string {
	x := r.outputOf(t.Map, nil, []string{r.inAs(0, t.Map.Inputs[0].Type)}, 0)
	kind := t.Map.Outputs[0].Type
	shape := broadcast.ReduceShape(r.Shape(0), t.Axes, true)
	combine := t.Combine
	if t.Squares {
		x, combine = r.node("Mul", []string{x, x}), device.CombineSum
	}
	y := x
	if len(t.Axes) > 0 {
		y = r.combined(combine, x, kind, t.Axes)
	}
	if t.After != nil {
		in := []string{y}
		for _, p := range t.After.Inputs[1:] {
			in = append(in, r.number(1, p.Type))
		}
		count := broadcast.Size(r.Shape(0)) / max(broadcast.Size(shape), 1)
		y = r.outputOf(t.After, []string{r.number(float64(count), t.After.Scalars[0].Type)}, in, 0)
		kind = t.After.Outputs[0].Type
	}
	return r.reshapeFrom(r.cast(y, kind, r.OutDType(0)), shape, r.OutShape(0))
}

// reshapeFrom is reshape of a value whose shape is not noted.
func (g *exported) reshapeFrom(x string, from, to []int) string {
	if broadcast.Equal(from, to) {
		return x
	}
	return g.reshape(x, to)
}

// combined combines along axes, which stay with length 1.
func (r *recorded) combined(combine device.Combine, x string, t dtype.DType, axes []int) string {
	keep := intValue("keepdims", 1)
	if t.IsBool() {
		op := "ReduceMax"
		if combine == device.CombineAll || combine == device.CombineProd || combine == device.CombineMin {
			op = "ReduceMin"
		}
		return r.cast(r.node(op, []string{r.cast(x, t, dtype.Int32)}, intsValue("axes", axes...), keep), dtype.Int32, dtype.Bool)
	}
	switch combine {
	case device.CombineSum:
		return r.node("ReduceSum", []string{x, r.ints(axes...)}, keep)
	case device.CombineProd:
		return r.node("ReduceProd", []string{x}, intsValue("axes", axes...), keep)
	case device.CombineMax:
		return r.node("ReduceMax", []string{x}, intsValue("axes", axes...), keep)
	case device.CombineMin:
		return r.node("ReduceMin", []string{x}, intsValue("axes", axes...), keep)
	case device.CombineFMax, device.CombineFMin, device.CombineAll, device.CombineAny, device.CombineAssign:
	}
	return r.unknown()
}

func (r *recorded) argReduction(t traced.ArgReduction) string {
	op := "ArgMax"
	if t.Combine == device.CombineMin {
		op = "ArgMin"
	}
	return r.node(op, []string{r.in(0)}, intValue("axis", 1), intValue("keepdims", 0))
}

func (r *recorded) deviation(t traced.Deviation) string {
	x, kind := r.in(0), r.DType(0)
	if kind.IsComplex() {
		return r.unknown()
	}
	wide := dtype.ComputeType(kind)
	if !wide.IsFloat() {
		wide = r.OutDType(0)
	}
	x = r.cast(x, kind, wide)
	var mean string
	if r.Inputs() > 1 {
		mean = r.inAs(1, wide)
	} else {
		mean = r.mean(x, t.Axes)
	}
	d := r.node("Sub", []string{x, mean})
	sum := r.node("ReduceSum", []string{r.node("Mul", []string{d, d}), r.ints(t.Axes...)}, intValue("keepdims", 1))
	y := r.node("Div", []string{sum, r.number(t.N, wide)})
	if t.Root {
		y = r.node("Sqrt", []string{y})
	}
	return r.reshapeFrom(r.cast(y, wide, r.OutDType(0)), broadcast.ReduceShape(r.Shape(0), t.Axes, true), r.OutShape(0))
}

// mean returns the mean over axes, which stay.
func (r *recorded) mean(x string, axes []int) string {
	return r.node("ReduceMean", []string{x}, intsValue("axes", axes...), intValue("keepdims", 1))
}

func (r *recorded) scan(t traced.Scan) string {
	if t.Combine != device.CombineSum {
		return r.unknown()
	}
	exclusive, reverse := 0, 0
	if t.Exclusive {
		exclusive = 1
	}
	if t.Reverse {
		reverse = 1
	}
	return r.node("CumSum", []string{r.inAs(0, r.OutDType(0)), r.number(float64(t.Axis), dtype.Int64)},
		intValue("exclusive", exclusive), intValue("reverse", reverse))
}

// normalize is (x - mean)/√(variance + eps)·gamma + beta.
func (r *recorded) normalize(t traced.Normalize) string {
	kind := r.OutDType(0)
	wide := dtype.ComputeType(kind)
	x := r.inAs(0, wide)
	mean := r.mean(x, t.Over)
	d := r.node("Sub", []string{x, mean})
	variance := r.mean(r.node("Mul", []string{d, d}), t.Over)
	root := r.node("Sqrt", []string{r.node("Add", []string{variance, r.number(t.Eps, wide)})})
	y := r.node("Div", []string{d, root})
	if r.DType(1).Valid() {
		y = r.node("Mul", []string{y, r.inAs(1, wide)})
	}
	if r.DType(2).Valid() {
		y = r.node("Add", []string{y, r.inAs(2, wide)})
	}
	out := []string{y, mean, variance}
	for k := range out {
		out[k] = r.cast(out[k], wide, kind)
		r.values[source{r.Node, k}] = out[k]
		r.define(out[k], kind, r.OutShape(k))
	}
	return out[r.k]
}

// attention is softmax(scale·q·kᵀ + mask)·v. A query that sees no key has weights of 0.
func (r *recorded) attention(t traced.Attention) string {
	kind := r.OutDType(0)
	if !kind.Valid() {
		kind = r.OutDType(1)
	}
	q, rank := r.inAs(0, kind), len(r.Shape(0))
	perm := broadcast.AllAxes(rank)
	perm[rank-2], perm[rank-1] = rank-1, rank-2
	scaled := r.node("Mul", []string{q, r.number(t.Scale, kind)})
	scores := r.node("MatMul", []string{scaled, r.transpose(r.inAs(1, kind), perm)})
	masked := r.Inputs() > 3 && r.DType(3).Valid()
	if masked {
		scores = r.node("Add", []string{scores, r.inAs(3, kind)})
	}
	if t.Causal {
		scores = r.node("Where", []string{r.constant(triangle(r.Shape(0)[rank-2], r.Shape(1)[rank-2])), scores, r.number(minusInfinity, kind)})
	}
	if !masked {
		return r.weighted(r.node("Softmax", []string{scores}, intValue("axis", rank-1)), kind)
	}
	most := r.node("ReduceMax", []string{scores}, intsValue("axes", rank-1), intValue("keepdims", 1))
	none := r.node("Equal", []string{most, r.number(minusInfinity, kind)})
	scores = r.node("Where", []string{none, r.number(0, kind), scores})
	weights := r.node("Softmax", []string{scores}, intValue("axis", rank-1))
	return r.weighted(r.node("Where", []string{none, r.number(0, kind), weights}), kind)
}

// weighted defines the results of attention.
func (r *recorded) weighted(weights string, kind dtype.DType) string {
	out := []string{r.node("MatMul", []string{weights, r.inAs(2, kind)}), weights}
	for k, name := range out {
		r.values[source{r.Node, k}] = name
		if r.OutDType(k).Valid() {
			r.define(name, kind, r.OutShape(k))
		}
	}
	return out[r.k]
}
