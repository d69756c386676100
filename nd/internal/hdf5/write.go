package hdf5

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/internal/npy"
)

// Writer writes a file that every version since HDF5 1.8 reads: superblock 2, object headers of version 2, links in
// messages in the order of their creation, and contiguous data, or deflated chunks under a tree of version 1. Data are
// written as they come, headers at the end. The same calls make the same bytes.
type Writer struct {
	w    io.Writer
	at   uint64 // bytes that were written
	root *object
	err  error // of the first write that failed
}

// object is a group or a dataset that is being written.
type object struct {
	dataset    bool
	messages   []headerMessage // of a dataset, but its attributes
	attributes []headerMessage
	names      []string // of the attributes
	members    []string
	byName     map[string]*object
}

// headerMessage is a message of the header of an object.
type headerMessage struct {
	kind int
	data []byte
}

// superblockBytes is the size of the superblock that Writer.Close returns.
const superblockBytes = 48

var le = binary.LittleEndian

// NewWriter begins a file with zeros where its superblock will be.
func NewWriter(w io.Writer) *Writer {
	f := &Writer{w: w, root: &object{}}
	f.write(make([]byte, superblockBytes))
	return f
}

// write writes bytes.
func (f *Writer) write(b []byte) {
	if f.err == nil {
		_, f.err = f.w.Write(b)
	}
	f.at += uint64(len(b))
}

// align writes zeros up to a multiple of 8 bytes.
func (f *Writer) align() { f.write(make([]byte, -f.at&7)) }

// object returns a new object with a path, and makes the groups above it.
func (f *Writer) object(path string, dataset bool) (*object, error) {
	o := f.root
	parts := strings.Split(path, "/")
	for i, name := range parts {
		if name == "" || name == "." || !utf8.ValidString(name) || strings.Contains(name, "\x00") || len(name) > math.MaxUint16-linkBytes {
			return nil, fmt.Errorf("%q cannot be the path of an object: want names with a slash between them", path)
		}
		if o.dataset {
			return nil, fmt.Errorf("%q cannot be written: %q is no group", path, strings.Join(parts[:i], "/"))
		}
		below := o.byName[name]
		last := i == len(parts)-1
		if below != nil && last && (dataset || below.dataset) {
			return nil, fmt.Errorf("there is already an object %q", path)
		}
		if below == nil {
			below = &object{dataset: dataset && last}
			if o.byName == nil {
				o.byName = map[string]*object{}
			}
			o.byName[name] = below
			o.members = append(o.members, name)
		}
		o = below
	}
	return o, nil
}

// Group makes a group, unless it exists already.
func (f *Writer) Group(path string) error {
	_, err := f.object(path, false)
	return err
}

// Array writes a dataset. The elements are row-major and in the byte order of the host. If compress is set, arrays of more
// than one element are deflated.
func (f *Writer) Array(path string, h npy.Header, data []byte, compress bool) error {
	o, err := f.object(path, true)
	if err != nil {
		return err
	}
	data = npy.LittleEndian(h, data)
	o.messages = []headerMessage{{spaceMessage, space(h.Shape)}, {typeMessage, typeOf(h.DType)}}
	if compress && broadcast.Size(h.Shape) > 1 {
		f.deflated(o, h, data)
	} else {
		f.plain(o, data)
	}
	return f.err
}

// Text writes a dataset of texts of fixed length.
func (f *Writer) Text(path string, t npy.Text) error {
	datatype, data, err := fixed(t)
	if err != nil {
		return err
	}
	o, err := f.object(path, true)
	if err != nil {
		return err
	}
	o.messages = []headerMessage{{spaceMessage, space(t.Shape)}, {typeMessage, datatype}}
	f.plain(o, data)
	return f.err
}

// Null writes a dataset without elements.
func (f *Writer) Null(path string) error {
	o, err := f.object(path, true)
	if err != nil {
		return err
	}
	o.messages = []headerMessage{{spaceMessage, nullSpace()}, {typeMessage, typeOf(dtype.Float32)}}
	f.plain(o, nil)
	return f.err
}

// plain writes the elements of a dataset in one piece.
func (f *Writer) plain(o *object, data []byte) {
	at := uint64(undefined)
	if len(data) > 0 {
		f.align()
		at = f.at
		f.write(data)
	}
	const lateIfSet = 0x0a // space is allocated late, the fill value is written if there is one
	o.messages = append(o.messages, headerMessage{fillMessage, []byte{3, lateIfSet}},
		headerMessage{layoutMessage, concat([]byte{3, contiguousLayout}, u64(at), u64(uint64(len(data))))})
}

// ArrayAttribute adds an attribute to an object. The empty path is the root group.
func (f *Writer) ArrayAttribute(path, name string, h npy.Header, data []byte) error {
	return f.attribute(path, name, typeOf(h.DType), space(h.Shape), npy.LittleEndian(h, data))
}

// TextAttribute adds an attribute of texts to an object.
func (f *Writer) TextAttribute(path, name string, t npy.Text) error {
	datatype, data, err := fixed(t)
	if err != nil {
		return fmt.Errorf("attribute %q of %q: %w", name, path, err)
	}
	return f.attribute(path, name, datatype, space(t.Shape), data)
}

// NullAttribute adds an attribute without elements to an object.
func (f *Writer) NullAttribute(path, name string) error {
	return f.attribute(path, name, typeOf(dtype.Float32), nullSpace(), nil)
}

func (f *Writer) attribute(path, name string, datatype, space, data []byte) error {
	o := f.root
	if path != "" {
		for part := range strings.SplitSeq(path, "/") {
			if o = o.byName[part]; o == nil {
				return fmt.Errorf("there is no object %q for an attribute %q", path, name)
			}
		}
	}
	switch {
	case name == "" || strings.Contains(name, "\x00") || !utf8.ValidString(name):
		return fmt.Errorf("%q cannot be the name of an attribute of %q", name, path)
	case slices.Contains(o.names, name):
		return fmt.Errorf("%q already has an attribute %q", path, name)
	case len(o.names) == math.MaxUint16:
		return fmt.Errorf("%q has more than %d attributes", path, len(o.names))
	}
	const utf8Name = 1
	b := concat([]byte{3, 0}, u16(len(name)+1), u16(len(datatype)), u16(len(space)), []byte{utf8Name}, []byte(name), []byte{0}, datatype, space, data)
	if len(b) > math.MaxUint16 || len(name) >= math.MaxUint16 {
		return fmt.Errorf("attribute %q of %q has %d bytes: the format has room for %d", name, path, len(b), math.MaxUint16)
	}
	o.names = append(o.names, name)
	o.attributes = append(o.attributes, headerMessage{attributeMessage, b})
	return nil
}

// Close writes the headers, and returns the superblock, which belongs to the beginning of the file.
func (f *Writer) Close() (superblock []byte, err error) {
	root := f.header(f.root)
	b := concat([]byte(signature), []byte{2, 8, 8, 0}, u64(0), u64(undefined), u64(f.at), u64(root))
	return concat(b, u32(lookup3(b))), f.err
}

// linkBytes is the size of a link message without the name, and more.
const linkBytes = 32

// header writes the header of an object, and before it those of the members of a group. It returns the address.
func (f *Writer) header(o *object) uint64 {
	const tracked = 1 // the order of creation
	messages := o.messages
	if !o.dataset {
		messages = []headerMessage{{linkInfoMessage, concat([]byte{0, tracked}, u64(uint64(len(o.members))), u64(undefined), u64(undefined))},
			{groupInfoMessage, []byte{0, 0}}}
		for i, name := range o.members {
			const ordered, hasCharset, length16, isUTF8 = 4, 16, 1, 1
			messages = append(messages, headerMessage{linkMessage, concat([]byte{1, ordered | hasCharset | length16}, u64(uint64(i)), []byte{isUTF8},
				u16(len(name)), []byte(name), u64(f.header(o.byName[name])))})
		}
	}
	const length32, trackedHere = 2, 4
	flags := byte(length32)
	if n := len(o.attributes); n > 0 {
		flags |= trackedHere
		messages = append(messages, headerMessage{attributeInfoMessage, concat([]byte{0, tracked}, u16(n), u64(undefined), u64(undefined))})
		messages = append(messages, o.attributes...)
	}
	var b []byte
	for i, m := range messages {
		b = append(b, concat([]byte{byte(m.kind)}, u16(len(m.data)), []byte{0})...)
		if flags&trackedHere != 0 {
			b = append(b, u16(max(0, i-(len(messages)-len(o.attributes))))...)
		}
		b = append(b, m.data...)
	}
	f.align()
	at := f.at
	b = concat([]byte("OHDR"), []byte{2, flags}, u32(uint32(len(b))), b)
	f.write(b)
	f.write(u32(lookup3(b)))
	return at
}

func concat(parts ...[]byte) []byte { return slices.Concat(parts...) }

func u16(v int) []byte    { return le.AppendUint16(nil, uint16(v)) }
func u32(v uint32) []byte { return le.AppendUint32(nil, v) }
func u64(v uint64) []byte { return le.AppendUint64(nil, v) }
