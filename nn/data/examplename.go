package data

import (
	"fmt"
	"slices"
	"strconv"
)

// derived is a data set whose examples are those of other data sets. Errors name an example by its index where it comes
// from, because the index in a part or in another order tells a program little.
type derived interface{ exampleName(i int) string }

// exampleName returns the name of an example in errors.
func exampleName[E any](d Dataset[E], i int) string {
	if from, ok := d.(derived); ok {
		return from.exampleName(i)
	}
	return strconv.Itoa(i)
}

func exampleNames[E any](d Dataset[E], indices []int) []string {
	names := make([]string, len(indices))
	for k, i := range indices {
		names[k] = exampleName(d, i)
	}
	return names
}

func (p part[E]) exampleName(i int) string      { return exampleName(p.d, p.start+i) }
func (p picked[E]) exampleName(i int) string    { return exampleName(p.d, p.indices[i]) }
func (m mapped[E, F]) exampleName(i int) string { return exampleName(m.d, i) }
func (t named[E]) exampleName(i int) string     { return t.parts.exampleName(i) }

// exampleName returns the name that the example has in all data sets, or its index if they differ.
func (t tuples[E]) exampleName(i int) string {
	name := exampleName(t[0], i)
	if slices.ContainsFunc(t[1:], func(d Dataset[E]) bool { return exampleName(d, i) != name }) {
		return strconv.Itoa(i)
	}
	return name
}

func (c concatenated[E]) exampleName(i int) string {
	k, within := c.find(i)
	return fmt.Sprintf("%s of part %d", exampleName(c.parts[k], within), k)
}
