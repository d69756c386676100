package nnabla

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/ndgrad/ndgrad/nn/internal/wire"
)

// parsed is a file: its text without parameters, its parameters, and the rest of an .nnp.
type parsed struct {
	text    wire.Message
	params  []stored
	binary  bool // there are networks in the binary format
	members []member
}

// member is a member of an .nnp that has no meaning here, as it is stored.
type member struct {
	header zip.FileHeader
	data   []byte
}

// read reads a file by its extension.
func read(path string) (*parsed, error) {
	file, size, err := openFile(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	f := &parsed{}
	switch extension := strings.ToLower(filepath.Ext(path)); extension {
	case ".nnp":
		err = f.readZip(file, size)
	case ".nntxt", ".prototxt", ".protobuf", ".h5":
		err = f.add(extension, file, size)
	default:
		err = fmt.Errorf("want an extension .nnp, .nntxt, .prototxt, .protobuf or .h5, not %q", extension)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return f, nil
}

// openFile opens a file, and returns its size, too.
func openFile(path string) (*os.File, int64, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, 0, err
	}
	info, err := file.Stat()
	if err != nil {
		file.Close()
		return nil, 0, err
	}
	return file, info.Size(), nil
}

// add adds a file with the given extension, or a member of an .nnp: HDF5, a binary message, or a text.
func (f *parsed) add(extension string, r io.ReaderAt, size int64) error {
	switch extension {
	case ".h5":
		params, err := readHDF5(r, size)
		f.params = append(f.params, params...)
		return err
	case ".protobuf":
		return f.addBinary(r, size)
	}
	text := make([]byte, size)
	if n, err := r.ReadAt(text, 0); n < len(text) {
		return err
	}
	return f.addText(text)
}

func (f *parsed) addText(text []byte) error {
	m, err := wire.ParseText(text)
	if err != nil {
		return err
	}
	var params []*parameter
	for _, field := range m {
		inner, isMessage := field.Value.(wire.Message)
		if field.Name != "parameter" || !isMessage {
			f.text = append(f.text, field)
			continue
		}
		p := &parameter{}
		if err := inner.Unmarshal(p); err != nil {
			return fmt.Errorf("parameter: %w", err)
		}
		params = append(params, p)
	}
	return f.addParameters(params)
}

func (f *parsed) addBinary(r io.ReaderAt, size int64) error {
	var c contents
	if err := wire.Unmarshal(r, size, &c); err != nil {
		return err
	}
	f.binary = f.binary || len(c.Network) > 0
	return f.addParameters(c.Parameter)
}

func (f *parsed) addParameters(all []*parameter) error {
	params, err := storedOf(all)
	f.params = append(f.params, params...)
	return err
}

// readZip reads the members of an .nnp: texts, parameters, and the rest. A small file cannot claim to be huge.
func (f *parsed) readZip(r io.ReaderAt, size int64) error {
	z, err := zip.NewReader(r, size)
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) { // names are never paths
		return err
	}
	left := budget{texts: spareText + size, rest: spareRest + swell*size, raw: size}
	for _, m := range z.File {
		if err := f.readMember(m, &left); err != nil {
			return fmt.Errorf("member %q: %w", m.Name, err)
		}
	}
	return nil
}

// budget is what the members of an .nnp may still take. Texts expand to several times their size when they are parsed.
type budget struct{ texts, rest, raw int64 }

const (
	spareText = 4 << 20
	spareRest = 16 << 20
	swell     = 16
)

func (f *parsed) readMember(m *zip.File, left *budget) error {
	const version = "nnp_version.txt"
	switch extension := strings.ToLower(filepath.Ext(m.Name)); {
	case m.Name == version:
		return nil
	case extension == ".nntxt" || extension == ".prototxt":
		return f.inflate(m, extension, &left.texts)
	case extension == ".protobuf" || extension == ".h5":
		return f.inflate(m, extension, &left.rest)
	}
	if left.raw -= int64(min(m.CompressedSize64, 1<<62)); left.raw < 0 {
		return errors.New("the members have more bytes than the file")
	}
	raw, err := m.OpenRaw()
	if err != nil {
		return err
	}
	data, err := io.ReadAll(raw)
	f.members = append(f.members, member{m.FileHeader, data})
	return err
}

// inflate reads a member of which left bytes may be read.
func (f *parsed) inflate(m *zip.File, extension string, left *int64) error {
	if m.UncompressedSize64 > uint64(max(*left, 0)) {
		return fmt.Errorf("it has %d bytes, more than a file of this size may need", m.UncompressedSize64)
	}
	size := int64(m.UncompressedSize64)
	*left -= size
	r, err := m.Open()
	if err != nil {
		return err
	}
	defer r.Close()
	var data bytes.Buffer
	data.Grow(int(min(size, swell*int64(min(m.CompressedSize64, 1<<50)))) + bytes.MinRead)
	if _, err := io.Copy(&data, io.LimitReader(r, size+1)); err != nil {
		return err
	}
	return f.add(extension, bytes.NewReader(data.Bytes()), int64(data.Len()))
}
