// Trainer times a training run by package train beside the same run by a hand-written loop: LeNet on images of 28×28,
// in batches of 64, with a report after each update and a log. The two take turns, and the ratio is that of their
// medians.
//
//	go run ./bench/trainer
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"slices"
	"time"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/conv"
	"github.com/ndgrad/ndgrad/nd/ops/loss"
	"github.com/ndgrad/ndgrad/nd/ops/random"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/data"
	"github.com/ndgrad/ndgrad/nn/optim"
	"github.com/ndgrad/ndgrad/nn/report"
	"github.com/ndgrad/ndgrad/nn/train"
)

const (
	examples = 12800
	batch    = 64
)

func main() {
	rounds := flag.Int("rounds", 10, "number of turns of each")
	updates := flag.Int("updates", 200, "updates per turn")
	flag.Parse()
	out, err := os.MkdirTemp("", "trainer")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(out)
	var loops, trainers []float64
	for i := range *rounds + 1 {
		l, loss := byLoop(*updates)
		t := byTrainer(*updates, out)
		if i == 0 {
			fmt.Printf("mean loss of the loop %.4f\n", loss)
		}
		if i > 0 { // the first turn warms up
			loops, trainers = append(loops, l), append(trainers, t)
		}
	}
	l, t := median(loops), median(trainers)
	fmt.Printf("an update of the loop %.3f ms, of the trainer %.3f ms: %+.1f %%\n", l*1e3, t*1e3, 100*(t/l-1))
}

func median(seconds []float64) float64 {
	slices.Sort(seconds)
	return seconds[len(seconds)/2]
}

// task is the task that both solve, with the same numbers each time.
type task struct {
	params  *nn.Scope
	opt     *optim.Optimizer
	batches *data.Loader[data.Batch]
}

func newTask() task {
	rng := nd.NewRand(1)
	x := random.Normal(rng, 0, 1, []int{examples, 1, 28, 28}, dtype.Float32)
	labels := random.Integers(rng, 0, 10, []int{examples})
	sampler := data.NewSampler(examples, batch, data.SamplerOptions{Shuffle: rng.Split()})
	return task{nn.NewScope(), optim.NewAdam(), data.NewLoader(sampler, data.Rows(x, labels))}
}

func lenet(s *nn.Scope, x *nd.Array) *nd.Array {
	h := conv.MaxPooling(ops.ReLU(nn.Convolution(s.Sub("conv1"), x, 16, []int{5, 5})), []int{2, 2})
	h = conv.MaxPooling(ops.ReLU(nn.Convolution(s.Sub("conv2"), h, 32, []int{5, 5})), []int{2, 2})
	return nn.Affine(s.Sub("fc4"), ops.ReLU(nn.Affine(s.Sub("fc3"), h, 128)), 10)
}

// byLoop returns the seconds per update, and the mean loss.
func byLoop(updates int) (seconds, mean float64) {
	t, tape, sum := newTask(), grad.NewTape(), 0.0
	began := time.Now()
	for range updates {
		b, err := t.batches.Next()
		if err != nil {
			log.Fatal(err)
		}
		x, labels := tape.Arena().Own(b[0]), tape.Arena().Own(b[1])
		m := t.params.Watch(tape)
		loss := ops.Mean(loss.SoftmaxCrossEntropy(lenet(m, x), labels))
		t.opt.Update(optim.GradientsOf(m, loss))
		sum += loss.Float()
		tape.Reset()
	}
	return time.Since(began).Seconds() / float64(updates), sum / float64(updates)
}

func byTrainer(updates int, out string) float64 {
	t := newTask()
	loss := func(m *nn.Scope, b data.Batch, r *report.Reporter) *nd.Array {
		l := ops.Mean(loss.SoftmaxCrossEntropy(lenet(m, b[0]), b[1]))
		r.Report("loss", l)
		return l
	}
	trainer := train.New(train.NewUpdater(t.batches, t.params, t.opt, loss), train.Every(float64(updates), train.Iteration), out)
	report := train.NewLogReport()
	trainer.Extend(report)
	began := time.Now()
	if err := trainer.Run(context.Background()); err != nil {
		log.Fatal(err)
	}
	return time.Since(began).Seconds() / float64(updates)
}
