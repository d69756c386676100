package nn

import (
	"fmt"
	"strings"

	"github.com/ndgrad/ndgrad/nd/broadcast"
)

// CheckParameter returns nil if s has a parameter of that name and shape, or if s has none of that name and accepts a new
// one. Otherwise it returns an error that says why. It is for functions that read files: they check all parameters before
// they set the first.
func (s *Scope) CheckParameter(name string, shape []int) error {
	at, path := s.node, s.path
	for part := range strings.SplitSeq(name, "/") {
		if !legalName(part) {
			return fmt.Errorf("%q cannot be the name of a parameter", name)
		}
		if at != nil && at.param != nil {
			return fmt.Errorf("%q: %q is a parameter, not a scope", join(s.path, name), path)
		}
		if path = join(path, part); at != nil {
			at = at.child(part)
		}
	}
	switch {
	case at == nil || at.empty():
		return s.owner.closed.refusal(path)
	case at.param == nil:
		return fmt.Errorf("%q is a scope, not a parameter", path)
	case !broadcast.Equal(at.param.value.Shape(), shape):
		return fmt.Errorf("the parameter %q has shape %s, not %s", path, broadcast.FormatShape(at.param.value.Shape()), broadcast.FormatShape(shape))
	}
	return nil
}
