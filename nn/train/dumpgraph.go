package train

import (
	"io"
	"path/filepath"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/internal/wholefile"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/graph"
)

// DumpGraph writes how the loss of the first update was computed, in the language of Graphviz:
//
//	graph := train.NewDumpGraph()
//	updater := train.NewUpdater(batches, params, optimizer, loss, train.UpdaterOptions{OnLoss: graph.See})
//	…
//	trainer.Extend(graph)
//
// The updater shows it the loss, since the record of the tape is gone when extensions run.
type DumpGraph struct {
	Base
	o     DumpGraphOptions
	drawn *graph.Graph
}

// DumpGraphOptions are the options of [NewDumpGraph].
type DumpGraphOptions struct {
	// OutName is the name of the file in the trainer's folder; empty means "cg.dot".
	OutName string
	// VariableStyle and FunctionStyle are how variables and functions are drawn, as in graph.Options.
	VariableStyle, FunctionStyle graph.Style
}

// NewDumpGraph returns the extension. It writes after the first update that it sees, which in a training that goes on is none.
// chainer.training.extensions.dump_graph.
func NewDumpGraph(opts ...DumpGraphOptions) *DumpGraph {
	const fn nd.Func = "train.NewDumpGraph"
	o := options.Read(fn, opts)
	if o.OutName == "" {
		o.OutName = "cg.dot"
	}
	return &DumpGraph{o: o}
}

// Settings run it after the first update.
func (d *DumpGraph) Settings() Settings {
	return Settings{Name: "dump_graph", Trigger: At(Iteration, 1)}
}

// See draws the graph of a loss, the first that it is shown.
func (d *DumpGraph) See(loss *nd.Array) {
	if d.drawn == nil {
		d.drawn = graph.Build([]*nd.Array{loss}, graph.Options{VariableStyle: d.o.VariableStyle, FunctionStyle: d.o.FunctionStyle})
	}
}

// Run writes the file. Without a loss it does nothing.
func (d *DumpGraph) Run(t *Trainer) error {
	if d.drawn == nil {
		return nil
	}
	return wholefile.Write(filepath.Join(t.Out(), d.o.OutName), func(w io.Writer) error {
		_, err := d.drawn.WriteTo(w)
		return err
	})
}
