package link_test

import (
	"fmt"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/conv"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/link"
)

// A network for images as a list of links; sizes that are left out follow from the images.
func ExampleSequential() {
	net := link.Sequential{
		link.Convolution2D{OutChannels: 8, KSize: []int{3}, Pad: []int{1}, NoBias: true},
		link.BatchNormalization{},
		link.F(ops.ReLU),
		link.Func(func(x *nd.Array) *nd.Array { return conv.MaxPooling(x, []int{2, 2}) }),
		link.Linear{OutSize: 10},
	}
	params := nn.NewScope()
	y := net.Apply(params, nd.Zeros([]int{32, 1, 28, 28}))
	fmt.Println(y.Shape())
	fmt.Print(params)
	// Output:
	// [32 10]
	// parameter   shape         dtype    count   trained
	// 0/W         (8, 1, 3, 3)  float32  72      yes
	// 1/gamma     (8,)          float32  8       yes
	// 1/beta      (8,)          float32  8       yes
	// 1/avg_mean  (8,)          float32  8       no
	// 1/avg_var   (8,)          float32  8       no
	// 1/N         ()            int64    1       no
	// 2/W         (10, 1568)    float32  15,680  yes
	// 2/b         (10,)         float32  10      yes
	// 8 parameters, 15,795 elements, 15,778 of them trained, 61.7 KiB
}

// Dropout in a list of layers: a function that sees the scope draws in training only.
func ExampleScoped() {
	net := link.Sequential{
		link.Linear{OutSize: 64},
		link.F(ops.ReLU),
		link.Scoped(func(s *nn.Scope, x *nd.Array) *nd.Array { return nn.Dropout(s, x, 0.5) }),
		link.Linear{OutSize: 2},
	}
	params, tape, x := nn.NewScope(), grad.NewTape(), nd.Ones([]int{4, 8}, dtype.Float32)
	defer tape.Release()
	fmt.Println(ops.ArrayEqual(net.Apply(params, x), net.Apply(params, x)), params.Names())
	model := params.Watch(tape, nn.WatchOptions{Rand: nd.NewRand(1)})
	fmt.Println(ops.ArrayEqual(net.Apply(model, x), net.Apply(model, x)))
	// Output:
	// true [0/W 0/b 1/W 1/b]
	// false
}
