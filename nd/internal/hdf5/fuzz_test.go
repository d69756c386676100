package hdf5

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/ndgrad/ndgrad/nd/internal/npy"
)

// readAll reads all that can be read, and returns the first wrong checksum.
func readAll(t *testing.T, file []byte) (wrong *checksumError) {
	note := func(err error) {
		if wrong == nil {
			errors.As(err, &wrong)
		}
	}
	room := func(h npy.Header) ([]byte, error) {
		n, err := h.Size()
		if err != nil || n > 64<<20+2000*len(file) {
			t.Fatalf("an array %v of %d bytes, %v", h, n, err)
		}
		return make([]byte, n), nil
	}
	f, err := Open(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		note(err)
		return wrong
	}
	for _, o := range f.Objects {
		note(o.Err)
		switch o.Kind {
		case Array:
			note(f.Read(o, room))
			if n := rowsOf(o.Header.Shape); len(o.Header.Shape) > 0 && n > 1 {
				note(f.ReadRows(o, n/2, n-1, room))
			}
		case Text:
			_, err := f.ReadText(o)
			note(err)
		}
		attributes, err := f.Attributes(o)
		note(err)
		for _, a := range attributes {
			note(a.Err)
			switch a.Kind {
			case Array:
				note(f.ReadAttribute(&a, room))
			case Text:
				_, err := f.AttributeText(&a)
				note(err)
			}
		}
	}
	return wrong
}

// FuzzRead: reading ends without a panic. Wrong checksums are put right, so that they do not hide what is behind them.
func FuzzRead(f *testing.F) {
	seeds, err := filepath.Glob("testdata/seeds/*.h5")
	if err != nil || len(seeds) == 0 {
		f.Fatal("no seeds ", err)
	}
	for _, path := range seeds {
		file, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(file)
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		for range 30 {
			wrong := readAll(t, file)
			if wrong == nil {
				return
			}
			at := bytes.Index(file, wrong.block)
			if at < 0 {
				return // the block was read before it was put right
			}
			file = bytes.Clone(file)
			binary.LittleEndian.PutUint32(file[at+wrong.i:], wrong.want)
		}
	})
}
