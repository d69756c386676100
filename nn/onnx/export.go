package onnx

import (
	"fmt"
	"io"
	"sync"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/internal/wire"
)

// ExportOptions are the options of Export.
type ExportOptions struct {
	// Params is the scope of the function's parameters, which become initializers under their paths. Nil means a new scope.
	Params *nn.Scope
	// Inputs and Outputs are names; by default "input" and "output", with numbers if there are several.
	Inputs, Outputs []string
	// Batch lets the first axis of the first input have any length in the file, and so that of other inputs with the same
	// length there. What depends on that length is computed from it.
	Batch bool
}

// Export writes what a function computes as an ONNX model of opset 17. It calls f with the inputs, and with a view of
// Params that evaluates; f gets its parameters from the view and computes from the arrays that it is given. Export traces these
// calls and writes the operations, so that the file has those that the call with these inputs has run: a branch of f, and a
// loop, is written as it went.
//
//	err := onnx.Export(w, func(s *nn.Scope, in []*nd.Array) []*nd.Array {
//		return []*nd.Array{network(s, in[0])}
//	}, []*nd.Array{x}, onnx.ExportOptions{Params: params, Batch: true})
//
// Names of layers (Scope.Span) are prefixes of the names of nodes. An operation without a translation is refused by its name,
// and the error lists all of them. So is an array that depends on the inputs although no operation links it to them, an array
// drawn at random inside f, and a value of such an array that f reads on the host: they are never written as constants. Other
// arrays that f makes or finds are constants.
//
// Before Export returns, it reads the file that it has written, runs it on the inputs and compares the outputs with those of f.
// With Batch it does so with other batch sizes, too. One Export runs at a time.
// PyTorch: onnx.export.
func Export(w io.Writer, f func(s *nn.Scope, in []*nd.Array) []*nd.Array, inputs []*nd.Array, opts ...ExportOptions) error {
	const fn nd.Func = "onnx.Export"
	o := options.Read(fn, opts)
	if o.Params == nil {
		o.Params = nn.NewScope()
	}
	if len(inputs) == 0 {
		return fmt.Errorf("%s: no inputs", fn)
	}
	fn.Check(inputs...)
	exporting.Lock()
	defer exporting.Unlock()
	m, err := o.export(f, inputs)
	if err != nil {
		return fmt.Errorf("%s: %w", fn, err)
	}
	data, err := wire.Marshal(m)
	if err != nil {
		return fmt.Errorf("%s: %w", fn, err)
	}
	if err := o.verify(data, f, inputs); err != nil {
		return fmt.Errorf("%s: %w", fn, err)
	}
	if _, err := w.Write(data); err != nil {
		return fmt.Errorf("%s: %w", fn, err)
	}
	return nil
}

// exporting is held by the Export that runs, because one nd.Trace runs at a time.
var exporting sync.Mutex

// exportedFunc is what is exported.
type exportedFunc func(s *nn.Scope, in []*nd.Array) []*nd.Array

func (o *ExportOptions) export(f exportedFunc, inputs []*nd.Array) (m *modelMessage, err error) {
	refused := nd.Catch(func() {
		f(o.Params, inputs) // creates the parameters, whose initial values are drawn
		if !o.Batch {
			var g *exported
			if g, err = o.traced(f, inputs); err == nil {
				m = g.model()
			}
			return
		}
		var first, second *exported
		n := max(batchOf(inputs), 2) // an axis of length 1 is one that broadcasts
		if first, err = o.traced(f, withBatch(inputs, n)); err != nil {
			return
		}
		if second, err = o.traced(f, withBatch(inputs, n+1)); err != nil {
			return
		}
		if err = first.generalize(second, batchAxis{n, n + 1}); err == nil {
			m = first.model()
		}
	})
	if refused != nil {
		return nil, refused
	}
	return m, err
}

// model returns the graph as the message of a file.
func (g *exported) model() *modelMessage {
	const opset, version = 17, 8
	g.prune()
	return &modelMessage{IrVersion: version, ProducerName: "ndgrad", Graph: &g.graph, OpsetImport: []*opsetMessage{{Version: opset}}}
}

// nameOf returns the name of one of several inputs or outputs.
func nameOf(names []string, k, n int, def string) string {
	switch {
	case k < len(names):
		return names[k]
	case n == 1:
		return def
	}
	return fmt.Sprintf("%s_%d", def, k)
}
