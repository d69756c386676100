package onnx

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn/model"
)

// paddings are the operators that extend axes or cut them.
func paddings() map[string]operator {
	return map[string]operator{"Pad": pad, "CenterCropPad": structural(centerCropPad)}
}

// pad has widths and value as attributes before opset 11, and as inputs since then.
func pad(n *node) run {
	mode := map[string]ops.PadMode{"constant": ops.PadConstant, "reflect": ops.PadReflect, "edge": ops.PadEdge, "wrap": ops.PadWrap}[n.text("mode",
		"constant", "constant", "reflect", "edge", "wrap")]
	var fixed []int
	value := 0.0
	switch {
	case n.opset < 2:
		fixed, value = n.ints("paddings"), n.float("value", 0)
	case n.opset < 11:
		fixed, value = n.ints("pads"), n.float("value", 0)
	}
	return func(c *call) []model.Value {
		x, pads := c.x(0), fixed
		o := ops.PadOptions{Mode: mode}
		if n.opset >= 11 {
			pads = c.ints(1)
		}
		if mode == ops.PadConstant {
			o.Value = nd.Scalar(value)
			if v := c.optional(2); v != nil {
				o.Value = v.Reshape().AsType(x.DType())
			} else if x.DType().IsInteger() {
				o.Value = nil
			}
		}
		var axes []int
		if c.given(3) {
			axes = c.ints(3)
		}
		axes = axesOr(axes, x.Rank())
		if len(pads) != 2*len(axes) {
			c.refuse("%d widths for %d axes", len(pads), len(axes))
		}
		widths := make([][2]int, x.Rank())
		for i, axis := range axes {
			widths[c.fn.Axis(x, []int{axis}, 0)] = [2]int{pads[i], pads[len(axes)+i]}
		}
		return one(padOrCut(x, widths, o))
	}
}

func centerCropPad(n *node) run {
	axes := n.ints("axes")
	return func(c *call) []model.Value {
		x, lengths := c.x(0), c.ints(1)
		over := axesOr(axes, x.Rank())
		if len(lengths) != len(over) {
			c.refuse("%d lengths for %d axes", len(lengths), len(over))
		}
		widths := make([][2]int, x.Rank())
		for i, axis := range over {
			at := c.fn.Axis(x, []int{axis}, 0)
			more := lengths[i] - x.Dim(at)
			front := more >> 1
			if more < 0 {
				front = -(-more >> 1)
			}
			widths[at] = [2]int{front, more - front}
		}
		return one(padOrCut(x, widths, ops.PadOptions{}))
	}
}
