package main

import (
	"io"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/comm"
	"github.com/ndgrad/ndgrad/nn/data"
	"github.com/ndgrad/ndgrad/nn/link"
	"github.com/ndgrad/ndgrad/nn/optim"
	"github.com/ndgrad/ndgrad/nn/train"
)

const (
	classes = 10
	seed    = 1
)

// mlp is a network of three layers.
type mlp struct{ units int }

// Apply returns the scores of the classes for every image of a batch (n, pixels).
func (m mlp) Apply(s *nn.Scope, x *nd.Array) *nd.Array {
	h := ops.ReLU(link.Linear{OutSize: m.units}.Apply(s.Sub("l1"), x))
	h = ops.ReLU(link.Linear{OutSize: m.units}.Apply(s.Sub("l2"), h))
	return link.Linear{OutSize: classes}.Apply(s.Sub("l3"), h)
}

// newTrainer builds the trainer: the updater that learns, and the extensions that run in between. It is the same on all
// ranks of c; samplers give each rank its part of the images.
func newTrainer(s settings, c *comm.Communicator, dev device.Device, images, test examples, stdout io.Writer) *train.Trainer {
	rng := nd.NewRand(seed)
	params := nn.NewScope(nn.ScopeOptions{Device: dev, Rand: rng.Split()})
	model := link.Classifier{Predictor: mlp{s.units}}

	goroutines := s.parts / c.Size()
	shuffled := data.NewSampler(images.x.Dim(0), s.batchSize,
		data.SamplerOptions{Shuffle: rng.Split(), Rank: c.Rank(), Size: c.Size(), Goroutines: goroutines})
	once := data.NewSampler(test.x.Dim(0), s.batchSize, data.SamplerOptions{Once: true, Rank: c.Rank(), Size: c.Size()})
	batches := data.NewLoader(shuffled, data.Rows(images.x, images.labels))
	tests := data.NewLoader(once, data.Rows(test.x, test.labels))

	graph := train.NewDumpGraph()
	updater := train.NewDistributed(c, batches, params, optim.NewAdam(), model.Loss,
		train.DistributedOptions{Goroutines: goroutines, UpdaterOptions: train.UpdaterOptions{OnLoss: graph.See}})
	trainer := train.New(updater, train.Every(float64(s.epochs), train.Epoch), s.out)

	frequency := s.frequency
	if frequency == -1 {
		frequency = s.epochs
	}
	log := train.NewLogReport()
	table := train.NewPrintReport(log, "epoch", "main/loss", "validation/main/loss", "main/accuracy", "validation/main/accuracy", "elapsed_time")
	table.Out = stdout
	trainer.Extend(train.NewEvaluator(tests, params, model.Loss))
	trainer.Extend(graph)
	trainer.Extend(train.NewSnapshot(), train.Settings{Trigger: train.Every(float64(frequency), train.Epoch)})
	trainer.Extend(log)
	trainer.Extend(train.NewPlotReport([]string{"main/loss", "validation/main/loss"}, train.PlotReportOptions{XKey: "epoch", FileName: "loss.png"}))
	trainer.Extend(train.NewPlotReport([]string{"main/accuracy", "validation/main/accuracy"},
		train.PlotReportOptions{XKey: "epoch", FileName: "accuracy.png"}))
	trainer.Extend(table)
	trainer.Extend(train.NewProgressBar(train.ProgressBarOptions{UpdateInterval: 10, Out: stdout}))
	return trainer
}
