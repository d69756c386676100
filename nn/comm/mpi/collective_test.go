package mpi_test

import (
	"context"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn/comm"
)

func parts() map[string]func(context.Context, *testing.T) {
	return map[string]func(context.Context, *testing.T){
		"hello": hello,
	}
}
func hello(ctx context.Context, t *testing.T) {
	c := comm.New(open(ctx, t))
	x := nd.FromSlice([]float32{float32(c.Rank()), 1})
	if err := c.AllReduce(ctx, []*nd.Array{x}); err != nil {
		t.Error(err)
	}
	t.Log(c.Engine(), c.Rank(), c.LocalRank(), c.Size(), x)
	if err := c.Close(); err != nil {
		t.Error(err)
	}
}
func TestHello(t *testing.T) { 
o, err := launch(t, 2, "hello")
t.Log(o, err)
 }
