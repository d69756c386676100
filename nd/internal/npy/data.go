package npy

import (
	"encoding/binary"
	"fmt"
	"io"
	"slices"

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
		h.ToHost(chunk)
		done += n
	}
	return nil
}

// Room returns memory for the elements that h describes: exactly their size.
type Room func(h Header) ([]byte, error)

// Collect returns the elements that the function read reads, in memory of their own, with their header.
func Collect(read func(Room) error) (h Header, data []byte, err error) {
	err = read(func(asked Header) ([]byte, error) {
		size, err := asked.Size()
		h, data = asked, make([]byte, size)
		return data, err
	})
	if err != nil {
		return Header{}, nil, err
	}
	return h, data, nil
}

// Read reads a header, and its elements into memory that it gets from room. The source is known to hold that many bytes;
// 0 means that nothing is known.
func Read(r io.Reader, known int64, room Room) error {
	h, err := ReadHeader(r)
	if err != nil {
		return err
	}
	return ReadElements(r, h, known, room)
}

// ReadElements reads the elements that h describes, without a header, into memory that it gets from room. Elements that
// have no more bytes than the source is known to hold are read straight into that memory. Others are read into a buffer
// that doubles as data arrive, so that a source that claims more than it holds costs no more than what it holds.
func ReadElements(r io.Reader, h Header, known int64, room Room) error {
	size, err := h.Size()
	if err != nil {
		return err
	}
	if int64(size) <= known {
		dst, err := room(h)
		if err != nil {
			return err
		}
		return fill(r, h, dst, 0)
	}
	data, err := readGrowing(r, h, size, int(known))
	if err != nil {
		return err
	}
	dst, err := room(h)
	copy(dst, data)
	return err
}

// readGrowing reads the elements into a buffer that begins with about first bytes and doubles whenever it is full.
func readGrowing(r io.Reader, h Header, size, first int) ([]byte, error) {
	const unit = 16 // a multiple of every element size
	data := make([]byte, min(max(firstBytes, first/unit*unit), size))
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

// LittleEndian returns the elements in src, which are in the byte order of the host, with the least significant byte
// first: src itself if the host has that order.
func LittleEndian(h Header, src []byte) []byte {
	if !hostBigEndian {
		return src
	}
	out := slices.Clone(src)
	h.BigEndian = false
	h.ToHost(out) // its inverse, too
	return out
}

func writeAll(w io.Writer, b []byte) error {
	n, err := w.Write(b)
	if err == nil && n < len(b) {
		err = io.ErrShortWrite
	}
	return err
}

// ToHost converts complete elements from the file's representation to the host's.
func (h Header) ToHost(b []byte) {
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
