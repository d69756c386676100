package main

import (
	"io"
	"math"
	"testing"
	"time"

	"github.com/ndgrad/ndgrad/nn/comm"
)

// TestPredict checks the model where it is easy to compute by hand.
func TestPredict(t *testing.T) {
	l := workload{"", 1 << 20, 1, 2, 0.5}
	if l.buckets() != 4 || (workload{bytes: 100}).buckets() != 1 || (workload{bytes: 100_000_000}).buckets() != 4 {
		t.Errorf("%d buckets", l.buckets())
	}
	// Without latency, and with 1 s to send all pieces and 1 s to send all sums, only the last of four buckets is exposed.
	n := network{bandwidth: (1 << 20) * 0.5, memory: math.Inf(1)}
	p := n.predict(l, 2)
	if math.Abs(p.seconds-4) > 1e-9 || math.Abs(p.hidden-0.75) > 1e-9 || p.sent != 1<<20 {
		t.Errorf("%+v", p)
	}
	// Latency alone: each of four buckets takes 0.1 s for the first message, 6·0.01 s for the others, and 3·0.1 s for the sums.
	n = network{latency: 100 * time.Millisecond, message: 10 * time.Millisecond, bandwidth: math.Inf(1), memory: math.Inf(1)}
	if p := n.predict(l, 8); math.Abs(p.seconds-(3+0.46+0.5+smallExchanges*0.3)) > 1e-9 {
		t.Errorf("%+v", p)
	}
	n.print(io.Discard, 2)
}

func TestMeasure(t *testing.T) {
	n := network{memory: 1e10}
	if err := n.measure(t.Context(), comm.Local(1)[0]); err != nil || n.latency <= 0 || n.bandwidth < 0 {
		t.Errorf("%+v, error %v", n, err)
	}
}
