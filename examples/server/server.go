package main

import (
	"context"
	"expvar"
	"io"
	"net/http"
	"time"

	"github.com/ndgrad/ndgrad/examples/internal/serving"
	"github.com/ndgrad/ndgrad/nd"
)

// Metrics at /debug/vars.
var (
	answers = expvar.NewMap("answers")              // by kind of file
	compute = expvar.NewInt("compute_microseconds") // in total
)

// server answers requests. All of them share the model, which nothing writes to.
type server struct {
	classifier *classifier
	turns      *serving.Turns
	most       int64 // the number of bytes of a request
}

func (s *server) classify(w http.ResponseWriter, r *http.Request) {
	result, err := s.answer(r.Context(), http.MaxBytesReader(w, r.Body, s.most))
	serving.Answer(w, result, err)
}

// answer reads a file, waits for its turn, and computes.
func (s *server) answer(ctx context.Context, body io.Reader) (*answer, error) {
	f, err := readEnds(body, s.classifier.BlockSize)
	if err != nil {
		return nil, serving.Refusal(err)
	}
	end, err := s.turns.Take(ctx)
	if err != nil {
		return nil, err
	}
	defer end()
	var out *answer
	start := time.Now()
	if err := nd.Catch(func() { out = s.classifier.classify(f) }); err != nil {
		return nil, err // such as too little memory
	}
	compute.Add(time.Since(start).Microseconds())
	answers.Add(out.Label, 1)
	return out, nil
}
