package vision

import (
	"fmt"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/initializer"
	"github.com/ndgrad/ndgrad/nn/link"
)

// stage is a number of blocks. The first block, "a", has the stride, and changes the channels from in to out; "b1",
// "b2", … keep both.
type stage struct {
	blocks, in, middle, out, stride int
	initial                         initializer.Initializer
}

// Apply computes the blocks one after the other.
func (l stage) Apply(s *nn.Scope, x *nd.Array) *nd.Array {
	blocks := steps{at("a", l.block(l.in, l.stride, true))}
	for k := range l.blocks - 1 {
		blocks = append(blocks, at(fmt.Sprintf("b%d", k+1), l.block(l.out, 1, false)))
	}
	return blocks.apply(s, x)
}

func (l stage) block(in, stride int, projects bool) block {
	b := block{residual: steps{
		l.normalized(1, in, l.middle, 1, stride), relu,
		l.normalized(2, l.middle, l.middle, 3, 1), relu,
		l.normalized(3, l.middle, l.out, 1, 1),
	}}
	if projects {
		b.shortcut = steps{l.normalized(4, in, l.out, 1, stride)}
	}
	return b
}

// normalized returns a convolution of a block, by its number, with the batch normalisation after it.
func (l stage) normalized(number, in, out, kernel, stride int) step {
	c := convolution(in, out, kernel, stride, l.initial)
	c.NoBias = true
	return steps{at(fmt.Sprintf("conv%d", number), c), at(fmt.Sprintf("bn%d", number), link.BatchNormalization{Size: []int{out}})}.apply
}

// block is max(0, residual(x) + shortcut(x)); no steps mean x itself.
type block struct{ residual, shortcut steps }

// Apply computes the block.
func (l block) Apply(s *nn.Scope, x *nd.Array) *nd.Array {
	h := l.residual.apply(s, x)
	around := l.shortcut.apply(s, x)
	sum := ops.Add(h, around)
	h.Release()
	if around != x {
		around.Release()
	}
	y := ops.ReLU(sum)
	sum.Release()
	return y
}

// globalMean returns the mean over all positions: (B, C, H, W) gives (B, C).
func globalMean(_ *nn.Scope, x *nd.Array) *nd.Array { return ops.Mean(x, ops.Over(2, 3)) }
