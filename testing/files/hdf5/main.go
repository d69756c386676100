// Command hdf5 copies all that can be read of HDF5 files: groups, arrays, texts, datasets without elements, and attributes.
// An object with several paths becomes several objects. It writes a line on stderr for what cannot be read.
//
//	go run ./testing/files/hdf5 [-compress] FILE… FOLDER
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/ndgrad/ndgrad/nd"
)

func main() {
	compress := flag.Bool("compress", false, "deflate the arrays")
	flag.Parse()
	if flag.NArg() < 2 {
		flag.Usage()
		os.Exit(2)
	}
	folder := flag.Arg(flag.NArg() - 1)
	failed := false
	for _, path := range flag.Args()[:flag.NArg()-1] {
		if err := convert(path, filepath.Join(folder, filepath.Base(path)), *compress); err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", path, err)
			failed = true
		}
	}
	if failed {
		os.Exit(1)
	}
}

// convert copies a file.
func convert(from, to string, compress bool) error {
	f, err := nd.OpenHDF5(from)
	if err != nil {
		return err
	}
	defer f.Close()
	return nd.CreateHDF5(to, func(w *nd.HDF5Writer) error {
		for _, o := range f.Objects() {
			err := o.Err
			if err == nil {
				err = object(f, w, o)
			}
			if err != nil {
				fmt.Fprintf(os.Stderr, "%s: left out %q: %v\n", from, o.Path, err)
				continue
			}
			if o.Kind == nd.HDF5Datatype {
				continue
			}
			names, err := f.AttributeNames(o.Path)
			if err != nil {
				fmt.Fprintf(os.Stderr, "%s: left out the attributes of %q: %v\n", from, o.Path, err)
			}
			for _, name := range names {
				v, err := f.Attribute(o.Path, name)
				if err == nil {
					err = w.Attribute(o.Path, name, v)
				}
				if err != nil {
					fmt.Fprintf(os.Stderr, "%s: left out attribute %q of %q: %v\n", from, name, o.Path, err)
				}
			}
		}
		return nil
	}, nd.HDF5Options{Compress: compress})
}

// object copies an object without its attributes.
func object(f *nd.HDF5, w *nd.HDF5Writer, o nd.HDF5Object) error {
	switch o.Kind {
	case nd.HDF5Group:
		if o.Path == "" {
			return nil
		}
		return w.Group(o.Path)
	case nd.HDF5Array:
		x, err := f.Read(o.Path)
		if err != nil {
			return err
		}
		defer x.Release()
		return w.Write(o.Path, x)
	case nd.HDF5Text:
		t, err := f.ReadStrings(o.Path)
		if err != nil {
			return err
		}
		return w.WriteStrings(o.Path, t)
	case nd.HDF5Null:
		return w.WriteNull(o.Path)
	}
	return nil
}
