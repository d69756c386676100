package nnabla

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nn"
)

// The attributes of datasets and groups.
const (
	needGradName = "need_grad"
	indexName    = "index"
)

// readHDF5 returns the parameters of an HDF5 file: the arrays, in the order of their attribute index, which files of the
// first versions lack.
func readHDF5(r io.ReaderAt, size int64) ([]stored, error) {
	f, err := nd.NewHDF5(r, size)
	if err != nil {
		return nil, err
	}
	var params []stored
	for _, name := range f.Names() {
		p := stored{name: name}
		need, err := number(f, name, needGradName)
		if err != nil {
			return nil, err
		}
		p.needGrad = need != 0
		if names, err := f.AttributeNames(name); err != nil {
			return nil, err
		} else if slices.Contains(names, indexName) {
			if p.index, err = number(f, name, indexName); err != nil {
				return nil, err
			}
		}
		if p.array, err = f.Read(name); err != nil {
			return nil, err
		}
		if p.array.DType().IsComplex() {
			return nil, fmt.Errorf("the parameter %q is %s", name, p.array.DType())
		}
		params = append(params, p)
	}
	slices.SortStableFunc(params, func(a, b stored) int { return cmp.Compare(a.index, b.index) })
	return params, nil
}

// number returns an attribute that is one number.
func number(f *nd.HDF5, path, name string) (int, error) {
	v, err := f.Attribute(path, name)
	if err != nil {
		return 0, err
	}
	x, ok := v.(*nd.Array)
	if !ok || x.Size() != 1 || x.DType().IsComplex() {
		return 0, fmt.Errorf("the attribute %q of %q is not a number", name, path)
	}
	return int(nd.ToSlice[int64](x.AsType(dtype.Int64).Ravel())[0]), nil
}

// writeHDF5 writes the parameters below a scope.
func writeHDF5(f *nd.HDF5Writer, scope *nn.Scope) error {
	index := 0
	for name, p := range scope.All() {
		err := f.Write(name, p.Value())
		if err == nil {
			err = f.Attribute(name, needGradName, nd.Full(nil, p.NeedGrad()))
		}
		if err == nil {
			err = f.Attribute(name, indexName, nd.Full(nil, int64(index)))
		}
		if err != nil {
			return err
		}
		index++
	}
	return nil
}
