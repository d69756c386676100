package train_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/graph"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/data"
	"github.com/ndgrad/ndgrad/nn/link"
	"github.com/ndgrad/ndgrad/nn/optim"
	"github.com/ndgrad/ndgrad/nn/report"
	"github.com/ndgrad/ndgrad/nn/train"
)

func TestDumpGraph(t *testing.T) {
	folder := t.TempDir()
	losses := 0
	d := train.NewDumpGraph(train.DumpGraphOptions{OutName: "g.dot", FunctionStyle: graph.Style{"shape": "star"}})
	loss := func(m *nn.Scope, x data.Batch, _ *report.Reporter) *nd.Array {
		losses++
		y := link.Linear{OutSize: 1}.Apply(m, x[0])
		if losses > 1 {
			y = ops.Tanh(y) // another graph, which is not drawn
		}
		return ops.Mean(y)
	}
	batches := data.NewLoader(data.NewSampler(4, 2), data.Rows(nd.Ones([]int{4, 3})))
	u := train.NewUpdater(batches, nn.NewScope(), optim.NewSGD(), loss, train.UpdaterOptions{OnLoss: d.See})
	tr := train.New(u, train.Every(3, train.Iteration), folder)
	tr.Extend(d)
	if err := tr.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(folder, "g.dot"))
	if err != nil {
		t.Fatal(err)
	}
	for what, want := range map[string]bool{"digraph": true, "star": true, "W: (1, 3), float32": true, "anh": false} {
		if strings.Contains(string(text), what) != want {
			t.Errorf("%q is in it: %v\n%s", what, !want, text)
		}
	}
}

// An extension that gets no loss has no graph.
func TestDumpGraphOfNothing(t *testing.T) {
	folder := t.TempDir()
	tr := train.New(newCounter(2, 1, nil), train.Every(2, train.Iteration), folder)
	tr.Extend(train.NewDumpGraph())
	if err := tr.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(folder, "cg.dot")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("there is a file: %v", err)
	}
}
