package report

import (
	"iter"
	"slices"
)

// Values are named numbers, in the order in which the names first appeared. The zero value is empty.
type Values struct {
	names []string
	at    map[string]float64
}

// Set sets the value of a name.
func (v *Values) Set(name string, x float64) {
	if v.at == nil {
		v.at = map[string]float64{}
	}
	if _, ok := v.at[name]; !ok {
		v.names = append(v.names, name)
	}
	v.at[name] = x
}

// Get returns the value of a name, and whether the name has a value.
func (v *Values) Get(name string) (x float64, ok bool) {
	x, ok = v.at[name]
	return x, ok
}

// Len returns the number of values.
func (v *Values) Len() int { return len(v.names) }

// Names returns the names in order.
func (v *Values) Names() []string { return slices.Clone(v.names) }

// All yields the values in the order of their names.
func (v *Values) All() iter.Seq2[string, float64] {
	return func(yield func(string, float64) bool) {
		for _, name := range v.names {
			if !yield(name, v.at[name]) {
				return
			}
		}
	}
}

// Clear removes all values.
func (v *Values) Clear() {
	v.names = v.names[:0]
	clear(v.at)
}
