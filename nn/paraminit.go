package nn

import (
	"slices"
	"strings"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn/initializer"
)

// paramInit holds the initializers that an option gives to parameters, by name.
type paramInit map[string]initializer.Initializer

// check refuses names that are not parameters of the layer.
func (p paramInit) check(fn nd.Func, x *nd.Array, names ...string) {
	for name := range p {
		if !slices.Contains(names, name) {
			panic(fn.Errorf([]*nd.Array{x}, "ParamInit of %q: want one of %s", name, strings.Join(names, ", ")))
		}
	}
}

// of returns the initializer of a parameter, or fallback if the option has none.
func (p paramInit) of(name string, fallback initializer.Initializer) initializer.Initializer {
	if given := p[name]; given != nil {
		return given
	}
	return fallback
}
