package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"image"
	"image/png"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"

	"github.com/ndgrad/ndgrad/examples/internal/serving"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/memvar"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/onnx"
)

var real = flag.String("model", "", "folder of magika's model: testing/onnx/fetch.sh fetches it")

// toy writes a model that sees four bytes of each end, and prefers the first label to the second if the first byte is larger than the last.
func toy(t *testing.T, labels string) string {
	t.Helper()
	network := func(s *nn.Scope, in []*nd.Array) []*nd.Array {
		w := nd.Zeros([]int{8, 2}, dtype.Float32)
		w.Assign(nd.FromSlice([]float32{1, -1}), nd.At(0))
		w.Assign(nd.FromSlice([]float32{-1, 1}), nd.At(7))
		return []*nd.Array{ops.Softmax(ops.MatMul(in[0].AsType(dtype.Float32), w))}
	}
	var file bytes.Buffer
	o := onnx.ExportOptions{Params: nn.NewScope(), Inputs: []string{"bytes"}, Outputs: []string{"scores"}}
	if err := onnx.Export(&file, network, []*nd.Array{nd.Zeros([]int{1, 8}, dtype.Int32)}, o); err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	config := `{"beg_size": 4, "end_size": 4, "block_size": 6, "padding_token": 256, "min_file_size_for_dl": 2, "target_labels_space": ` + labels + `,
		"medium_confidence_threshold": 0.6, "thresholds": {"falling": 0.9}, "overwrite_map": {"rising": "up"}}`
	for name, data := range map[string][]byte{"model.onnx": file.Bytes(), "config.min.json": []byte(config)} {
		if err := os.WriteFile(filepath.Join(folder, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

func newTestServer(t *testing.T, folder string) *server {
	t.Helper()
	c, err := load(folder)
	if err != nil {
		t.Fatal(err)
	}
	return &server{classifier: c, turns: serving.NewTurns(2, 20*time.Second), most: 1 << 20}
}

// post returns the status of the answer to a file, and the label or the text of the failure.
func post(s *server, file string) (status int, a answer, text string) {
	w := httptest.NewRecorder()
	serving.Handler(s.classify).ServeHTTP(w, httptest.NewRequest("POST", "/classify", strings.NewReader(file)))
	if w.Code == http.StatusOK {
		if err := json.Unmarshal(w.Body.Bytes(), &a); err != nil {
			text = err.Error()
		}
		return w.Code, a, text
	}
	return w.Code, a, w.Body.String()
}

func TestAnswers(t *testing.T) {
	s := newTestServer(t, toy(t, `["falling", "rising"]`))
	for file, want := range map[string]answer{
		"": {"empty", 1, ""}, "a": {"txt", 1, ""}, "\xff": {"unknown", 1, ""}, " \n a": {"txt", 1, ""}, "z123456a": {"falling", 1, ""},
		" \na123456z\n": {"up", 1, ""}, "ab": {"up", 0.9, ""},
	} {
		status, got, text := post(s, file)
		if status != http.StatusOK || got.Label != want.Label || math.Abs(float64(got.Score-want.Score)) > 0.05 || got.Guess != want.Guess {
			t.Errorf("%q: status %d, %+v %s, want %+v", file, status, got, text, want)
		}
	}
	if _, got, _ := post(s, "xx"+strings.Repeat("-", 20)+"xx"); got.Label != "txt" || got.Score != 0.5 || got.Guess != "falling" {
		t.Errorf("of a file between the labels: %+v", got)
	}
	if status, _, text := post(s, strings.Repeat("x", 1<<20+1)); status != http.StatusRequestEntityTooLarge {
		t.Errorf("a large file: status %d: %s", status, text)
	}
}

func TestFeatures(t *testing.T) {
	c := &classifier{settings: settings{BegSize: 4, EndSize: 3, BlockSize: 6, Padding: 256}}
	for file, want := range map[string][]int32{
		"":                 {256, 256, 256, 256, 256, 256, 256},
		" a ":              {'a', ' ', 256, 256, 256, ' ', 'a'},
		"  0123456789  \n": {'0', '1', '2', '3', '7', '8', '9'},
	} {
		f, err := readEnds(iotest.OneByteReader(strings.NewReader(file)), c.BlockSize)
		if err != nil || f.size != len(file) {
			t.Fatalf("%d bytes, %v", f.size, err)
		}
		if got := c.features(f); !slices.Equal(got, want) {
			t.Errorf("%q: features %v, want %v", file, got, want)
		}
	}
	if _, err := readEnds(iotest.ErrReader(os.ErrClosed), 6); err == nil {
		t.Error("an error of the reader is lost")
	}
	if got := plain([]byte("é")[:1]); got != "txt" {
		t.Errorf("the beginning of a character is %q", got)
	}
}

// TestLeavesNothing: requests that run at once leave no memory, and the metrics show what was answered.
func TestLeavesNothing(t *testing.T) {
	s := newTestServer(t, toy(t, `["falling", "rising"]`))
	post(s, "z123456a") // the model keeps some arrays for later calls
	memvar.Publish("arrays")
	defer nd.CountMemory(false)
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			for range 10 {
				if status, _, text := post(s, "z123456a"); status != http.StatusOK {
					t.Errorf("status %d: %s", status, text)
				}
			}
		})
	}
	wait.Wait()
	if all := nd.MemoryByMaker(); all.Total().Blocks != 0 {
		t.Errorf("memory is left:\n%s", all)
	}
	w := httptest.NewRecorder()
	serving.Handler(s.classify).ServeHTTP(w, httptest.NewRequest("GET", "/debug/vars", nil))
	for _, want := range []string{`"falling": `, `"compute_microseconds": `, `"arrays": {"blocks":0`} {
		if !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s is missing in %s", want, w.Body)
		}
	}
}

func TestRefusesModels(t *testing.T) {
	if err := run(t.TempDir(), "localhost:0"); err == nil || !strings.Contains(err.Error(), "config.min.json") {
		t.Errorf("a folder without a model: %v", err)
	}
	if err := run(toy(t, `["one"]`), "localhost:0"); err == nil || !strings.Contains(err.Error(), "2 scores for 1 labels") {
		t.Errorf("labels of another model: %v", err)
	}
}

// TestMagika asks for files of known kinds. It needs the model.
func TestMagika(t *testing.T) {
	if *real == "" {
		t.Skip("no -model: testing/onnx/examples.sh fetches it and runs the test")
	}
	s := newTestServer(t, *real)
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewRGBA(image.Rect(0, 0, 90, 60))); err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile("server.go")
	if err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]string{
		picture.String(): "png", string(source): "go", "": "empty", "#!/usr/bin/env bash\nset -eu\nfor f in *.txt; do\n  echo \"$f\"\ndone\n": "shell",
		"import os\n\n\ndef main():\n    for name in os.listdir('.'):\n        print(name)\n\n\nif __name__ == '__main__':\n    main()\n": "python",
		"<!DOCTYPE html>\n<html><head><title>x</title></head><body><p>Text</p></body></html>\n":                                           "html",
	} {
		if status, got, text := post(s, file); status != http.StatusOK || got.Label != want {
			t.Errorf("%.20q: status %d: %+v %s, want %s", file, status, got, text, want)
		}
	}
}
