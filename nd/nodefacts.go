package nd

import (
	"slices"
	"strings"

	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Shape returns the shape of input i, or nil for a nil operand.
func (n *Node) Shape(i int) []int { return slices.Clone(n.in[i].shape) }

// DType returns the dtype of input i, or dtype.Unspecified for a nil operand.
func (n *Node) DType(i int) dtype.DType { return n.in[i].dtype }

// OutShape returns the shape of result i, or nil for a nil result.
func (n *Node) OutShape(i int) []int { return slices.Clone(n.out[i].shape) }

// OutDType returns the dtype of result i, or dtype.Unspecified for a nil result.
func (n *Node) OutDType(i int) dtype.DType { return n.out[i].dtype }

// Source identifies an unrecorded input, for which Input returns nil. Inputs with the same BlockNumber and the same
// offset, in elements, are the same array or views of it. Both are 0 for a nil operand, a Scalar and a recorded array.
func (n *Node) Source(i int) (block uint32, offset int) {
	if n.in[i].number == 0 {
		return 0, 0
	}
	return n.in[i].number, n.in[i].offset
}

// Claims returns which inputs and results the gradient reads: none for a watched array.
func (n *Node) Claims() Claims {
	if n.Op == nil {
		return Claims{}
	}
	return claimsOf(n.Op)
}

// String writes the function with the dtypes and shapes of its inputs and results, such as
// "ops.MatMul: float64(2, 3), float64(3,) -> float64(2,)"; a Scalar is written as its value.
func (n *Node) String() string {
	var b strings.Builder
	b.WriteString(string(n.Func))
	b.WriteByte(':')
	writeEdges(&b, n.in)
	b.WriteString(" ->")
	writeEdges(&b, n.out)
	return b.String()
}

func writeEdges(b *strings.Builder, edges []edge) {
	for i := range edges {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteByte(' ')
		switch e := &edges[i]; {
		case !e.present:
			b.WriteString("nil")
		case e.value != nil:
			b.WriteString(e.value.String())
		default:
			b.WriteString(e.dtype.String() + broadcast.FormatShape(e.shape))
		}
	}
}
