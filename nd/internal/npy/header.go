package npy

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/ndgrad/ndgrad/nd/dtype"
)

const (
	magic = "\x93NUMPY"

	// maxHeaderBytes is the longest header that NumPy reads by default.
	maxHeaderBytes = 10000

	// headerAlign is the alignment of the data in a written file.
	headerAlign = 64

	// growthDigits is the room that NumPy reserves for the length of the axis that grows when data are appended to a
	// file: the first axis, or the last in Fortran order.
	growthDigits = 21
)

// ErrMagic is wrapped by the error about bytes that do not begin with the magic string of .npy files.
var ErrMagic = errors.New("not npy data: the magic string is missing")

// Header describes the array in an .npy file.
type Header struct {
	// DType is the type of the elements.
	DType dtype.DType
	// BigEndian says that the file stores the most significant byte first.
	BigEndian bool
	// Fortran says that the first axis, not the last, varies fastest in the file.
	Fortran bool
	// Shape holds the lengths of the axes; it is empty for a 0-d array.
	Shape []int
	// Version is the version of the format: 1.0, 2.0 or 3.0. In a header to be written the zero value means 1.0, in
	// which every shape fits.
	Version [2]byte
	// Descr is the dtype as the file writes it. For writing, it is used only for text, which has no DType.
	Descr string
}

// Size returns the number of bytes that the elements occupy. It fails if an axis is negative, or if the product of the
// nonzero lengths exceeds an int, even if one axis has length 0 (as in NumPy).
func (h Header) Size() (int, error) {
	e, err := encodingOf(h.DType)
	if err != nil {
		return 0, err
	}
	size, empty := e.dtype.Size(), false
	for _, n := range h.Shape {
		switch {
		case n < 0:
			return 0, fmt.Errorf("shape %s has a negative length", formatShape(h.Shape))
		case n == 0:
			empty = true
			continue
		case size > math.MaxInt/n:
			return 0, fmt.Errorf("shape %s of %v is too large", formatShape(h.Shape), h.DType)
		}
		size *= n
	}
	if empty {
		return 0, nil
	}
	return size, nil
}

// ReadHeader reads a header, up to the first byte of the data and no further.
//
// If r ends before the first byte, the error wraps io.EOF; if it ends within the header, io.ErrUnexpectedEOF. If the
// file is valid but its elements are of an unsupported type such as text, the error wraps [ErrUnsupportedDType], and
// ReadHeader also returns the header, with Descr, without DType and with an unchecked shape (for structured elements:
// with the version alone).
func ReadHeader(r io.Reader) (Header, error) {
	version, err := readMagic(r)
	if err != nil {
		return Header{}, err
	}
	text, err := readHeaderText(r, version)
	if err != nil {
		return Header{}, err
	}
	h := Header{Version: version}
	dict, err := parseHeaderDict(text, version[0] < 3)
	if err != nil {
		return h, err
	}
	h.Descr, h.Fortran, h.Shape = dict.descr, dict.fortran, dict.shape
	if h.DType, h.BigEndian, err = parseDescr(h.Descr); err != nil {
		return h, err
	}
	_, err = h.Size()
	return h, err
}

func readMagic(r io.Reader) (version [2]byte, err error) {
	var start [len(magic) + 2]byte
	n, err := io.ReadFull(r, start[:])
	switch {
	case n == 0 && err == io.EOF:
		return version, fmt.Errorf("no data: %w", err)
	case string(start[:min(n, len(magic))]) != magic[:min(n, len(magic))]:
		return version, ErrMagic
	case err != nil:
		return version, fmt.Errorf("reading the magic string: %w", err)
	}
	version = [2]byte(start[len(magic):])
	return version, checkVersion(version)
}

func checkVersion(v [2]byte) error {
	if v[0] < 1 || v[0] > 3 || v[1] != 0 {
		return fmt.Errorf("format version %d.%d is none of 1.0, 2.0, 3.0", v[0], v[1])
	}
	return nil
}

// lengthBytes is the size of the field that holds the header's length.
func lengthBytes(version [2]byte) int {
	if version[0] == 1 {
		return 2
	}
	return 4
}

func readHeaderText(r io.Reader, version [2]byte) (string, error) {
	var field [4]byte
	if _, err := io.ReadFull(r, field[:lengthBytes(version)]); err != nil {
		return "", fmt.Errorf("reading the length of the header: %w", noEOF(err))
	}
	length := binary.LittleEndian.Uint32(field[:])
	if length > maxHeaderBytes {
		return "", fmt.Errorf("the header claims %d bytes, at most %d are read", length, maxHeaderBytes)
	}
	text := make([]byte, length)
	if n, err := io.ReadFull(r, text); err != nil {
		return "", fmt.Errorf("reading byte %d of %d of the header: %w", n, length, noEOF(err))
	}
	if version[0] < 3 {
		for _, c := range text {
			if c >= utf8.RuneSelf {
				return "", fmt.Errorf("the header of version %d.%d is not ASCII", version[0], version[1])
			}
		}
	} else if !utf8.Valid(text) {
		return "", errors.New("the header is not UTF-8")
	}
	return string(text), nil
}

// noEOF marks an end of data where more had to follow.
func noEOF(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// WriteHeader writes a header, byte for byte as NumPy does.
func WriteHeader(w io.Writer, h Header) error {
	if h.Version == [2]byte{} {
		h.Version = [2]byte{1, 0}
	}
	if err := checkVersion(h.Version); err != nil {
		return err
	}
	if len(h.Shape) > maxRank {
		return fmt.Errorf("the shape has %d axes, more than %d", len(h.Shape), maxRank)
	}
	if _, err := h.Size(); err != nil {
		return err
	}
	_, err := w.Write(appendHeader(nil, h))
	return err
}

// appendHeader appends the bytes of a checked header. They end with blanks and a line feed up to the alignment. Like
// NumPy, it adds a whole unit if the header is already aligned.
func appendHeader(out []byte, h Header) []byte {
	text := headerText(h)
	prefix := len(magic) + len(h.Version) + lengthBytes(h.Version)
	pad := headerAlign - (prefix+len(text)+1)%headerAlign
	length := len(text) + pad + 1

	out = append(out, magic...)
	out = append(out, h.Version[:]...)
	if h.Version[0] == 1 {
		out = binary.LittleEndian.AppendUint16(out, uint16(length))
	} else {
		out = binary.LittleEndian.AppendUint32(out, uint32(length))
	}
	out = append(out, text...)
	out = append(out, strings.Repeat(" ", pad)...)
	return append(out, '\n')
}

func headerText(h Header) string {
	descr := h.Descr
	if h.DType.Valid() {
		descr, _ = formatDescr(h.DType, h.BigEndian)
	}
	fortran := "False"
	if h.Fortran {
		fortran = "True"
	}
	text := fmt.Sprintf("{'descr': '%s', 'fortran_order': %s, 'shape': %s, }", descr, fortran, formatShape(h.Shape))
	if len(h.Shape) == 0 {
		return text
	}
	growing := h.Shape[0]
	if h.Fortran {
		growing = h.Shape[len(h.Shape)-1]
	}
	return text + strings.Repeat(" ", growthDigits-len(strconv.Itoa(growing)))
}

// formatShape writes a shape as Python writes a tuple.
func formatShape(shape []int) string {
	if len(shape) == 1 {
		return fmt.Sprintf("(%d,)", shape[0])
	}
	lengths := make([]string, len(shape))
	for i, n := range shape {
		lengths[i] = strconv.Itoa(n)
	}
	return "(" + strings.Join(lengths, ", ") + ")"
}
