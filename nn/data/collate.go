package data

import (
	"fmt"
	"slices"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Examples loads batches of a data set: it reads the examples at some places, and collate makes a batch of them. What collate refuses by
// an [*nd.Error], such as arrays that do not fit together, is an error of that batch. It may be called from several goroutines if d and
// collate may.
//
//	batches := data.NewLoader(data.NewSampler(d.Len(), 64), data.Examples(d, data.Collate{}.Tuples))
func Examples[E, B any](d Dataset[E], collate func(examples []E) B) func(places []int) (B, error) {
	return func(places []int) (b B, err error) {
		examples, err := read(d, places)
		if err != nil {
			return b, err
		}
		if refused := nd.Catch(func() { b = collate(examples) }); refused != nil {
			return b, fmt.Errorf("examples %v: %w", places, refused)
		}
		return b, nil
	}
}

// read reads the examples at some places.
func read[E any](d Dataset[E], places []int) ([]E, error) {
	examples := make([]E, len(places))
	for k, i := range places {
		var err error
		if examples[k], err = d.At(i); err != nil {
			return nil, fmt.Errorf("example %d: %w", i, err)
		}
	}
	return examples, nil
}

// Collate makes batches of examples that are arrays, tuples of arrays, or arrays by names: the arrays of all examples become one, with a
// new first axis that counts examples, of the dtype in which theirs meet. Its methods are what [Examples] takes.
// chainer.dataset.concat_examples.
type Collate struct {
	// Padding stands behind the elements of arrays that are shorter than others of the batch, along any of their axes; nil means that all
	// must have one shape.
	Padding *float64
	// Paddings are those of the places in a tuple, instead of Padding: one for each.
	Paddings []float64
	// NamedPaddings are those of the names in a dictionary, where it is not Padding.
	NamedPaddings map[string]float64
	// Device is where batches are; nil is where the examples are.
	Device device.Device
}

const collate nd.Func = "data.Collate"

// Arrays makes a batch of arrays (s…): one of shape (examples, s…).
func (c Collate) Arrays(examples []*nd.Array) *nd.Array {
	if len(examples) == 0 {
		panic(collate.Errorf(nil, "a batch without examples"))
	}
	return c.join(examples, c.Padding)
}

// Tuples makes a batch of tuples: an array for each place in them.
func (c Collate) Tuples(examples [][]*nd.Array) Batch {
	if len(examples) == 0 {
		panic(collate.Errorf(nil, "a batch without examples"))
	}
	n := len(examples[0])
	for i, e := range examples {
		if len(e) != n {
			panic(collate.Errorf(nil, "tuples of %d arrays, and of %d at %d in the batch", n, len(e), i))
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

// Dicts makes a batch of dictionaries: an array for each name in them.
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

// join makes one array of those of all examples.
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
			panic(collate.Errorf(xs, "shapes %s and, at %d in the batch, %s: want one shape, or padding of arrays with as many axes",
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

// to takes a new array to a device, of which nil means that it stays.
func to(x *nd.Array, dev device.Device) *nd.Array {
	if dev == nil || dev == x.Device() {
		return x
	}
	defer x.Release()
	return x.To(dev)
}
