package onnx

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn/model"
)

// packedMatrix are the attributes of MatMulNBits: a matrix of k rows and n columns whose elements are integers of a few bits.
// Along k they are cut into blocks, each with a scale and a zero point, and packed into bytes, the first element in the lowest
// bits.
type packedMatrix struct{ k, n, bits, block int }

func (n *node) packedMatrix() packedMatrix {
	p := packedMatrix{n.int("K", 0), n.int("N", 0), n.int("bits", 4), n.int("block_size", 0)}
	n.int("accuracy_level", 0) // a bound on the error; this computation is exact
	if n.int("weight_prepacked", 0) != 0 {
		n.refuse("attribute weight_prepacked is not 0")
	}
	if p.k < 1 || p.n < 1 || p.block < 1 || p.bits != 2 && p.bits != 4 && p.bits != 8 {
		n.refuse("a matrix (%d, %d) of %d bits in blocks of %d", p.k, p.n, p.bits, p.block)
		p = packedMatrix{1, 1, 8, 1}
	}
	return p
}

// unpacked returns the integers of bytes along the last axis.
func (p packedMatrix) unpacked(bytes *nd.Array) *nd.Array {
	if p.bits == 8 {
		return bytes
	}
	var parts []*nd.Array
	for shift := 0; shift < 8; shift += p.bits {
		parts = append(parts, ops.BitwiseAnd(ops.RightShift(bytes, nd.Scalar(shift)), nd.Scalar(1<<p.bits-1)))
	}
	shape := bytes.Shape()
	shape[len(shape)-1] *= len(parts)
	return ops.Stack(parts, ops.Over(-1)).Reshape(shape...)
}

// weights returns the matrix (k, n) of floats. The inputs from the given index on are the bytes, the scales, the zero points
// and the block of each row.
func (p packedMatrix) weights(c *call, first int) *nd.Array {
	bytes, scales := c.x(first), c.x(first+1)
	blocks := (p.k + p.block - 1) / p.block
	if bytes.DType() != dtype.Uint8 || bytes.Size() != p.n*blocks*p.block*p.bits/8 || scales.Size() != p.n*blocks {
		c.refuse("%d bytes and %d scales for a matrix (%d, %d) of %d bits in blocks of %d", bytes.Size(), scales.Size(), p.k, p.n, p.bits, p.block)
	}
	scales = scales.Reshape(p.n, blocks)
	codes := p.unpacked(bytes.Reshape(p.n, -1)).Index(nd.All(), nd.Until(p.k)).AsType(scales.DType())
	zeros := c.optional(first + 2)
	if zeros != nil {
		if zeros.DType() == dtype.Uint8 {
			zeros = p.unpacked(zeros.Reshape(p.n, -1))
		}
		zeros = zeros.Reshape(p.n, -1)
		if zeros.Dim(1) < blocks {
			c.refuse("%d zero points of %d blocks", zeros.Dim(1), blocks)
		}
		zeros = zeros.Index(nd.All(), nd.Until(blocks)).AsType(scales.DType())
	}
	each := func(x *nd.Array) *nd.Array { return ops.Repeat(x, p.block, ops.Over(1)).Index(nd.All(), nd.Until(p.k)) }
	if of := c.optional(first + 3); of != nil {
		if of.Size() < p.k {
			c.refuse("%d blocks of %d rows", of.Size(), p.k)
		}
		of = of.Reshape(-1).Index(nd.Until(p.k))
		each = func(x *nd.Array) *nd.Array { return ops.Take(x, of, ops.Over(1)) }
	}
	if zeros != nil {
		codes = ops.Subtract(codes, each(zeros))
	} else {
		codes = ops.Subtract(codes, nd.Scalar(float64(int(1)<<(p.bits-1))))
	}
	return ops.Multiply(codes, each(scales)).T()
}

// matMulNBits multiplies with a packed matrix.
func matMulNBits(n *node) run {
	p := n.packedMatrix()
	return func(c *call) []model.Value {
		y := ops.MatMul(c.x(0), p.weights(c, 1))
		if bias := c.optional(5); bias != nil {
			y = ops.Add(y, bias)
		}
		return one(y)
	}
}

// unpackedWeights is the internal operator that gives the matrix of MatMulNBits.
const unpackedWeights = "UnpackedWeights"

func unpackWeights(n *node) run {
	p := n.packedMatrix()
	return func(c *call) []model.Value { return one(p.weights(c, 0)) }
}

// withUnpackedWeights splits each MatMulNBits into a node that unpacks the weights, which the model runs once because they
// depend on constants and parameters alone, and a product.
func (g *graph) withUnpackedWeights(nodes []*nodeMessage) []*nodeMessage {
	if g.opsets[""] == 0 {
		return nodes
	}
	var all []*nodeMessage
	for _, n := range nodes {
		if n.OpType != "MatMulNBits" || n.Domain != "com.microsoft" || g.opsets[n.Domain] == 0 || len(n.Input) < 3 || len(n.Output) != 1 ||
			g.functions[functionKey(n.Domain, n.OpType, n.Overload)] != nil {
			all = append(all, n)
			continue
		}
		weights := &nodeMessage{OpType: unpackedWeights, Domain: internalDomain, Name: n.Name + "/weights", Attribute: n.Attribute,
			Input: n.Input[1:min(len(n.Input), 5)], Output: []string{n.Output[0] + "/weights"}}
		product := &nodeMessage{OpType: "MatMul", Name: n.Name, Input: []string{n.Input[0], weights.Output[0]}, Output: n.Output}
		all = append(all, weights, product)
		if len(n.Input) > 5 && n.Input[5] != "" {
			product.Output = []string{n.Output[0] + "/product"}
			all = append(all, &nodeMessage{OpType: "Add", Name: n.Name + "/bias", Input: []string{product.Output[0], n.Input[5]}, Output: n.Output})
		}
	}
	return all
}
