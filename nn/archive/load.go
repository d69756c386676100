package archive

import (
	"errors"
	"fmt"
	"strings"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
)

// LoadOptions are the options of [Load].
type LoadOptions struct {
	// Prefix is the folder of the file to read, such as "params"; the rest is ignored.
	Prefix string
	// Lenient keeps values that the file does not have, and ignores values in the file that nobody asks for.
	Lenient bool
	// Rename returns the name here of a value in the file, for files of other programs: both names are relative to
	// Prefix. The method of a table, [Names.Rename], or of a strings.Replacer, Replace, is such a function. A value for
	// which it returns "" is ignored.
	Rename func(name string) string
	// Convert returns what is restored instead of an array of the file, such as the transpose of a matrix that the other
	// program stores by columns. It gets the name here, relative to Prefix, and is called for every array. It may
	// return x itself or a view of it.
	Convert func(name string, x *nd.Array) *nd.Array
	// Report, if it is not nil, gets the names that do not match. Values that the file does not have then stay as they
	// are, and values that nobody asks for are no error.
	Report *Report
}

// Report has the names that did not match when a file was read: see LoadOptions.Report.
type Report struct {
	Missing []string // the names that the file does not have
	Unused  []string // the names in the file that nobody asked for, as the file has them
}

// Names is a table of the names in a file, and the names here that they mean.
type Names map[string]string

// Rename returns the name here of a name in the file: the name itself if it is not in the table.
func (n Names) Rename(name string) string {
	if here, ok := n[name]; ok {
		return here
	}
	return name
}

// Load restores an object from a file. It returns an error, and changes nothing, if the file lacks a value, has a value
// that does not fit, or has a value that nobody asks for, which may be a misspelt name; the error lists all such names.
// If the file does not exist, errors.Is(err, fs.ErrNotExist).
func Load(path string, o Object, opts ...LoadOptions) error {
	const fn nd.Func = "archive.Load"
	option := options.Read(fn, opts)
	c, err := containerOf(path)
	if err != nil {
		return fmt.Errorf("%s: %w", fn, err)
	}
	entries, err := c.read(path)
	if err != nil {
		return fmt.Errorf("%s: %w", fn, err)
	}
	return restore(fn, path, entries, o, option)
}

// restore restores an object from the entries of a file.
func restore(fn nd.Func, path string, entries []entry, o Object, option LoadOptions) error {
	f := &file{path: path, loading: true, lenient: option.Lenient, index: map[string]int{}, used: map[string]bool{}}
	if option.Report != nil {
		f.report = &Report{}
	}
	root := &Archive{file: f, prefix: folder(option.Prefix)}
	for _, e := range entries {
		if e, ok := option.translated(e, root.prefix); ok {
			f.add(e)
		}
	}
	o.Archive(root)
	root.refuseRest()
	if err := errors.Join(f.errs...); err != nil {
		return fmt.Errorf("%s: %s: %w", fn, path, err)
	}
	for _, c := range f.commit {
		c()
	}
	if option.Report != nil {
		*option.Report = *f.report
	}
	return nil
}

// translated returns the entry under its name here and converted, and false if it is to be ignored.
func (o *LoadOptions) translated(e entry, prefix string) (entry, bool) {
	name, ok := strings.CutPrefix(e.name, prefix)
	if !ok {
		return e, true
	}
	if o.Rename != nil {
		given := e.name
		if name = strings.Trim(o.Rename(name), "/"); name == "" {
			return e, false
		}
		if e.name = prefix + name; e.name != given {
			e.inFile = given
		}
	}
	if o.Convert != nil && e.array != nil {
		e.array, e.shared = o.Convert(name, e.array), true
	}
	return e, true
}
