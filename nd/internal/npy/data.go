package npy

import (
	"encoding/binary"
	"fmt"
	"io"

	"github.com/ndgrad/ndgrad/nd/dtype"
)

const (
	// chunkBytes is the number of bytes that are read or written at once, so that byte orders are converted while the
	// bytes are in the cache. It is a multiple of every element size.
	chunkBytes = 1 << 18

	// firstBytes is the first buffer size for data of a size that a file only claims.
	firstBytes = 1 << 16
)

var hostBigEndian = binary.NativeEndian.Uint16([]byte{0, 1}) == 1

// ReadData reads the elements that h describes into dst, which has exactly their size. dst gets the element order of
// the file and the byte order of the host.
func ReadData(r io.Reader, h Header, dst []byte) error {
	size, err := h.Size()
	if err != nil {
		return err
	}
	if len(dst) != size {
		return fmt.Errorf("%d bytes given for the %d of shape %s of %v", len(dst), size, formatShape(h.Shape), h.DType)
	}
	return fill(r, h, dst, 0)
}

// fill reads the elements from byte done to the end of dst.
func fill(r io.Reader, h Header, dst []byte, done int) error {
	for done < len(dst) {
		chunk := dst[done:]
		chunk = chunk[:min(len(chunk), chunkBytes)]
		n, err := io.ReadFull(r, chunk)
		if err != nil {
			size, _ := h.Size()
			return fmt.Errorf("reading byte %d of the %d of shape %s of %v: %w", done+n, size, formatShape(h.Shape), h.DType, noEOF(err))
		}
		h.toHost(chunk)
		done += n
	}
	return nil
}

// Read reads a header and its elements. The buffer grows as data arrive, so that a file that claims more than it holds
// costs no more than what it holds. More than limit bytes of elements are refused; a limit of 0 or less means no limit.
func Read(r io.Reader, limit int64) (Header, []byte, error) {
	h, err := ReadHeader(r)
	if err != nil {
		return h, nil, err
	}
	data, err := readGrowing(r, h, firstBytes, limit)
	return h, data, err
}

// ReadElements reads the elements that h describes, without a header, into a buffer that grows as data arrive.
func ReadElements(r io.Reader, h Header) ([]byte, error) {
	return readGrowing(r, h, firstBytes, 0)
}

// readGrowing reads the elements into a buffer that begins with first bytes (a multiple of 16) and doubles whenever it
// is full.
func readGrowing(r io.Reader, h Header, first int, limit int64) ([]byte, error) {
	size, err := h.Size()
	if err != nil {
		return nil, err
	}
	if limit > 0 && int64(size) > limit {
		return nil, fmt.Errorf("shape %s of %v has %d bytes, more than the limit of %d", formatShape(h.Shape), h.DType, size, limit)
	}
	data := make([]byte, min(first, size))
	if err := fill(r, h, data, 0); err != nil {
		return nil, err
	}
	for len(data) < size {
		longer := make([]byte, len(data)+min(len(data), size-len(data)))
		done := copy(longer, data)
		data = longer
		if err := fill(r, h, data, done); err != nil {
			return nil, err
		}
	}
	return data, nil
}

// WriteData writes the elements in src, which are in the byte order of the host, as h describes them. It does not
// change src.
func WriteData(w io.Writer, h Header, src []byte) error {
	size, err := h.Size()
	if err != nil {
		return err
	}
	if len(src) != size {
		return fmt.Errorf("%d bytes given for the %d of shape %s of %v", len(src), size, formatShape(h.Shape), h.DType)
	}
	width := h.swapWidth()
	if width == 1 {
		return writeAll(w, src)
	}
	buffer := make([]byte, min(len(src), chunkBytes))
	for len(src) > 0 {
		n := copy(buffer, src)
		swapBytes(buffer[:n], width)
		if err := writeAll(w, buffer[:n]); err != nil {
			return err
		}
		src = src[n:]
	}
	return nil
}

func writeAll(w io.Writer, b []byte) error {
	n, err := w.Write(b)
	if err == nil && n < len(b) {
		err = io.ErrShortWrite
	}
	return err
}

// toHost converts complete elements from the file's representation to the host's.
func (h Header) toHost(b []byte) {
	if h.DType == dtype.Bool {
		for i, v := range b {
			if v > 1 {
				b[i] = 1
			}
		}
		return
	}
	swapBytes(b, h.swapWidth())
}

// swapWidth returns the size of the units whose byte order differs between the file and the host, or 1 if none differs.
func (h Header) swapWidth() int {
	if h.BigEndian == hostBigEndian {
		return 1
	}
	e, _ := encodingOf(h.DType) // cannot fail: Size has succeeded
	return e.component
}

// swapBytes reverses the bytes of every unit of the given width.
func swapBytes(b []byte, width int) {
	switch width {
	case 2:
		for ; len(b) >= 2; b = b[2:] {
			binary.LittleEndian.PutUint16(b, binary.BigEndian.Uint16(b))
		}
	case 4:
		for ; len(b) >= 4; b = b[4:] {
			binary.LittleEndian.PutUint32(b, binary.BigEndian.Uint32(b))
		}
	case 8:
		for ; len(b) >= 8; b = b[8:] {
			binary.LittleEndian.PutUint64(b, binary.BigEndian.Uint64(b))
		}
	}
}
