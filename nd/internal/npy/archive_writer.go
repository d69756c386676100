package npy

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// archiveTime is the time of every member, the earliest that zip can express, so that the same arrays give the same
// bytes.
var archiveTime = time.Date(1980, time.January, 1, 0, 0, 0, 0, time.UTC)

// ArchiveWriter writes an .npz file.
type ArchiveWriter struct {
	zip     *zip.Writer
	method  uint16
	names   map[string]bool
	current *memberWriter
}

// NewArchiveWriter starts an archive in w. Members are deflated if compress is set, and otherwise stored. The bytes
// depend on nothing but the arrays (and, if deflated, on the version of Go).
func NewArchiveWriter(w io.Writer, compress bool) *ArchiveWriter {
	method := zip.Store
	if compress {
		method = zip.Deflate
	}
	return &ArchiveWriter{zip: zip.NewWriter(w), method: method, names: map[string]bool{}}
}

// Create begins the array that readers find under name. It writes the member name.npy with the header h. The caller
// writes the elements, in the byte order of h, to the returned writer, usually with [WriteData], before the next call
// of Create or Close. Any name of valid UTF-8 serves, but for backslashes, control characters, and elements ".." between
// slashes: programs that unpack an archive would write outside their folder. No two names are equal.
func (w *ArchiveWriter) Create(name string, h Header) (io.Writer, error) {
	var header bytes.Buffer
	if err := WriteHeader(&header, h); err != nil {
		return nil, fmt.Errorf("array %q: %w", name, err)
	}
	return w.begin(name, header.Bytes(), h)
}

// begin writes the header of a member, and returns a writer for as many bytes as elements describes.
func (w *ArchiveWriter) begin(name string, header []byte, elements Header) (io.Writer, error) {
	if err := w.finishMember(); err != nil {
		return nil, err
	}
	if err := checkName(name); err != nil {
		return nil, err
	}
	if w.names[name] {
		return nil, fmt.Errorf("the archive already has an array %q", name)
	}
	size, err := elements.Size()
	if err != nil {
		return nil, fmt.Errorf("array %q: %w", name, err)
	}
	body, err := w.zip.CreateHeader(&zip.FileHeader{Name: name + extension, Method: w.method, Modified: archiveTime})
	if err != nil {
		return nil, fmt.Errorf("array %q: %w", name, err)
	}
	w.names[name] = true
	if err := writeAll(body, header); err != nil {
		return nil, fmt.Errorf("array %q: %w", name, err)
	}
	w.current = &memberWriter{body: body, name: name, missing: size}
	return w.current, nil
}

// Close writes the directory and leaves the underlying writer open. If the last array is incomplete, Close fails
// instead, and no reader accepts the file.
func (w *ArchiveWriter) Close() error {
	if err := w.finishMember(); err != nil {
		return err
	}
	return w.zip.Close()
}

// finishMember checks that the current array is complete. An incomplete array stays current, because nothing can follow
// it.
func (w *ArchiveWriter) finishMember() error {
	if w.current == nil {
		return nil
	}
	if w.current.missing > 0 {
		return fmt.Errorf("array %q lacks %d bytes", w.current.name, w.current.missing)
	}
	w.current = nil
	return nil
}

func checkName(name string) error {
	switch {
	case name == "":
		return errors.New("an array in an archive needs a name")
	case !utf8.ValidString(name) || strings.Contains(name, `\`) || strings.ContainsFunc(name, unicode.IsControl):
		return fmt.Errorf("the name %q of an array: want UTF-8 without backslashes and control characters", name)
	case slices.Contains(strings.Split(name, "/"), ".."):
		return fmt.Errorf(`the name %q of an array has an element ".."`, name)
	case len(name)+len(extension) > math.MaxUint16:
		return errors.New("the name of an array is too long for an archive")
	}
	return nil
}

// memberWriter passes on the elements of one array and counts them.
type memberWriter struct {
	body    io.Writer
	name    string
	missing int
}

func (m *memberWriter) Write(b []byte) (int, error) {
	if len(b) > m.missing {
		return 0, fmt.Errorf("array %q: %d bytes where %d are missing", m.name, len(b), m.missing)
	}
	n, err := m.body.Write(b)
	m.missing -= n
	return n, err
}
