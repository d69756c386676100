package main

import (
	"context"
	"encoding/json"
	"errors"
	"expvar"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/ndgrad/ndgrad/examples/internal/digits"
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
	turns  chan struct{} // holds an element for each request that computes
}

// newServer returns a server whose parameters fit the network.
func newServer(params *nn.Scope, l limits) (*server, error) {
	s := &server{params: params, limits: l, turns: make(chan struct{}, l.AtOnce)}
	err := nd.Catch(func() { s.compute([][]float32{make([]float32, digits.Pixels)}) })
	return s, err
}

// handler returns the handler of all paths.
func (s *server) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /classify", s.classify)
	mux.HandleFunc("GET /healthy", func(http.ResponseWriter, *http.Request) {})
	mux.Handle("GET /debug/vars", expvar.Handler())
	return mux
}

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

// failure is an error with the status of the answer.
type failure struct {
	status int
	error
}

func (s *server) classify(w http.ResponseWriter, r *http.Request) {
	result, err := s.answer(r.Context(), http.MaxBytesReader(w, r.Body, s.limits.Body))
	if err != nil {
		status := http.StatusInternalServerError
		var f failure
		if errors.As(err, &f) {
			status = f.status
		}
		http.Error(w, err.Error(), status)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(result) // an error means that the client has gone
}

// answer reads a request, waits for its turn, and computes.
func (s *server) answer(ctx context.Context, body io.Reader) (*answer, error) {
	var in request
	var tooLarge *http.MaxBytesError
	switch err := json.NewDecoder(body).Decode(&in); {
	case errors.As(err, &tooLarge):
		return nil, failure{http.StatusRequestEntityTooLarge, err}
	case err != nil:
		return nil, failure{http.StatusBadRequest, err}
	case len(in.Images) == 0 || len(in.Images) > s.limits.Images:
		return nil, failure{http.StatusBadRequest, fmt.Errorf("%d images: want 1 to %d", len(in.Images), s.limits.Images)}
	}
	for i, pixels := range in.Images {
		if len(pixels) != digits.Pixels {
			return nil, failure{http.StatusBadRequest, fmt.Errorf("image %d has %d pixels: want %d", i, len(pixels), digits.Pixels)}
		}
	}
	ctx, cancel := context.WithTimeout(ctx, s.limits.Wait)
	defer cancel()
	select {
	case s.turns <- struct{}{}:
		defer func() { <-s.turns }()
	case <-ctx.Done():
		return nil, failure{http.StatusServiceUnavailable, errors.New("too many requests at once")}
	}
	var out *answer
	err := nd.Catch(func() { out = s.compute(in.Images) }) // an *nd.Error, such as too little memory
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
