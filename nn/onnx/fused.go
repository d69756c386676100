package onnx

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// plan is how a term is computed for operands of some shapes. Most calls have the shapes of the call before.
type plan struct {
	shapes [][]int
	shape  []int // of the result
	whole  *fused
}

// fused is a term that one kernel computes.
type fused struct {
	term   *term
	kernel *ops.Kernel // nil if the formula does not compile
	args   []fusedArgument
}

// fusedArgument is an argument of a kernel: an operand, or a part of the term with a kernel of its own.
type fusedArgument struct {
	operand  int
	part     *fused
	channels int // the rank of the array whose channels the argument, a vector, belongs to; otherwise 0
}

// plan plans a term: one kernel, but kernels of their own for parts of much smaller shapes.
func (j *joint) plan(c *call, values []*nd.Array) *plan {
	p := &plan{shapes: make([][]int, len(values))}
	shapes, index := map[*term][]int{}, map[*term]int{}
	for i, x := range values {
		p.shapes[i], index[j.operands[i]] = slices.Clone(x.Shape()), i
	}
	var shapeOf func(t *term) []int
	shapeOf = func(t *term) []int {
		if i, ok := index[t]; ok {
			return p.shapes[i]
		}
		if t.node == nil {
			return nil
		}
		all := make([][]int, len(t.args))
		for i, a := range t.args {
			all[i] = shapeOf(a)
			if t.node.OpType == scaleAndShift && i > 0 && len(all[i]) == 1 {
				all[i] = channelShape(all[i][0], len(all[0]))
			}
		}
		shape, err := broadcast.Shapes(all...)
		if err != nil {
			c.refuse("%v", err)
		}
		shapes[t] = shape
		return shape
	}
	p.shape = shapeOf(j.root)
	var fuse func(top *term) *fused
	fuse = func(top *term) *fused {
		f := &fused{term: top}
		var text strings.Builder
		count := 0
		var write func(t *term) string
		write = func(t *term) string {
			operand, isOperand := index[t]
			switch {
			case t.number != "":
				return t.number
			case isOperand:
				f.args = append(f.args, fusedArgument{operand: operand})
				return fmt.Sprintf("x%d", len(f.args)-1)
			case t != top && 2*broadcast.Size(shapes[t]) <= broadcast.Size(shapes[top]):
				f.args = append(f.args, fusedArgument{part: fuse(t)})
				return fmt.Sprintf("x%d", len(f.args)-1)
			}
			names := make([]string, len(t.args))
			for i, a := range t.args {
				names[i] = write(a)
				if t.node.OpType == scaleAndShift && i > 0 && a.number == "" {
					f.args[len(f.args)-1].channels = len(shapes[t])
				}
			}
			count++
			fmt.Fprintf(&text, "t%d = %s; ", count, t.formula(names))
			return fmt.Sprintf("t%d", count)
		}
		last := write(top)
		f.kernel = j.kernel(text.String()+"z = "+last, len(f.args))
		return f
	}
	p.whole = fuse(j.root)
	return p
}

// compute computes a term as it is planned, into an array unless that is nil.
func (j *joint) compute(c *call, f *fused, values []*nd.Array, into *nd.Array) *nd.Array {
	if f.kernel == nil {
		return j.step(c, f.term).(*nd.Array)
	}
	args := make([]*nd.Array, len(f.args))
	for i, a := range f.args {
		if a.part != nil {
			args[i] = j.compute(c, a.part, values, nil)
		} else {
			args[i] = values[a.operand]
		}
		if a.channels > 0 {
			args[i] = perChannel(args[i], a.channels)
		}
	}
	if into != nil {
		f.kernel.CallInto([]*nd.Array{into}, args...)
		return into
	}
	return f.kernel.Call(args...)
}
