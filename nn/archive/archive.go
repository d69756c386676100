package archive

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
)

// Object is a value that can be saved and restored. Archive names every part that changes in use, the same ones in both
// directions. It changes nothing itself when it restores: the values are set after the whole file was read and checked.
type Object interface{ Archive(a *Archive) }

// Func is a function that is an Object.
type Func func(a *Archive)

// Archive calls f.
func (f Func) Archive(a *Archive) { f(a) }

// Archive is a folder in a file that is being written or read. It is valid until Save or Load returns.
type Archive struct {
	*file
	prefix    string // prefix of the names in the folder: empty, or with a slash at its end
	immediate bool   // set values immediately
}

// file is the state that all folders of a file share.
type file struct {
	path             string
	loading, lenient bool
	report           *Report // of the options of Load, or nil
	entries          []entry // read from the file, or to be written
	index            map[string]int
	used             map[string]bool
	commit           []func()
	errs             []error
	partial          bool // after an error, the object may not have asked for all values
}

// entry is a named array or text.
type entry struct {
	name   string
	array  *nd.Array // nil for a text
	text   string
	shared bool   // array may share memory with other arrays, or be a view of more elements
	inFile string // the name in the file, if it was renamed
}

// SaveOptions are the options of [Save].
type SaveOptions struct {
	// Compress deflates the arrays of an .npz or .h5 file.
	Compress bool
}

// Save writes an object to a file, completely or not at all. It returns an error if the object cannot be written: if
// two values have the same name, or if the object called [Archive.Fail].
func Save(path string, o Object, opts ...SaveOptions) error {
	const fn nd.Func = "archive.Save"
	option := options.Read(fn, opts)
	c, err := containerOf(path)
	if err != nil {
		return fmt.Errorf("%s: %w", fn, err)
	}
	f := &file{path: path, index: map[string]int{}}
	o.Archive(&Archive{file: f})
	if err := errors.Join(f.errs...); err != nil {
		return fmt.Errorf("%s: %s: %w", fn, path, err)
	}
	if err := c.write(path, f.entries, option); err != nil {
		return fmt.Errorf("%s: %w", fn, err)
	}
	return nil
}

// folder returns the prefix of the names in a folder.
func folder(name string) string {
	if name = strings.Trim(name, "/"); name != "" {
		name += "/"
	}
	return name
}

// add adds an entry; its name must be unique.
func (f *file) add(e entry) {
	if _, twice := f.index[e.name]; twice {
		f.errs = append(f.errs, fmt.Errorf("there are two values %q", e.name))
		return
	}
	f.index[e.name] = len(f.entries)
	f.entries = append(f.entries, e)
}

// refuseRest fails for values of the file that nobody has asked for.
func (a *Archive) refuseRest() {
	if a.lenient && a.report == nil || a.partial {
		return
	}
	for _, e := range a.entries {
		switch {
		case !strings.HasPrefix(e.name, a.prefix) || a.used[e.name]:
		case a.report != nil:
			a.report.Unused = append(a.report.Unused, cmp.Or(e.inFile, e.name))
		default:
			a.fail(fmt.Errorf("nothing here is called %q", e.name))
		}
	}
}

// Path returns the path that Save or Load was called with.
func (a *Archive) Path() string { return a.path }

// Loading reports whether values come from a file.
func (a *Archive) Loading() bool { return a.loading }

// Sub returns the folder with that name.
func (a *Archive) Sub(name string) *Archive {
	return &Archive{a.file, a.prefix + folder(name), a.immediate}
}

// Immediate returns the same folder, but its values are set immediately. An object uses it for variables that it checks
// first and puts into effect by AfterLoad.
func (a *Archive) Immediate() *Archive { return &Archive{a.file, a.prefix, true} }

// Object saves or restores an object in the folder with that name.
func (a *Archive) Object(name string, o Object) { o.Archive(a.Sub(name)) }

// Has reports whether the file being read has a value or a folder with that name.
func (a *Archive) Has(name string) bool {
	if _, ok := a.index[a.prefix+name]; ok && a.loading {
		return true
	}
	return len(a.Sub(name).Names()) > 0
}

// Names returns the names in the folder being read, relative to it, in the order of the file.
func (a *Archive) Names() []string {
	if !a.loading {
		return nil
	}
	var all []string
	for _, e := range a.entries {
		if local, ok := strings.CutPrefix(e.name, a.prefix); ok {
			all = append(all, local)
		}
	}
	return all
}

// Ignore allows the file being read to have a value with that name, or a folder of values, that nobody asks for.
func (a *Archive) Ignore(name string) {
	if !a.loading {
		return
	}
	full := a.prefix + name
	for _, e := range a.entries {
		if e.name == full || strings.HasPrefix(e.name, a.prefix+folder(name)) {
			a.used[e.name] = true
		}
	}
}

// Fail makes Save or Load return the error.
func (a *Archive) Fail(err error) {
	a.partial = true
	a.fail(err)
}

func (a *Archive) fail(err error) {
	if name := strings.TrimSuffix(a.prefix, "/"); name != "" {
		err = fmt.Errorf("%s: %w", name, err)
	}
	a.errs = append(a.errs, err)
}

// AfterLoad calls f after the file was read and checked, and after the values requested so far were set. When saving it
// does nothing.
func (a *Archive) AfterLoad(f func()) {
	switch {
	case !a.loading:
	case a.immediate:
		f()
	default:
		a.commit = append(a.commit, f)
	}
}
