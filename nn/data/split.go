package data

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
)

// OrderOptions are the options of [Sub], [Split] and [CrossValidation].
type OrderOptions struct {
	// Order lists the indices of all examples in the order in which they are divided; nil means 0, 1, ….
	Order []int
}

// Sub returns the examples from start up to finish (exclusive) of a data set, in its order or the given one: example i
// is d's example Order[start+i].
// Chainer: datasets.SubDataset.
func Sub[E any](d Dataset[E], start, finish int, opts ...OrderOptions) Dataset[E] {
	const fn nd.Func = "data.Sub"
	return sub(fn, d, start, finish, orderOf(fn, d.Len(), opts))
}

// Split divides a data set in two: the first n examples, and the others.
// Chainer: datasets.split_dataset.
func Split[E any](d Dataset[E], n int, opts ...OrderOptions) (first, rest Dataset[E]) {
	const fn nd.Func = "data.Split"
	return split(fn, d, n, orderOf(fn, d.Len(), opts))
}

// SplitRandom divides a data set in two: n randomly drawn examples, and the others.
// Chainer: datasets.split_dataset_random.
func SplitRandom[E any](d Dataset[E], n int, rng *nd.Rand) (first, rest Dataset[E]) {
	const fn nd.Func = "data.SplitRandom"
	return split(fn, d, n, drawnOrder(fn, d.Len(), rng))
}

// Fold is a division of a data set into a training set and a test set.
type Fold[E any] struct{ Train, Test Dataset[E] }

// CrossValidation divides a data set into training and test sets, once per fold. Every example is in the test set of
// exactly one fold, the last examples in that of the first fold. The sizes of the test sets differ by at most one.
// Chainer: datasets.get_cross_validation_datasets.
func CrossValidation[E any](d Dataset[E], folds int, opts ...OrderOptions) []Fold[E] {
	const fn nd.Func = "data.CrossValidation"
	return crossValidation(fn, d, folds, orderOf(fn, d.Len(), opts))
}

// CrossValidationRandom is CrossValidation in a random order.
// Chainer: datasets.get_cross_validation_datasets_random.
func CrossValidationRandom[E any](d Dataset[E], folds int, rng *nd.Rand) []Fold[E] {
	const fn nd.Func = "data.CrossValidationRandom"
	return crossValidation(fn, d, folds, drawnOrder(fn, d.Len(), rng))
}

// crossValidation rotates the order by one test set after every fold.
func crossValidation[E any](fn nd.Func, d Dataset[E], folds int, order []int) []Fold[E] {
	n := d.Len()
	if folds < 1 || folds > n {
		panic(fn.Errorf(nil, "%d folds of %d examples: want at least one fold, and at most one per example", folds, n))
	}
	if order == nil {
		order = identity(n)
	}
	all := make([]Fold[E], folds)
	for k := range all {
		size := n*(folds-k)/folds - n*(folds-k-1)/folds
		all[k].Train, all[k].Test = split(fn, d, n-size, order)
		order = append(order[n-size:n:n], order[:n-size]...)
	}
	return all
}

func split[E any](fn nd.Func, d Dataset[E], n int, order []int) (first, rest Dataset[E]) {
	if n < 0 || n > d.Len() {
		panic(fn.Errorf(nil, "%d of %d examples", n, d.Len()))
	}
	return sub(fn, d, 0, n, order), sub(fn, d, n, d.Len(), order)
}

func sub[E any](fn nd.Func, d Dataset[E], start, finish int, order []int) Dataset[E] {
	if start < 0 || start > finish || finish > d.Len() {
		panic(fn.Errorf(nil, "the range from %d up to %d does not fit %d examples", start, finish, d.Len()))
	}
	if order != nil {
		return picked[E]{d, order[start:finish:finish]}
	}
	return part[E]{d, start, finish - start}
}

// part is a range of examples in a data set.
type part[E any] struct {
	d        Dataset[E]
	start, n int
}

func (p part[E]) Len() int { return p.n }

func (p part[E]) At(i int) (E, error) {
	checkIndex("data.Sub", i, p.n)
	return p.d.At(p.start + i)
}

// picked holds the examples of a data set at some indices.
type picked[E any] struct {
	d       Dataset[E]
	indices []int
}

func (p picked[E]) Len() int { return len(p.indices) }

func (p picked[E]) At(i int) (E, error) {
	checkIndex("data.Sub", i, len(p.indices))
	return p.d.At(p.indices[i])
}

// orderOf checks an order of n examples, which must contain each index once.
func orderOf(fn nd.Func, n int, opts []OrderOptions) []int {
	order := options.Read(fn, opts).Order
	if order == nil {
		return nil
	}
	if err := checkOrder(order, n); err != nil {
		panic(fn.Errorf(nil, "%v", err))
	}
	return append(make([]int, 0, n), order...)
}

func drawnOrder(fn nd.Func, n int, rng *nd.Rand) []int {
	if rng == nil {
		panic(fn.Errorf(nil, "no stream of random numbers: pass nd.NewRand(seed)"))
	}
	return rng.Perm(n)
}

func identity(n int) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	return order
}
