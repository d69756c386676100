package nn

import (
	"fmt"
	"strings"

	"github.com/ndgrad/ndgrad/nd"
)

// closures says which parts of a tree accept no new parameters, by path. A value is the text that names where the
// existing parameters came from, or "" for a part that was opened again.
type closures map[string]string

// Close refuses new parameters below s. Without it, a parameter whose name differs from the name in a file would train,
// or be used, with its initial values. by says in the error message where the existing parameters came from, such as a
// file's name. Loading into an empty scope closes the scope.
func (s *Scope) Close(by string) {
	s.close(fmt.Sprintf("the parameters that %s brought", by))
}

// Open allows new parameters below s again.
func (s *Scope) Open() { s.close("") }

func (s *Scope) close(what string) {
	if s.owner.closed == nil {
		s.owner.closed = closures{}
	}
	for path := range s.owner.closed {
		if s.path == "" || strings.HasPrefix(path, s.path+"/") {
			delete(s.owner.closed, path)
		}
	}
	s.owner.closed[s.path] = what
}

// check refuses a new parameter if the tree is closed at its path.
func (c closures) check(fn nd.Func, path string) {
	if err := c.refusal(path); err != nil {
		panic(fn.Errorf(nil, "%s", err.Error()))
	}
}

// refusal says why the tree accepts no new parameter at a path. The innermost scope that was closed or opened decides.
func (c closures) refusal(path string) error {
	for at := path; len(c) > 0; at = at[:max(0, strings.LastIndexByte(at, '/'))] {
		if what, decided := c[at]; what != "" {
			return fmt.Errorf("%q is not among %s; Scope.Open allows new ones", path, what)
		} else if decided || at == "" {
			break
		}
	}
	return nil
}
