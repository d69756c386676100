package nnabla

import (
	"fmt"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/internal/wire"
	"github.com/ndgrad/ndgrad/nn/model"
)

// LoadOptions are the options of [Load] and [Open].
type LoadOptions struct {
	// Name is the name of an executor or of a network, for Load. By default it is the first executor, or the first network
	// if the file has no executors.
	Name string
	// Params is the scope for the parameters, such as an empty one on another device; nil means a new scope.
	Params *nn.Scope
	// Initialize gives parameters that the file lacks the initial values that the network states for them, to train it
	// anew. Otherwise a missing parameter is an error.
	Initialize bool
}

// Load reads a network from a file, .nnp or .nntxt, with its parameters: see [File.Model].
//
// Networks in binary protobuf are refused: NNabla numbers the arguments of functions anew in each version, so that only a
// text says what they are.
func Load(path string, opts ...LoadOptions) (*model.Model, error) {
	const fn nd.Func = "nnabla.Load"
	o := options.Read(fn, opts)
	f, err := open(fn, path, o)
	if err != nil {
		return nil, err
	}
	m, err := f.model(o.Name)
	if err != nil {
		return nil, fmt.Errorf("%s: %s: %w", fn, path, err)
	}
	return m, nil
}

// File is a file of networks, in memory.
type File struct {
	path       string
	text       wire.Message
	members    []member
	params     *nn.Scope
	initialize bool
	networks   []*network
	executors  []*executor
}

// Open reads a file, .nnp or .nntxt, whose networks and executors are then chosen by their names. The option Name has no
// meaning for Open.
func Open(path string, opts ...LoadOptions) (*File, error) {
	const fn nd.Func = "nnabla.Open"
	return open(fn, path, options.Read(fn, opts))
}

func open(fn nd.Func, path string, o LoadOptions) (*File, error) {
	p, err := read(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", fn, err)
	}
	f := &File{path: path, text: p.text, members: p.members, params: o.Params, initialize: o.Initialize}
	if err := f.parse(); err != nil {
		return nil, fmt.Errorf("%s: %s: %w", fn, path, err)
	}
	if len(f.networks) == 0 {
		why := "the file has no network"
		if p.binary {
			why = "networks in binary protobuf are not read, because NNabla numbers the arguments of functions anew in each version: " +
				"save the network as .nnp or .nntxt"
		}
		return nil, fmt.Errorf("%s: %s: %s", fn, path, why)
	}
	if f.params == nil {
		f.params = nn.NewScope()
	}
	if err := setParameters(f.params, p.params); err != nil {
		return nil, fmt.Errorf("%s: %s: %w", fn, path, err)
	}
	return f, nil
}

// parse reads the networks and executors of the text.
func (f *File) parse() error {
	for _, field := range f.text {
		m, isMessage := field.Value.(wire.Message)
		if !isMessage {
			continue
		}
		var err error
		switch field.Name {
		case "network":
			f.networks = append(f.networks, &network{})
			err = m.Unmarshal(f.networks[len(f.networks)-1])
		case "executor":
			f.executors = append(f.executors, &executor{})
			err = m.Unmarshal(f.executors[len(f.executors)-1])
		}
		if err != nil {
			return fmt.Errorf("%s: %w", field.Name, err)
		}
	}
	return nil
}

// Networks returns the names of the networks.
func (f *File) Networks() []string {
	var names []string
	for _, n := range f.networks {
		names = append(names, n.Name)
	}
	return names
}

// Executors returns the names of the executors. An executor is a network with its inputs and outputs.
func (f *File) Executors() []string {
	var names []string
	for _, e := range f.executors {
		names = append(names, e.Name)
	}
	return names
}

// Params returns the scope of the parameters, which all models of the file share.
func (f *File) Params() *nn.Scope { return f.params }

// Model returns an executor or a network by its name; an empty name is the first executor, or the first network if the
// file has no executors.
//
// The inputs and outputs are those that the executor names. Further inputs are the variables that no function computes and
// that are no parameters; a call that does not need them may leave them out. Without an executor, the outputs are the
// variables that no function needs. An input has the shape that the file says. A network that was saved with a variable
// batch size has -1 there, and takes batches of any size.
//
// Calls compute what NNabla computes: BatchNormalization with batch_stat takes the statistics of the batch, and functions
// of labels and indices take floats. But only calls in training (see nn.Scope.Watch) write: running statistics, derived
// weights of binary layers, and the destination of Assign; and only they drop elements. Functions that draw random numbers
// take the stream that the scope was given.
//
// It is an error if the file lacks a parameter (see LoadOptions), if a function is unknown or has an unknown argument, or if
// the network has a loop of the console (repeat or recurrent).
func (f *File) Model(name string) (*model.Model, error) {
	m, err := f.model(name)
	if err != nil {
		return nil, fmt.Errorf("File.Model: %s: %w", f.path, err)
	}
	return m, nil
}

// Save writes the networks with the current parameters to a file, .nnp or .nntxt. Everything else that the file had is
// written again: executors, data sets, optimizers, and other members of an .nnp. The write is atomic.
func (f *File) Save(path string) error {
	if err := write(path, f.params, f.text, f.members); err != nil {
		return fmt.Errorf("File.Save: %w", err)
	}
	return nil
}
