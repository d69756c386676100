package nn

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn/archive"
)

// Save writes the parameters below a scope to a file, each under its name in the scope: .npz or .safetensors, see package archive. The
// file appears whole or not at all. Package archive saves more than parameters.
func Save(path string, scope *Scope) error { return archive.Save(path, scope) }

// Load reads what Save wrote. The names and shapes must be exactly those of the scope's parameters; values are converted to the parameters'
// dtypes as far as same_kind casting goes. Into a scope without parameters Load creates those of the file, of the scope's dtype
// where they are float or complex, and closes it: a model that asks for a name that the file did not bring is then refused. Whether
// a parameter is trained is no part of a file: the function that uses it says so. On an error nothing has changed.
func Load(path string, scope *Scope) error { return archive.Load(path, scope) }

// Archive saves or restores all parameters below s by their names: see [Load].
func (s *Scope) Archive(a *archive.Archive) {
	if a.Loading() && s.node.empty() {
		s.create(a)
		return
	}
	for name, p := range s.All() {
		a.Array(name, p.value)
	}
}

// create has s take the parameters that a file has; one that was saved without parameters leaves s as it is.
func (s *Scope) create(a *archive.Archive) {
	names := a.Names()
	if err := checkTree(names); err != nil {
		a.Fail(err)
		return
	}
	for _, name := range names {
		var x *nd.Array
		a.NewArray(name, &x)
		a.Then(func() { s.Set(name, s.owner.converted(x)) })
	}
	if len(names) > 0 {
		a.Then(func() { s.Close(filepath.Base(a.Path())) })
	}
}

// converted returns x in the scope's dtype if it is of a kind that this dtype holds, else x itself, such as a count.
func (o *owner) converted(x *nd.Array) *nd.Array {
	if x.DType().Kind() != o.like.DType.Kind() {
		return x
	}
	return x.AsType(o.like.DType)
}

// checkTree says whether names can be those of parameters.
func checkTree(names []string) error {
	known := map[string]bool{}
	for _, name := range names {
		known[name] = true
	}
	for _, name := range names {
		for part := range strings.SplitSeq(name, "/") {
			if !legalName(part) {
				return fmt.Errorf("%q cannot be the name of a parameter", name)
			}
		}
		for k, c := range name {
			if c == '/' && known[name[:k]] {
				return fmt.Errorf("%q is both a parameter and the scope of %q", name[:k], name)
			}
		}
	}
	return nil
}
