package data

import (
	"maps"
	"slices"
	"sort"

	"github.com/ndgrad/ndgrad/nd"
)

// Dataset is a list of examples with the indices 0 to Len()-1. Batches made ahead of time call At from several
// goroutines.
// Chainer: dataset.DatasetMixin.
type Dataset[E any] interface {
	// Len returns the number of examples.
	Len() int
	// At returns the example at an index, or an error if it cannot be read. It panics if the index is out of range.
	At(i int) (E, error)
}

// checkIndex panics if an index is out of range for n examples.
func checkIndex(fn nd.Func, i, n int) {
	if i < 0 || i >= n {
		panic(fn.Errorf(nil, "index %d is out of range for %d examples", i, n))
	}
}

// Select reads the examples that an index chooses, with Python's meaning of negative and out-of-range indices:
// nd.At(-1) is the last one, nd.Span(1, 4) are three, nd.All().By(-1) are all in reverse order, nd.Pick(indices) those
// at the indices in an array.
// Chainer: dataset.DatasetMixin.__getitem__.
func Select[E any](d Dataset[E], ix nd.Index) ([]E, error) {
	return read(d, nd.ToSlice[int](nd.ArangeInt(0, d.Len(), 1).Index(ix)))
}

// Slice is a data set of examples in memory.
type Slice[E any] []E

// Len returns the number of examples.
func (s Slice[E]) Len() int { return len(s) }

// At returns an example.
func (s Slice[E]) At(i int) (E, error) {
	checkIndex("data.Slice", i, len(s))
	return s[i], nil
}

// Items returns the data set of an array's items along its first axis: example i is the view x[i].
func Items(x *nd.Array) Dataset[*nd.Array] {
	const fn nd.Func = "data.Items"
	if fn.Check(x); x.Rank() == 0 {
		panic(fn.Errorf([]*nd.Array{x}, "want an array with a first axis"))
	}
	return items{x}
}

type items struct{ x *nd.Array }

func (t items) Len() int { return t.x.Dim(0) }

func (t items) At(i int) (*nd.Array, error) {
	checkIndex("data.Items", i, t.Len())
	return t.x.Index(nd.At(i)), nil
}

// Map returns a data set whose examples are f(example); f is called whenever an example is read.
// Chainer: datasets.TransformDataset.
func Map[E, F any](d Dataset[E], f func(example E) (F, error)) Dataset[F] { return mapped[E, F]{d, f} }

type mapped[E, F any] struct {
	d Dataset[E]
	f func(E) (F, error)
}

func (m mapped[E, F]) Len() int { return m.d.Len() }

func (m mapped[E, F]) At(i int) (f F, err error) {
	e, err := m.d.At(i)
	if err != nil {
		return f, err
	}
	return m.f(e)
}

// Zip joins data sets of equal length: example i is the tuple of their examples i.
// Chainer: datasets.TupleDataset.
func Zip[E any](parts ...Dataset[E]) Dataset[[]E] {
	const fn nd.Func = "data.Zip"
	if len(parts) == 0 {
		panic(fn.Errorf(nil, "want at least one data set"))
	}
	for k, d := range parts {
		if d.Len() != parts[0].Len() {
			panic(fn.Errorf(nil, "data set 0 has %d examples, data set %[3]d has %[2]d: want equally many", parts[0].Len(), d.Len(), k))
		}
	}
	return tuples[E](parts)
}

type tuples[E any] []Dataset[E]

func (t tuples[E]) Len() int { return t[0].Len() }

func (t tuples[E]) At(i int) ([]E, error) {
	example := make([]E, len(t))
	for k, d := range t {
		var err error
		if example[k], err = d.At(i); err != nil {
			return nil, err
		}
	}
	return example, nil
}

// ZipNamed joins data sets of equal length by names: example i maps each name to example i of its data set.
// Chainer: datasets.DictDataset.
func ZipNamed[E any](parts map[string]Dataset[E]) Dataset[map[string]E] {
	const fn nd.Func = "data.ZipNamed"
	if len(parts) == 0 {
		panic(fn.Errorf(nil, "want at least one data set"))
	}
	t := named[E]{names: slices.Sorted(maps.Keys(parts))}
	for _, name := range t.names {
		d := parts[name]
		if t.parts = append(t.parts, d); d.Len() != t.Len() {
			panic(fn.Errorf(nil, "%[2]q has %[1]d examples, %[4]q has %[3]d: want equally many", t.Len(), t.names[0], d.Len(), name))
		}
	}
	return t
}

// named has its parts in a fixed order, so that parts that draw random numbers always draw in the same order.
type named[E any] struct {
	names []string
	parts tuples[E]
}

func (t named[E]) Len() int { return t.parts.Len() }

func (t named[E]) At(i int) (map[string]E, error) {
	tuple, err := t.parts.At(i)
	if err != nil {
		return nil, err
	}
	example := make(map[string]E, len(tuple))
	for k, name := range t.names {
		example[name] = tuple[k]
	}
	return example, nil
}

// Concat returns the examples of one data set after the other.
func Concat[E any](parts ...Dataset[E]) Dataset[E] {
	c := concatenated[E]{parts, make([]int, len(parts))}
	n := 0
	for k, d := range parts {
		n += d.Len()
		c.ends[k] = n
	}
	return c
}

type concatenated[E any] struct {
	parts []Dataset[E]
	ends  []int // the end of each part, counted from the first example of all
}

func (c concatenated[E]) Len() int {
	if len(c.ends) == 0 {
		return 0
	}
	return c.ends[len(c.ends)-1]
}

func (c concatenated[E]) At(i int) (E, error) {
	checkIndex("data.Concat", i, c.Len())
	k, i := c.find(i)
	return c.parts[k].At(i)
}

// find returns the part that has example i, and the example's index there.
func (c concatenated[E]) find(i int) (part, at int) {
	part = sort.SearchInts(c.ends, i+1)
	if part > 0 {
		i -= c.ends[part-1]
	}
	return part, i
}
