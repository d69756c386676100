package sweeps

import (
	"errors"
	"fmt"
	"testing"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/testing/conformance/catalogue"
	"github.com/ndgrad/ndgrad/testing/conformance/compare"
)

// seeds are gradients that do not match a result.
var seeds = map[string]func(y *nd.Array, other device.Device) *nd.Array{
	"on another device": func(y *nd.Array, other device.Device) *nd.Array {
		return nd.OnesLike(y, nd.ArrayOptions{Device: other})
	},
	"of another shape": func(y *nd.Array, _ device.Device) *nd.Array { return nd.OnesLike(y).ExpandDims(0) },
	"of another dtype": func(y *nd.Array, _ device.Device) *nd.Array {
		return nd.OnesLike(y, otherThan(y.DType()))
	},
	"a Scalar": func(*nd.Array, device.Device) *nd.Array { return nd.Scalar(1.0) },
	"released": func(y *nd.Array, _ device.Device) *nd.Array { g := nd.OnesLike(y); g.Release(); return g },
}

func otherThan(t dtype.DType) dtype.DType {
	if t == dtype.Float16 {
		return dtype.Float32
	}
	return dtype.Float16
}

// TestSweepSeeds requests gradients with seeds that do not match the result: they must be refused. Then it bypasses
// that check and passes an array of another device to the gradient of every operation: no kernel may see it.
func TestSweepSeeds(t *testing.T) {
	ref := mustDevice(t, "ref")
	sweep(t, func(s *subject) error {
		v := &variables{s: s, all: s.numbers(points[0])}
		tape := grad.NewTape()
		defer tape.Release()
		var nodes []*nd.Node
		tape.OnRecord = func(n *nd.Node) { nodes = append(nodes, n) }
		watched := make([]*nd.Array, len(v.all))
		for i := range v.all {
			v.all[i].varies = true
			watched[i] = tape.Watch(v.all[i].x)
		}
		o := v.call(watched)
		if o.err != nil {
			return nil // TestSweepGradients checks this
		}
		ys, _ := v.recorded(o)
		for name, seed := range seeds {
			for _, y := range ys {
				g := []*nd.Array{seed(y, ref)}
				for _, ask := range []func(ys, gys []*nd.Array, xs ...*nd.Array) []*nd.Array{tape.VJP, tape.VJPRecorded} {
					if err := mustRefuse(func() { ask([]*nd.Array{y}, g, watched...) }); err != nil {
						return fmt.Errorf("with a seed %s: %w", name, err)
					}
				}
			}
		}
		for _, n := range nodes {
			if err := refusesDevice(n, ref); err != nil {
				return fmt.Errorf("the gradient of %s: %w", n.Func, err)
			}
		}
		return nil
	})
}

// mustRefuse returns an error unless f panics with an *nd.Error.
func mustRefuse(f func()) error {
	_, err := catalogue.Try(func() any { f(); return nil })
	if err == nil {
		return errors.New("not refused")
	}
	if _, ok := err.(*catalogue.Refusal); !ok {
		return err
	}
	return nil
}

// refusesDevice passes arrays of another device to the gradient of an operation. The gradient may move them within that
// device, or refuse them.
func refusesDevice(n *nd.Node, other device.Device) error {
	c := new(nd.Call)
	gy, needs := make([]*nd.Array, n.Outputs()), make([]bool, n.Inputs())
	c.Begin(n, gy, needs, false)
	for i := range gy {
		gy[i] = nd.Ones(c.OutShape(i), nd.ArrayOptions{Device: other})
	}
	for i := range needs {
		from, _ := n.Input(i)
		needs[i] = from != nil
	}
	if _, err := catalogue.Try(func() any { c.Run(); return nil }); err != nil {
		if _, ok := err.(*catalogue.Refusal); !ok {
			return err
		}
		return nil
	}
	for i := range needs {
		g := c.Gx(i)
		if g == nil || g.Size() == 0 || g.Device() == other {
			continue
		}
		if !compare.AllZero(g) {
			return fmt.Errorf("it computed numbers from an array on another device: %v", g)
		}
	}
	return nil
}
