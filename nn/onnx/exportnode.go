package onnx

import (
	"slices"
	"strings"

	"github.com/ndgrad/ndgrad/internal/traced"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
)

// recorded is a recorded operation that is being translated.
type recorded struct {
	*exported
	*nd.Node
	k int // the wanted result
}

// value returns the name of a result of a recorded operation. It translates the operation at the first request.
func (g *exported) value(n *nd.Node, k int) string {
	if name, ok := g.values[source{n, k}]; ok {
		return name
	}
	if n.Op == nil { // a watched array: a parameter, or a result that was cut off
		if g.scope.Param(n.Name) == nil {
			g.refuse(n.Func, "an array without a name is watched")
			return ""
		}
		name := g.parameter(n.Name)
		g.values[source{n, k}] = name
		return name
	}
	for i := range n.Inputs() { // first, so that their nodes have their own prefixes and no deep recursion returns here
		if from, j := n.Input(i); from != nil {
			g.value(from, j)
		}
	}
	outer := g.prefix
	g.prefix = prefixOf(n)
	defer func() { g.prefix = outer }()
	r := &recorded{g, n, k}
	name := r.translated()
	g.values[source{n, k}] = name
	if name != "" && !g.fixed[name] && g.types[name] == dtype.Unspecified {
		g.define(name, n.OutDType(k), n.OutShape(k))
	}
	return name
}

// prefixOf returns the names of the spans of an operation.
func prefixOf(n *nd.Node) string {
	tape, ok := n.Tape.(*grad.Tape)
	if !ok {
		return ""
	}
	var b strings.Builder
	for _, s := range tape.Spans(n) {
		b.WriteString(s.Name + "/")
	}
	return b.String()
}

// translated adds the nodes for a recorded operation, and returns the name of the wanted result.
func (r *recorded) translated() string {
	op, ok := r.Op.(interface{ Traced() any })
	if !ok {
		return r.composed()
	}
	switch t := op.Traced().(type) {
	case traced.Identity:
		return r.in(0)
	case traced.Cast:
		return r.cast(r.in(0), r.DType(0), r.OutDType(r.k))
	case traced.Reshape:
		return r.reshape(r.in(0), r.OutShape(r.k))
	case traced.Broadcast:
		return r.node("Expand", []string{r.in(0), r.ints(r.OutShape(r.k)...)})
	case traced.Transpose:
		return r.transpose(r.in(0), t.Perm)
	case traced.View:
		return r.view(r.in(0), t.Base, t.View)
	case traced.ScatterView:
		return r.scatterView(t)
	case traced.Split:
		return r.part(t)
	case traced.Concat:
		return r.concat(t)
	case traced.SumTo:
		return r.sumTo()
	case traced.Gather:
		return r.gather(r.in(0), r.Shape(0), r.OutShape(r.k), t, r.indices(1))
	case traced.Scatter:
		return r.scatter(t)
	case traced.Assign:
		return r.assign(t)
	case traced.MaskEqual:
		return r.node("Where", []string{r.node("Equal", []string{r.in(1), r.in(2)}), r.in(0), r.number(0, r.DType(0))})
	case traced.Sort:
		return r.sort(t)
	case traced.Program:
		return r.program(t)
	case traced.Reduction:
		return r.reduction(t)
	case traced.ArgReduction:
		return r.argReduction(t)
	case traced.Deviation:
		return r.deviation(t)
	case traced.Scan:
		return r.scan(t)
	case traced.MatMul:
		return r.matMul()
	case traced.ProductSum:
		return r.productSum(t)
	case traced.Softmax:
		if t.Log {
			return r.node("LogSoftmax", []string{r.in(0)}, intValue("axis", t.Axis))
		}
		return r.node("Softmax", []string{r.in(0)}, intValue("axis", t.Axis))
	case traced.Attention:
		return r.attention(t)
	case traced.Normalize:
		return r.normalize(t)
	case traced.Convolve:
		return r.convolve(t)
	case traced.Pool:
		return r.pool(t)
	}
	return r.unknown()
}

// unknown refuses an operation without a translation.
func (r *recorded) unknown() string {
	r.refuse(r.Func, "the operation has no translation")
	return ""
}

// composed translates the definition of an operation by others: its method Composed, or Definition if only translators use it.
func (r *recorded) composed() string {
	c := &nd.Call{}
	c.Begin(r.Node, make([]*nd.Array, r.Outputs()), make([]bool, r.Inputs()), true)
	var out []*nd.Array
	ok := false
	compute := func() { _, out, ok = c.Composed() }
	if op, defined := r.Op.(interface {
		Definition(in []*nd.Array) []*nd.Array
	}); defined {
		compute = func() {
			in := make([]*nd.Array, r.Inputs())
			for i := range in {
				in[i] = c.In(i)
			}
			out, ok = op.Definition(in), true
		}
	}
	if err := nd.Catch(compute); err != nil {
		r.refuse(r.Func, "its definition by other operations fails: %v", err)
		return ""
	}
	if !ok {
		return r.unknown()
	}
	if reader, by := r.trace.Read(); reader != "" {
		r.refuse(r.Func, "%s reads values on the host that %s", reader, origin(by))
		return ""
	}
	for k, y := range out {
		if y != nil && k != r.k && r.values[source{r.Node, k}] == "" {
			if n, j := y.Node(); n != nil {
				r.values[source{r.Node, k}] = r.value(n, j)
			}
		}
	}
	y := out[r.k]
	if y == nil {
		return r.unknown()
	}
	if n, j := y.Node(); n != nil {
		return r.value(n, j)
	}
	return r.constantOf(y, r.Func)
}

// in returns the name of an input.
func (r *recorded) in(i int) string {
	if n, k := r.Input(i); n != nil {
		return r.value(n, k)
	}
	if !r.DType(i).Valid() {
		return ""
	}
	c := &nd.Call{}
	c.Begin(r.Node, nil, nil, false)
	var x *nd.Array
	if err := nd.Catch(func() { x = c.In(i) }); err != nil {
		r.refuse(r.Func, "%v", err)
		return ""
	}
	return r.constantOf(x, r.Func)
}

// cast converts a value.
func (g *exported) cast(x string, from, to dtype.DType) string {
	if from == to {
		return x
	}
	return g.node("Cast", []string{x}, intValue("to", int(ElementTypeOf(to))))
}

// inAs returns an input converted to a dtype.
func (r *recorded) inAs(i int, t dtype.DType) string { return r.cast(r.in(i), r.DType(i), t) }

// reshape returns the elements of a value in another shape. Of two reshapes in a row the first is left out.
func (g *exported) reshape(x string, shape []int) string {
	if before, ok := g.reshaped[x]; ok {
		x = before
	}
	if known, ok := g.shapes[x]; ok && slices.Equal(known, shape) {
		return x
	}
	var attributes []*attributeMessage
	if slices.Contains(shape, 0) {
		attributes = append(attributes, intValue("allowzero", 1))
	}
	y := g.node("Reshape", []string{x, g.ints(shape...)}, attributes...)
	if _, ok := g.shapes[x]; ok {
		g.reshaped[y] = x
	}
	return y
}

func (g *exported) transpose(x string, perm []int) string {
	if slices.IsSorted(perm) {
		return x
	}
	return g.node("Transpose", []string{x}, intsValue("perm", perm...))
}

// part returns a part of a split array.
func (r *recorded) part(t traced.Split) string {
	from := 0
	for k := range r.k {
		from += r.length(t, k)
	}
	if t.Drop {
		return r.node("Gather", []string{r.in(0), r.number(float64(from), dtype.Int64)}, intValue("axis", t.Axis))
	}
	return r.node("Slice", []string{r.in(0), r.ints(from), r.ints(from + r.length(t, r.k)), r.ints(t.Axis)})
}

func (r *recorded) length(t traced.Split, k int) int {
	if t.Drop {
		return 1
	}
	return r.OutShape(k)[t.Axis]
}

func (r *recorded) concat(t traced.Concat) string {
	in := make([]string, r.Inputs())
	for i := range in {
		in[i] = r.inAs(i, r.OutDType(0))
	}
	return r.node("Concat", in, intValue("axis", t.Axis))
}

func (r *recorded) sumTo() string {
	from, to := r.Shape(0), r.OutShape(0)
	y := r.node("ReduceSum", []string{r.in(0), r.ints(broadcast.SumAxes(from, to)...)}, intValue("keepdims", 1))
	return r.reshape(y, to)
}

func (r *recorded) matMul() string {
	t := r.OutDType(0)
	y := r.node("MatMul", []string{r.inAs(0, t), r.inAs(1, t)})
	if r.Inputs() > 2 {
		r.define(y, t, r.OutShape(0))
		y = r.node("Add", []string{y, r.inAs(2, t)})
	}
	return y
}

func (r *recorded) productSum(t traced.ProductSum) string {
	y := r.in(0)
	for i := 1; i < r.Inputs(); i++ {
		y = r.node("Mul", []string{y, r.in(i)})
	}
	if broadcast.Size(t.Shape) != broadcast.Size(r.Shape(0)) && r.Inputs() == 1 {
		y = r.node("Expand", []string{y, r.ints(t.Shape...)})
	}
	return r.node("ReduceSum", []string{y, r.ints(t.Axes...)}, intValue("keepdims", 0))
}

// sort returns the elements in order, or their indices.
func (r *recorded) sort(t traced.Sort) string {
	n := r.Shape(0)[t.Axis]
	if t.Keep > 0 {
		n = t.Keep
	}
	largest := 0
	if t.Descending {
		largest = 1
	}
	out := r.nodes("TopK", []string{r.in(0), r.ints(n)}, 2, intValue("axis", t.Axis), intValue("largest", largest), intValue("sorted", 1))
	for k, name := range out {
		if k < r.Outputs() && r.OutDType(k).Valid() {
			r.values[source{r.Node, k}] = name
			r.define(name, r.OutDType(k), r.OutShape(k))
		}
	}
	return out[r.k]
}
