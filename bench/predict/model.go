package main

import (
	"math"
	"time"
)

// network is what the ranks are connected by. Each has the same connection to each other, whatever the others send.
type network struct {
	latency   time.Duration // of an exchange of a few bytes between two ranks
	bandwidth float64       // bytes per second of a rank, in each direction
	message   time.Duration // for each further message of an exchange
	memory    float64       // bytes per second that a rank adds
}

// workload is a training, as one rank with one goroutine runs it. Times are in seconds.
type workload struct {
	name                      string
	bytes                     int // of the gradients
	forward, backward, update float64
}

// workloads are the examples, measured on one core of an AMD EPYC (Zen 4), and a larger model with assumed times.
var workloads = []workload{
	{"LeNet of examples/lenet, 64 images", 4 * 22618, 0.629e-3, 1.052e-3, 0.021e-3},
	{"LSTM of examples/charlm, 32 columns", 4 * 287069, 11.15e-3, 18.66e-3, 0.31e-3},
	{"transformer of examples/charlm, 32 columns", 4 * 426845, 20.60e-3, 32.50e-3, 0.60e-3},
	{"a model of 100 million parameters, 1 s per update", 400_000_000, 0.3, 0.65, 0.05},
}

func (l workload) alone() float64 { return l.forward + l.backward + l.update }

// buckets returns the number of buckets of train.Distributed, by default.
func (l workload) buckets() int {
	const least, most = 256 << 10, 25_000_000
	size := min(max(l.bytes/4, least), most)
	return (l.bytes + size - 1) / size
}

// prediction is the time of an update.
type prediction struct {
	seconds float64
	hidden  float64 // the share of the exchange of gradients during which the rank computes
	sent    float64 // bytes that each rank sends
}

// smallExchanges is the number of exchanges of a few bytes in an update, apart from the gradients: the ranks compare their
// calls, and exchange the number of batches and what they report.
const smallExchanges = 5

// predict computes the time of an update of a workload. The buckets become ready one after the other during the backward
// pass, are sent in this order, each after the one before, and all before the update.
func (n network) predict(l workload, ranks int) prediction {
	count := l.buckets()
	size := float64(l.bytes) / float64(count)
	one := n.bucket(size, ranks)
	done := 0.0
	for i := range count {
		ready := l.forward + l.backward*float64(i+1)/float64(count)
		done = max(done, ready) + one
	}
	exposed := done - l.forward - l.backward
	total := one * float64(count)
	return prediction{
		seconds: done + l.update + smallExchanges*n.small(ranks),
		hidden:  max(0, 1-exposed/total),
		sent:    2 * float64(l.bytes) * float64(ranks-1) / float64(ranks),
	}
}

// bucket is the time of the ordered sum of size bytes: every rank sends a piece to every other, adds the pieces that it
// received, and sends the sum to all.
func (n network) bucket(size float64, ranks int) float64 {
	moved := size * float64(ranks-1) / float64(ranks) / n.bandwidth
	pieces := n.latency.Seconds() + float64(ranks-2)*n.message.Seconds() + moved
	return pieces + size/n.memory + n.small(ranks) + moved
}

// small is the time of an exchange of a few bytes among all ranks: in each round the number of ranks that know of each other
// doubles.
func (n network) small(ranks int) float64 {
	return math.Ceil(math.Log2(float64(ranks))) * n.latency.Seconds()
}
