package nd

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/ndgrad/ndgrad/nd/internal/npy"
)

// openFile opens a file, and returns its size, too.
func openFile(path string) (f *os.File, size int64, err error) {
	if f, err = os.Open(path); err != nil {
		return nil, 0, err
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, 0, err
	}
	return f, info.Size(), nil
}

// openSized opens a file and reads it with a function that gets the file's size. The caller closes the file; if reading
// fails, openSized closes it.
func openSized[T any](path string, read func(r io.ReaderAt, size int64) (T, error)) (v T, file io.Closer, err error) {
	f, size, err := openFile(path)
	if err != nil {
		return v, nil, err
	}
	if v, err = read(f, size); err != nil {
		f.Close()
		return v, nil, fmt.Errorf("%s: %w", path, err)
	}
	return v, f, nil
}

// loadStream reads a file from its beginning to its end with a function that gets the file's size.
func loadStream[T any](path string, read func(r io.Reader, size int64) (T, error)) (v T, err error) {
	f, size, err := openFile(path)
	if err != nil {
		return v, err
	}
	defer f.Close()
	if v, err = read(bufio.NewReader(f), size); err != nil {
		return v, fmt.Errorf("%s: %w", path, err)
	}
	return v, nil
}

// arrayFile is an open file of arrays with names.
type arrayFile interface {
	Names() []string
	Read(name string) (*Array, error)
	Close() error
}

// loadAll reads all arrays of the file that was opened at a path, and closes it.
func loadAll(path string, f arrayFile) (arrays NamedArrays, err error) {
	defer func() { err = errors.Join(err, f.Close()) }()
	for _, name := range f.Names() {
		x, err := f.Read(name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		arrays = append(arrays, Named{name, x})
	}
	return arrays, nil
}

// readMember is readElements for an array that a file has under a name.
func readMember(fn Func, name string, read func(npy.Room) error) (*Array, error) {
	return readElements(fn, func(room npy.Room) error {
		if err := read(room); err != nil {
			return fmt.Errorf("%q: %w", name, err)
		}
		return nil
	})
}

// checkRows refuses a range of rows that an array of a file does not have.
func checkRows(fn Func, name string, shape []int, from, to int) error {
	if len(shape) == 0 {
		return fn.Errorf(nil, "%q is a 0-d array, which has no rows", name)
	}
	if from < 0 || to < from || to > shape[0] {
		return fn.Errorf(nil, "rows from %d to %d of %q are out of range, of %d rows", from, to, name, shape[0])
	}
	return nil
}
