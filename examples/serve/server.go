package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/ndgrad/ndgrad/examples/internal/digits"
	"github.com/ndgrad/ndgrad/examples/internal/serving"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn"
)

// network is that of examples/digits. It returns the scores of the ten digits for every image.
func network(params *nn.Scope, x *nd.Array) *nd.Array {
	h := ops.ReLU(nn.Affine(params.Sub("fc1"), x, 256))
	h = ops.ReLU(nn.Affine(params.Sub("fc2"), h, 128))
	return nn.Affine(params.Sub("fc3"), h, digits.Classes)
}

// limits bound what requests may cost.
type limits struct {
	AtOnce int           // the number of requests that compute at once
	Wait   time.Duration // how long a request waits for its turn
	Body   int64         // the number of bytes of a request
	Images int           // the number of images of a request
}

// server answers requests. All of them read the same parameters: a scope that no tape watches is never written to.
type server struct {
	params *nn.Scope
	limits limits
	turns  *serving.Turns
}

// newServer returns a server whose parameters fit the network.
func newServer(params *nn.Scope, l limits) (*server, error) {
	s := &server{params: params, limits: l, turns: serving.NewTurns(l.AtOnce, l.Wait)}
	err := nd.Catch(func() { s.compute([][]float32{make([]float32, digits.Pixels)}) })
	return s, err
}

// handler returns the handler of all paths.
func (s *server) handler() http.Handler { return serving.Handler(s.classify) }

// request and answer are the bodies in JSON.
type (
	request struct {
		Images [][]float32 `json:"images"` // 64 pixels each, from 0 to 16
	}
	answer struct {
		Labels        []int64     `json:"labels"`
		Probabilities [][]float32 `json:"probabilities"`
	}
)

func (s *server) classify(w http.ResponseWriter, r *http.Request) {
	result, err := s.answer(r.Context(), http.MaxBytesReader(w, r.Body, s.limits.Body))
	serving.Answer(w, result, err)
}

// answer reads a request, waits for its turn, and computes.
func (s *server) answer(ctx context.Context, body io.Reader) (*answer, error) {
	var in request
	if err := json.NewDecoder(body).Decode(&in); err != nil {
		return nil, serving.Refusal(err)
	}
	if len(in.Images) == 0 || len(in.Images) > s.limits.Images {
		return nil, serving.Refusal(fmt.Errorf("%d images: want 1 to %d", len(in.Images), s.limits.Images))
	}
	for i, pixels := range in.Images {
		if len(pixels) != digits.Pixels {
			return nil, serving.Refusal(fmt.Errorf("image %d has %d pixels: want %d", i, len(pixels), digits.Pixels))
		}
	}
	end, err := s.turns.Take(ctx)
	if err != nil {
		return nil, err
	}
	defer end()
	var out *answer
	err = nd.Catch(func() { out = s.compute(in.Images) }) // an *nd.Error, such as too little memory
	return out, err
}

// compute classifies images. Tidy releases what the network computes, and compute the rest, so that requests leave nothing
// to the garbage collector.
func (s *server) compute(images [][]float32) *answer {
	x := nd.FromRows(images)
	defer x.Release()
	p := nd.Tidy(x, func(x *nd.Array) *nd.Array { return ops.Softmax(network(s.params, ops.Divide(x, 16))) })
	defer p.Release()
	labels := ops.ArgMax(p, ops.Over(1))
	defer labels.Release()
	return &answer{Labels: nd.ToSlice[int64](labels), Probabilities: nd.ToRows[float32](p)}
}
