package link_test

import (
	"reflect"
	"slices"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/graph"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/link"
)

// A picture draws each link as one function with the link's name.
func TestLinksAreFunctionsOfPictures(t *testing.T) {
	three := []int{3}
	for _, c := range []struct {
		link  link.Layer
		shape []int
	}{
		{link.Linear{OutSize: 2}, []int{2, 3}},
		{link.Highway{}, []int{2, 3}},
		{link.Maxout{OutSize: 2, PoolSize: 2}, []int{2, 3}},
		{link.SimplifiedDropconnect{OutSize: 2}, []int{2, 3}},
		{link.Convolution2D{OutChannels: 2, KSize: three}, []int{1, 2, 4, 4}},
		{link.ConvolutionND{Ndim: 1, OutChannels: 2, KSize: three}, []int{1, 2, 4}},
		{link.DilatedConvolution2D{OutChannels: 2, KSize: three}, []int{1, 2, 4, 4}},
		{link.DepthwiseConvolution2D{ChannelMultiplier: 2, KSize: three}, []int{1, 2, 4, 4}},
		{link.Deconvolution2D{OutChannels: 2, KSize: three}, []int{1, 2, 4, 4}},
		{link.DeconvolutionND{Ndim: 1, OutChannels: 2, KSize: three}, []int{1, 2, 4}},
		{link.Inception{Out1: 1, Proj3: 1, Out3: 1, Proj5: 1, Out5: 1, ProjPool: 1}, []int{1, 2, 4, 4}},
		{link.InceptionBN{Out1: 1, Proj3: 1, Out3: 1, Proj33: 1, Out33: 1, PoolType: "avg", ProjPool: 1}, []int{1, 2, 4, 4}},
		{link.MLPConvolution2D{OutChannels: []int{2, 2}, KSize: three}, []int{1, 2, 4, 4}},
		{link.BatchNormalization{}, []int{2, 3}},
		{link.LayerNormalization{}, []int{2, 3}},
		{link.PReLU{}, []int{2, 3}},
		{link.Bias{Shape: three}, []int{2, 3}},
		{link.Scale{WShape: three, BiasTerm: true}, []int{2, 3}},
	} {
		tape := grad.NewTape()
		x := tape.Watch(nd.Ones(c.shape))
		y := c.link.Apply(nn.NewScope().Watch(tape, nn.WatchOptions{Rand: nd.NewRand(1)}), x)
		var functions []string
		for _, n := range graph.Build([]*nd.Array{y}).Nodes {
			if n.Function {
				functions = append(functions, n.Label)
			}
		}
		if want := []string{reflect.TypeOf(c.link).Name()}; !slices.Equal(functions, want) {
			t.Errorf("functions %q, want %q", functions, want)
		}
		tape.Release()
	}
}
