package nnabla

import (
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/internal/wire"
)

// LoadParameters reads the parameters of a file into a scope: .h5, .protobuf, .nntxt, or an .nnp that holds one of these.
// Parameters that exist get the file's values, converted to their dtypes; the others are created in the file's order, in
// the scope's dtype. A parameter whose need_grad is false is not trained. Parameters that the file does not have stay as
// they are. On an error nothing changes: if the file has a parameter of another shape than the scope, or a new one in a
// closed scope.
// NNabla: load_parameters.
func LoadParameters(path string, scope *nn.Scope) error {
	const fn nd.Func = "nnabla.LoadParameters"
	f, err := read(path)
	if err != nil {
		return fmt.Errorf("%s: %w", fn, err)
	}
	if err := setParameters(scope, f.params); err != nil {
		return fmt.Errorf("%s: %s: %w", fn, path, err)
	}
	return nil
}

// SaveParameters writes the parameters below a scope to a file, under their names in the scope: .h5, .protobuf, .nntxt, or
// an .nnp that holds the first. All but .h5 hold float32. The write is atomic.
// NNabla: save_parameters.
func SaveParameters(path string, scope *nn.Scope) error {
	const fn nd.Func = "nnabla.SaveParameters"
	if err := write(path, scope, nil, nil); err != nil {
		return fmt.Errorf("%s: %w", fn, err)
	}
	return nil
}

// stored is a parameter of a file.
type stored struct {
	name     string
	needGrad bool
	index    int // for the order, in HDF5 files
	array    *nd.Array
}

// upTo returns a shape of a file. It is not ok if a length is negative, or makes more elements than the given number.
func (s *shape) upTo(elements int) (lengths []int, ok bool) {
	lengths, size := []int{}, 1
	if s == nil {
		return lengths, true
	}
	for _, n := range s.Dim {
		if n < 0 || n > 0 && int64(size) > int64(elements)/n {
			return nil, false
		}
		lengths, size = append(lengths, int(n)), size*int(n)
	}
	return lengths, true
}

// lengths returns a shape of a file that has exactly so many elements.
func (s *shape) lengths(elements int) ([]int, error) {
	lengths, ok := s.upTo(elements)
	if !ok {
		return nil, fmt.Errorf("shape %v of %d values", s.Dim, elements)
	}
	if broadcast.Size(lengths) != elements {
		return nil, fmt.Errorf("shape %s of %d values", broadcast.FormatShape(lengths), elements)
	}
	return lengths, nil
}

// values returns the array that a message has: data in a shape.
func values(data wire.Numbers[float32], s *shape) (*nd.Array, error) {
	lengths, err := s.lengths(data.Len())
	if err != nil {
		return nil, err
	}
	x := nd.Empty(lengths, dtype.Float32)
	return x, data.CopyTo(nd.Data[float32](x))
}

// storedOf returns the parameters of messages.
func storedOf(all []*parameter) ([]stored, error) {
	params := make([]stored, len(all))
	for i, p := range all {
		x, err := values(p.Data, p.Shape)
		if err != nil {
			return nil, fmt.Errorf("parameter %q: %w", p.VariableName, err)
		}
		params[i] = stored{name: p.VariableName, needGrad: p.NeedGrad, array: x}
	}
	return params, nil
}

// setParameters sets parameters of a scope, all or none.
func setParameters(scope *nn.Scope, params []stored) error {
	if err := checkNames(params); err != nil {
		return err
	}
	for _, p := range params {
		if err := scope.CheckParameter(p.name, p.array.Shape()); err != nil {
			return err
		}
	}
	for _, p := range params {
		x := p.array
		if x.DType().Kind() == scope.DType().Kind() && scope.Param(p.name) == nil {
			x = x.AsType(scope.DType())
		}
		scope.Set(p.name, x)
		x.Release()
		scope.Param(p.name).SetNeedGrad(p.needGrad)
	}
	return nil
}

// checkNames refuses names that occur twice, and a parameter that is a folder of another one, too.
func checkNames(params []stored) error {
	known := make(map[string]bool, len(params))
	for _, p := range params {
		if known[p.name] {
			return fmt.Errorf("there are two parameters %q", p.name)
		}
		known[p.name] = true
	}
	for _, p := range params {
		for k, c := range p.name {
			if c == '/' && known[p.name[:k]] {
				return fmt.Errorf("%q is both a parameter and the scope of %q", p.name[:k], p.name)
			}
		}
	}
	return nil
}

// message returns a parameter of a scope as a message.
func message(name string, p *nn.Param) *parameter {
	x := p.Value()
	return &parameter{VariableName: name, Shape: shapeOf(x), NeedGrad: p.NeedGrad(), Data: numbers(x)}
}

func shapeOf(x *nd.Array) *shape {
	s := &shape{}
	for _, n := range x.Shape() {
		s.Dim = append(s.Dim, int64(n))
	}
	return s
}

// numbers returns the elements of an array as floats.
func numbers(x *nd.Array) wire.Numbers[float32] {
	y := x.AsType(dtype.Float32)
	if y != x {
		defer y.Release()
	}
	return wire.NumbersOf(nd.ToSlice[float32](y))
}

// checkSaved refuses parameters that a message cannot hold.
func checkSaved(scope *nn.Scope) error {
	for name, p := range scope.All() {
		if !utf8.ValidString(name) {
			return fmt.Errorf("the name %q is not UTF-8", name)
		}
		if p.Value().DType().IsComplex() {
			return fmt.Errorf("the parameter %q is %s: NNabla has real parameters only", name, p.Value().DType())
		}
	}
	return nil
}

// writeMessages writes the parameters below a scope one by one. marshal is that of the format.
func writeMessages(w io.Writer, scope *nn.Scope, marshal func(from any) ([]byte, error)) error {
	for name, p := range scope.All() {
		data, err := marshal(&contents{Parameter: []*parameter{message(name, p)}})
		if err == nil {
			err = writeAll(w, data)
		}
		if err != nil {
			return fmt.Errorf("parameter %q: %w", name, err)
		}
	}
	return nil
}
