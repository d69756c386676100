package train

import (
	"fmt"
	"slices"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn"
)

// FailOnNonNumber returns the extension that ends the training with an error if a parameter below a scope contains an
// infinity or a NaN. The error names the first such parameter. It waits for the device, once for all parameters.
func FailOnNonNumber(params *nn.Scope) Extension { return failOnNonNumber{params: params} }

type failOnNonNumber struct {
	Base
	params *nn.Scope
}

func (failOnNonNumber) Settings() Settings { return Settings{Name: "FailOnNonNumber"} }

func (f failOnNonNumber) Run(t *Trainer) error {
	arena := nd.NewArena()
	defer arena.Release()
	var names []string
	var finite []*nd.Array
	for name, p := range f.params.All() {
		names = append(names, name)
		finite = append(finite, ops.All(ops.IsFinite(arena.Adopt(p.Value()))))
	}
	if len(finite) == 0 {
		return nil
	}
	if bad := slices.Index(nd.ToSlice[bool](ops.Stack(finite)), false); bad >= 0 {
		return fmt.Errorf("after update %d the parameter %q contains an infinity or a NaN", t.Iteration(), names[bad])
	}
	return nil
}
