package data

import (
	"fmt"
	"slices"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Examples returns a function that loads batches of a data set: it reads the examples at the given indices, and collate
// makes a batch of them. If collate panics with an [*nd.Error], for example because arrays do not fit together, the
// function returns it as the error of that batch. The function may be called from several goroutines if d and collate
// may.
//
//	batches := data.NewLoader(data.NewSampler(d.Len(), 64), data.Examples(d, data.Collate{}.Tuples))
func Examples[E, B any](d Dataset[E], collate func(examples []E) B) func(indices []int) (B, error) {
	return func(indices []int) (b B, err error) {
		examples, err := read(d, indices)
		if err != nil {
			return b, err
		}
		if refused := nd.Catch(func() { b = collate(examples) }); refused != nil {
			return b, fmt.Errorf("examples %v: %w", exampleNames(d, indices), refused)
		}
		return b, nil
	}
}

// read reads the examples at some indices.
func read[E any](d Dataset[E], indices []int) ([]E, error) {
	examples := make([]E, len(indices))
	for k, i := range indices {
		var err error
		if examples[k], err = d.At(i); err != nil {
			return nil, fmt.Errorf("example %s: %w", exampleName(d, i), err)
		}
	}
	return examples, nil
}

// Collate makes batches of examples that are arrays, tuples of arrays, or arrays by names: the arrays of all examples
// become one array with a new first axis that counts examples, in the dtype that they promote to. Its methods are
// arguments for [Examples].
// Chainer: dataset.concat_examples.
type Collate struct {
	// Padding fills up arrays that are shorter than others of the batch, along any of their axes; nil means that all
	// arrays must have one shape.
	Padding *float64
	// Paddings are the paddings for the elements of a tuple, one for each; they replace Padding.
	Paddings []float64
	// NamedPaddings are the paddings for names in a dictionary; Padding applies to all other names.
	NamedPaddings map[string]float64
	// Device is the device of the batches; nil means the device of the examples.
	Device device.Device
}

const collate nd.Func = "data.Collate"

// Arrays makes a batch of arrays of shape (s…): an array of shape (examples, s…).
func (c Collate) Arrays(examples []*nd.Array) *nd.Array {
	if len(examples) == 0 {
		panic(collate.Errorf(nil, "a batch without examples"))
	}
	return c.join(examples, c.Padding)
}

// Tuples makes a batch of tuples: one array for each element of a tuple.
func (c Collate) Tuples(examples [][]*nd.Array) Batch {
	if len(examples) == 0 {
		panic(collate.Errorf(nil, "a batch without examples"))
	}
	n := len(examples[0])
	for i, e := range examples {
		if len(e) != n {
			panic(collate.Errorf(nil, "a tuple of %d arrays, and at %[3]d in the batch one of %[2]d: want equal lengths", n, len(e), i))
		}
	}
	if c.Paddings != nil && len(c.Paddings) != n {
		panic(collate.Errorf(nil, "%d paddings for tuples of %d arrays", len(c.Paddings), n))
	}
	batch, column := make(Batch, n), make([]*nd.Array, len(examples))
	for k := range batch {
		for i, e := range examples {
			column[i] = e[k]
		}
		padding := c.Padding
		if c.Paddings != nil {
			padding = &c.Paddings[k]
		}
		batch[k] = c.join(column, padding)
	}
	return batch
}

// Dicts makes a batch of dictionaries: one array for each name.
func (c Collate) Dicts(examples []map[string]*nd.Array) map[string]*nd.Array {
	if len(examples) == 0 {
		panic(collate.Errorf(nil, "a batch without examples"))
	}
	for i, e := range examples {
		for name := range examples[0] {
			if e[name] == nil || len(e) != len(examples[0]) {
				panic(collate.Errorf(nil, "the names of example %d in the batch are not those of the first", i))
			}
		}
	}
	batch, column := make(map[string]*nd.Array, len(examples[0])), make([]*nd.Array, len(examples))
	for name := range examples[0] {
		for i, e := range examples {
			column[i] = e[name]
		}
		padding := c.Padding
		if p, ok := c.NamedPaddings[name]; ok {
			padding = &p
		}
		batch[name] = c.join(column, padding)
	}
	return batch
}

// join joins the arrays of all examples into one.
func (c Collate) join(xs []*nd.Array, padding *float64) *nd.Array {
	collate.Check(xs...)
	shape, ragged := slices.Clone(xs[0].Shape()), false
	operands := make([]dtype.Operand, len(xs))
	for i, x := range xs {
		operands[i].DType = x.DType()
		if broadcast.Equal(x.Shape(), xs[0].Shape()) {
			continue
		}
		if ragged = true; padding == nil || x.Rank() != len(shape) {
			panic(collate.Errorf(xs, "shapes %s and, at %d in the batch, %s: want one shape, or padding and equally many axes",
				broadcast.FormatShape(xs[0].Shape()), i, broadcast.FormatShape(x.Shape())))
		}
		for k, n := range x.Shape() {
			shape[k] = max(shape[k], n)
		}
	}
	o := nd.ArrayOptions{DType: dtype.ResultType(operands...), Device: xs[0].Device()}
	y := nd.Empty(append([]int{len(xs)}, shape...), o)
	if ragged {
		y.Assign(nd.Full(nil, *padding, o))
	}
	for i, x := range xs {
		at := []nd.Index{nd.At(i)}
		for _, n := range x.Shape() {
			at = append(at, nd.Until(n))
		}
		y.Assign(x, at...)
	}
	return to(y, c.Device)
}

// to moves a new array to a device; nil means no move.
func to(x *nd.Array, dev device.Device) *nd.Array {
	if dev == nil || dev == x.Device() {
		return x
	}
	defer x.Release()
	return x.To(dev)
}
