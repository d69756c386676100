package archive

import (
	"errors"
	"fmt"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
)

// Collect returns the values that [Save] would write of an object, in order: numbers as 0-d arrays. It is for authors of
// other formats. The arrays may be the object's own. A text is an error.
func Collect(o Object) (nd.NamedArrays, error) {
	const fn nd.Func = "archive.Collect"
	f := &file{index: map[string]int{}}
	o.Archive(&Archive{file: f})
	var all nd.NamedArrays
	for _, e := range f.entries {
		if e.array == nil {
			f.errs = append(f.errs, fmt.Errorf("%q is a text", e.name))
		}
		all = append(all, nd.Named{Name: e.name, Array: e.array})
	}
	if err := errors.Join(f.errs...); err != nil {
		return nil, fmt.Errorf("%s: %w", fn, err)
	}
	return all, nil
}

// Restore restores an object from arrays, as [Load] does from a file. path is where they come from, for [Archive.Path] and
// for errors. The object may keep the arrays.
func Restore(path string, values nd.NamedArrays, o Object, opts ...LoadOptions) error {
	const fn nd.Func = "archive.Restore"
	entries := make([]entry, len(values))
	for i, v := range values {
		entries[i] = entry{name: v.Name, array: v.Array}
	}
	return restore(fn, path, entries, o, options.Read(fn, opts))
}
