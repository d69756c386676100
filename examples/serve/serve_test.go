package main

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ndgrad/ndgrad/examples/internal/digits"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/memvar"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/random"
	"github.com/ndgrad/ndgrad/nn"
)

// newTestServer returns a server of a network that has not learned anything.
func newTestServer(t *testing.T) *server {
	t.Helper()
	params := nn.NewScope()
	network(params, nd.Zeros([]int{1, digits.Pixels}))
	s, err := newServer(params, limits{AtOnce: 2, Wait: 20 * time.Second, Body: 1 << 16, Images: 20})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// images returns images of n random numbers each.
func images(count, n int) [][]float32 {
	return nd.ToRows[float32](random.Uniform(nd.NewRand(1), 0, 16, []int{count, n}, dtype.Float32))
}

// body is a request with images.
func body(t *testing.T, images [][]float32) []byte {
	t.Helper()
	b, err := json.Marshal(request{images})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func post(h http.Handler, body []byte) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest("POST", "/classify", bytes.NewReader(body)))
	return w
}

func TestAnswers(t *testing.T) {
	s := newTestServer(t)
	given := images(3, digits.Pixels)
	w := post(s.handler(), body(t, given))
	var got answer
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || w.Code != http.StatusOK {
		t.Fatalf("status %d, %v: %s", w.Code, err, w.Body)
	}
	want := ops.Softmax(network(s.params, ops.Divide(nd.FromRows(given), 16)))
	if !slices.Equal(got.Labels, nd.ToSlice[int64](ops.ArgMax(want, ops.Over(1)))) || !ops.ArrayEqual(nd.FromRows(got.Probabilities), want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestLeavesNothing: requests that run at once leave no memory, and the metrics show it.
func TestLeavesNothing(t *testing.T) {
	s := newTestServer(t)
	memvar.Publish("arrays")
	defer nd.CountMemory(false)
	h, b := s.handler(), body(t, images(5, digits.Pixels))
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			for range 10 {
				if w := post(h, b); w.Code != http.StatusOK {
					t.Errorf("status %d: %s", w.Code, w.Body)
				}
			}
		})
	}
	wait.Wait()
	if all := nd.MemoryByMaker(); all.Total().Blocks != 0 {
		t.Errorf("memory is left:\n%s", all)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest("GET", "/debug/vars", nil))
	if !strings.Contains(w.Body.String(), `"arrays": {"blocks":0,"bytes":0`) {
		t.Errorf("the metrics are %s", w.Body)
	}
}

func TestLimits(t *testing.T) {
	s := newTestServer(t)
	h := s.handler()
	for _, c := range []struct {
		body   string
		status int
		text   string
	}{
		{"", 400, "EOF"}, {"{", 400, "EOF"}, {`{"images": "no"}`, 400, "cannot unmarshal"}, {`{"images": [[1e99]]}`, 400, "cannot unmarshal"},
		{`{"images": []}`, 400, "0 images: want 1 to 20"}, {`{"images": [[1, 2]]}`, 400, "image 0 has 2 pixels: want 64"},
		{string(body(t, images(21, 1))), 400, "21 images"}, {`{"images": [[` + strings.Repeat("1,", 1<<16), 413, "too large"},
	} {
		if w := post(h, []byte(c.body)); w.Code != c.status || !strings.Contains(w.Body.String(), c.text) {
			t.Errorf("%.40s: status %d: %s, want %d: %s", c.body, w.Code, w.Body, c.status, c.text)
		}
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest("GET", "/classify", nil))
	if w.Code != http.StatusMethodNotAllowed {
		t.Errorf("GET: status %d", w.Code)
	}
	s.turns.Wait = time.Millisecond
	for range s.limits.AtOnce {
		if _, err := s.turns.Take(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if w := post(h, body(t, images(1, digits.Pixels))); w.Code != http.StatusServiceUnavailable {
		t.Errorf("of a busy server: status %d: %s", w.Code, w.Body)
	}
}

func TestModelOfAnotherShape(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.npz")
	if err := run(path, "localhost:0"); err == nil || !strings.Contains(err.Error(), "m.npz") {
		t.Errorf("without a file: %v", err)
	}
	params := nn.NewScope()
	nn.Affine(params.Sub("fc1"), nd.Zeros([]int{1, digits.Pixels}), 3)
	if err := nn.Save(path, params); err != nil {
		t.Fatal(err)
	}
	if err := run(path, "localhost:0"); err == nil || !strings.Contains(err.Error(), "fc1/affine/W") {
		t.Errorf("of another shape: %v", err)
	}
}
