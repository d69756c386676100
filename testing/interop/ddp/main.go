// Ddp writes the gradients that train.Distributed computes for a small convolutional network on a number of ranks, with the weights
// and batches that they belong to, for testing/interop/ddp.sh.
package main

import (
	"flag"
	"fmt"
	"log"
	"path/filepath"
	"sync"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/conv"
	"github.com/ndgrad/ndgrad/nd/ops/loss"
	"github.com/ndgrad/ndgrad/nd/ops/random"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/comm"
	"github.com/ndgrad/ndgrad/nn/data"
	"github.com/ndgrad/ndgrad/nn/optim"
	"github.com/ndgrad/ndgrad/nn/report"
	"github.com/ndgrad/ndgrad/nn/train"
)

const batch, updates = 16, 3

// network is a convolution, a batch normalisation over all ranks, and two layers.
func network(m *nn.Scope, b data.Batch, _ *report.Reporter) *nd.Array {
	h := nn.SyncBatchNormalization(m.Sub("conv"), nn.Convolution(m.Sub("conv"), b[0], 6, []int{5, 5}))
	h = conv.MaxPooling(ops.ReLU(h), []int{2, 2})
	h = ops.ReLU(nn.Affine(m.Sub("fc1"), h, 32))
	return ops.Mean(loss.SoftmaxCrossEntropy(nn.Affine(m.Sub("fc2"), h, 10), b[1]))
}

func main() {
	ranks := flag.Int("ranks", 2, "number of ranks")
	dir := flag.String("dir", "", "folder of the file")
	flag.Parse()
	rng := nd.NewRand(5)
	n := batch * updates * *ranks
	x, labels := random.Normal(rng, 0, 1, []int{n, 1, 16, 16}, dtype.Float32), random.Integers(rng, 0, 10, []int{n})
	files := []nd.Named{{Name: "x", Array: x}, {Name: "labels", Array: labels}}
	var running sync.WaitGroup
	for r, c := range comm.Local(*ranks) {
		running.Go(func() {
			defer c.Close()
			params := nn.NewScope()
			network(params, data.Batch{x.Index(nd.Span(0, 1)), labels.Index(nd.Span(0, 1))}, nil) // creates the parameters
			k := 0
			note := func(g *optim.Gradients) {
				for name, value := range g.All() {
					if r == 0 {
						files = append(files, nd.Named{Name: fmt.Sprintf("%d/w/%s", k, name), Array: params.Get(name).Copy()},
							nd.Named{Name: fmt.Sprintf("%d/g/%s", k, name), Array: value.Copy()})
					}
				}
				k++
			}
			sampler := data.NewSampler(n, batch, data.SamplerOptions{Rank: r, Size: *ranks})
			u := train.NewDistributed(c, data.NewLoader(sampler, data.Rows(x, labels)), params, optim.NewSGD(optim.SGDOptions{LR: 0.1}), network,
				train.DistributedOptions{UpdaterOptions: train.UpdaterOptions{Hook: note}})
			for range updates {
				if err := u.Update(nil); err != nil {
					log.Fatal(err)
				}
			}
		})
	}
	running.Wait()
	if err := nd.SaveNpz(filepath.Join(*dir, "ddp.npz"), files, false); err != nil {
		log.Fatal(err)
	}
}
