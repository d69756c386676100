// Package nn stands for the library's: its functions are declared as there, and do nothing.
package nn

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
)

type (
	Scope         struct{ values map[string]*nd.Array }
	ScopeOptions  struct{ Rand *nd.Rand }
	AffineOptions struct{}
	WatchOptions  struct{ Test bool }
)

func NewScope(opts ...ScopeOptions) *Scope                                           { return nil }
func Affine(scope *Scope, x *nd.Array, outputs int, opts ...AffineOptions) *nd.Array { return nil }
func (s *Scope) Watch(tape *grad.Tape, opts ...WatchOptions) *Scope                  { return nil }
