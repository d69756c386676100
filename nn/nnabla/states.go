package nnabla

import (
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strings"

	"github.com/ndgrad/ndgrad/internal/wholefile"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/archive"
	"github.com/ndgrad/ndgrad/nn/internal/wire"
	"github.com/ndgrad/ndgrad/nn/optim"
)

// LoadStates reads the states of a solver for the parameters below a scope from a file, .h5 or .protobuf. The solver must
// be of the same kind; options, the learning rate among them, are not in the file. States of parameters that do not exist
// yet wait for them. On an error nothing changes.
// NNabla: Solver.load_states.
func LoadStates(path string, opt *optim.Optimizer, scope *nn.Scope) error {
	const fn nd.Func = "nnabla.LoadStates"
	states, err := readStates(path)
	if err != nil {
		return fmt.Errorf("%s: %w", fn, err)
	}
	states = append(states, nd.Named{Name: rateName, Array: nd.Full(nil, opt.LearningRate())})
	if err := archive.Restore(path, states, opt.Of(scope)); err != nil {
		return fmt.Errorf("%s: %w", fn, err)
	}
	return nil
}

// SaveStates writes the states of a solver for the parameters below a scope to a file, .h5 or .protobuf. The write is
// atomic.
// NNabla: Solver.save_states.
func SaveStates(path string, opt *optim.Optimizer, scope *nn.Scope) error {
	const fn nd.Func = "nnabla.SaveStates"
	values, err := archive.Collect(opt.Of(scope))
	if err != nil {
		return fmt.Errorf("%s: %s: %w", fn, path, err)
	}
	all, err := statesOf(values)
	if err != nil {
		return fmt.Errorf("%s: %s: %w", fn, path, err)
	}
	switch extension := strings.ToLower(filepath.Ext(path)); extension {
	case ".h5":
		err = nd.CreateHDF5(path, func(f *nd.HDF5Writer) error { return writeHDF5States(f, all) })
	case ".protobuf":
		err = wholefile.Write(path, func(w io.Writer) error { return writeBinaryStates(w, all) })
	default:
		err = fmt.Errorf("want an extension .h5 or .protobuf, not %q", extension)
	}
	if err != nil {
		return fmt.Errorf("%s: %s: %w", fn, path, err)
	}
	return nil
}

// The names that optim.Optimizer.Of gives to the learning rate and to the number of updates.
const (
	rateName  = "learning_rate"
	countName = "t"
)

// states are the states of one parameter.
type states struct {
	name   string
	t      uint32
	arrays nd.NamedArrays // by their own names
}

// statesOf sorts the values of an optimizer by parameters.
func statesOf(values nd.NamedArrays) ([]*states, error) {
	var all []*states
	for _, v := range values {
		cut := strings.LastIndexByte(v.Name, '/')
		if cut < 0 {
			continue // the learning rate
		}
		name, kind := v.Name[:cut], v.Name[cut+1:]
		if len(all) == 0 || all[len(all)-1].name != name {
			all = append(all, &states{name: name})
		}
		s := all[len(all)-1]
		if kind != countName {
			s.arrays = append(s.arrays, nd.Named{Name: kind, Array: v.Array})
			continue
		}
		t := nd.Value[int64](v.Array)
		if t > math.MaxUint32 {
			return nil, fmt.Errorf("%d updates of the parameter %q", t, name)
		}
		s.t = uint32(t)
	}
	return all, nil
}

func writeBinaryStates(w io.Writer, all []*states) error {
	o := &optimizer{Solver: &solver{}}
	for _, s := range all {
		m := &state{T: s.t}
		for _, a := range s.arrays {
			m.StateParameter = append(m.StateParameter, &stateParameter{a.Name, &stateArray{shapeOf(a.Array), numbers(a.Array)}})
		}
		o.Solver.States = append(o.Solver.States, &stateEntry{s.name, m})
	}
	data, err := wire.Marshal(o)
	if err != nil {
		return err
	}
	return writeAll(w, data)
}

func writeHDF5States(f *nd.HDF5Writer, all []*states) error {
	for i, s := range all {
		err := f.Group(s.name)
		if err == nil {
			err = f.Attribute(s.name, indexName, nd.Full(nil, int64(i)))
		}
		for k, a := range s.arrays {
			name := s.name + "/" + a.Name
			if err == nil {
				err = f.Write(name, a.Array)
			}
			if err == nil {
				err = f.Attribute(name, indexName, nd.Full(nil, int64(k)))
			}
		}
		if err == nil {
			err = f.Write(s.name+"/"+countName, nd.Full(nil, int64(s.t)))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// readStates returns the states of a file under the names that optim.Optimizer.Of has for them.
func readStates(path string) (all nd.NamedArrays, err error) {
	switch extension := strings.ToLower(filepath.Ext(path)); extension {
	case ".h5":
		all, err = nd.LoadHDF5(path)
	case ".protobuf":
		all, err = readBinaryStates(path)
	default:
		err = fmt.Errorf("want an extension .h5 or .protobuf, not %q", extension)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return all, nil
}

func readBinaryStates(path string) (all nd.NamedArrays, err error) {
	file, size, err := openFile(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var o optimizer
	if err := wire.Unmarshal(file, size, &o); err != nil {
		return nil, err
	}
	if o.Solver == nil {
		if size > 0 {
			return nil, errors.New("the file has no states of a solver")
		}
		return nil, nil
	}
	for _, e := range o.Solver.States {
		s := e.Value
		if s == nil {
			s = &state{}
		}
		all = append(all, nd.Named{Name: e.Key + "/" + countName, Array: nd.Full(nil, int64(s.T))})
		for _, p := range s.StateParameter {
			v := p.Value
			if v == nil {
				v = &stateArray{}
			}
			name := e.Key + "/" + p.Key
			x, err := values(v.Data, v.Shape)
			if err != nil {
				return nil, fmt.Errorf("the state %q: %w", name, err)
			}
			all = append(all, nd.Named{Name: name, Array: x})
		}
	}
	return all, nil
}
