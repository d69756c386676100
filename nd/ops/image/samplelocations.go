package image

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
)

// locationsGrad sets the gradients of the locations.
func (op samplingOp) locationsGrad(c *nd.Call, locations []*nd.Array) {
	x, gy := c.In(0), c.Gy(0)
	l := op.launch(gy)
	var results []*nd.Array
	for _, p := range locations[:op.floats] {
		g := op.result(p.DType(), p.Shape(), gy)
		results = append(results, g)
		l.Write(g)
	}
	l.Read(gy)
	l.ReadStrides(x, op.operand(&l, x))
	for _, p := range locations {
		l.Read(p)
	}
	l.Run(device.Device.SampleLocationsGrad)
	for j, g := range results {
		if c.Needs(1 + j) {
			c.SetGx(1+j, g)
		} else {
			g.Release()
		}
	}
}
