package nn

import (
	"fmt"
	"strings"

	"github.com/ndgrad/ndgrad/nd"
)

// closures say which parts of a tree take no new parameters, by path: who brought the parameters that are there, or "" where a
// part was opened again.
type closures map[string]string

// Close refuses parameters below s that are not there yet. A name that differs from a file's would else train, or answer, with
// initial values. by, such as a file's name, tells in the message who brought those that are there. Loading into an empty scope
// closes it.
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

// check refuses a new parameter where the tree is closed; the innermost scope that was closed or opened decides.
func (c closures) check(fn nd.Func, path string) {
	for at := path; len(c) > 0; at = at[:max(0, strings.LastIndexByte(at, '/'))] {
		if what, decided := c[at]; what != "" {
			panic(fn.Errorf(nil, "%q is not among %s; Scope.Open allows new ones", path, what))
		} else if decided || at == "" {
			return
		}
	}
}
