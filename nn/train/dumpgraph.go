package train

import (
	"io"
	"path/filepath"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/internal/wholefile"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/graph"
)

// DumpGraph writes the computation graph of the loss of the first update, in Graphviz's language:
//
//	graph := train.NewDumpGraph()
//	updater := train.NewUpdater(batches, params, optimizer, loss, train.UpdaterOptions{OnLoss: graph.See})
//	…
//	trainer.Extend(graph)
//
// The updater passes the loss to See, because the tape's record no longer exists when extensions run.
type DumpGraph struct {
	Base
	o     DumpGraphOptions
	drawn *graph.Graph
}

// DumpGraphOptions are the options of [NewDumpGraph].
type DumpGraphOptions struct {
	// OutName is the name of the file in the trainer's folder; empty means "cg.dot".
	OutName string
	// VariableStyle and FunctionStyle define how variables and functions are drawn, as in graph.Options.
	VariableStyle, FunctionStyle graph.Style
}

// NewDumpGraph returns the extension. It writes the graph after the first update that it sees. In a resumed training it
// sees none.
// Chainer: training.extensions.dump_graph.
func NewDumpGraph(opts ...DumpGraphOptions) *DumpGraph {
	const fn nd.Func = "train.NewDumpGraph"
	o := options.Read(fn, opts)
	if o.OutName == "" {
		o.OutName = "cg.dot"
	}
	return &DumpGraph{o: o}
}

// Settings make the extension run after the first update.
func (d *DumpGraph) Settings() Settings {
	return Settings{Name: "dump_graph", Trigger: At(Iteration, 1)}
}

// See draws the graph of the first loss that it gets.
func (d *DumpGraph) See(loss *nd.Array) {
	if d.drawn == nil {
		d.drawn = graph.Build([]*nd.Array{loss}, graph.Options{VariableStyle: d.o.VariableStyle, FunctionStyle: d.o.FunctionStyle})
	}
}

// Run writes the file. Without a loss it does nothing.
func (d *DumpGraph) Run(t *Trainer) error {
	if d.drawn == nil || t.Rank() > 0 {
		return nil
	}
	return wholefile.Write(filepath.Join(t.Out(), d.o.OutName), func(w io.Writer) error {
		_, err := d.drawn.WriteTo(w)
		return err
	})
}
