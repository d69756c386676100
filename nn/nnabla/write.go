package nnabla

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/ndgrad/ndgrad/internal/wholefile"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/internal/wire"
)

// write writes parameters to a file by its extension, and with them the text of networks and other members of an .nnp.
func write(path string, scope *nn.Scope, text wire.Message, members []member) error {
	if err := checkSaved(scope); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	var body func(w io.Writer) error
	switch extension := strings.ToLower(filepath.Ext(path)); {
	case extension == ".nnp":
		body = func(w io.Writer) error { return writeZip(w, scope, text, members) }
	case extension == ".nntxt" || extension == ".prototxt":
		body = func(w io.Writer) error {
			if err := writeAll(w, text.AppendText(nil, 0)); err != nil {
				return err
			}
			return writeMessages(w, scope, wire.MarshalText)
		}
	case text != nil:
		return fmt.Errorf("%s: want an extension .nnp, .nntxt or .prototxt for networks, not %q", path, extension)
	case extension == ".protobuf":
		body = func(w io.Writer) error { return writeMessages(w, scope, wire.Marshal) }
	case extension == ".h5":
		return nd.CreateHDF5(path, func(f *nd.HDF5Writer) error { return writeHDF5(f, scope) })
	default:
		return fmt.Errorf("%s: want an extension .h5, .protobuf, .nntxt, .prototxt or .nnp, not %q", path, extension)
	}
	if err := wholefile.Write(path, body); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// nnpVersion is the text of the first member of an .nnp.
const nnpVersion = "0.1\n"

// writeZip writes an .nnp: its members are stored without compression, as NNabla stores them.
func writeZip(w io.Writer, scope *nn.Scope, text wire.Message, members []member) error {
	z := zip.NewWriter(w)
	for _, part := range []struct {
		name  string
		write func(w io.Writer) error
	}{
		{"nnp_version.txt", func(w io.Writer) error { return writeAll(w, []byte(nnpVersion)) }},
		{"network.nntxt", func(w io.Writer) error { return writeAll(w, text.AppendText(nil, 0)) }},
		{"parameter.h5", func(w io.Writer) error {
			f := nd.NewHDF5Writer(w)
			if err := writeHDF5(f, scope); err != nil {
				return err
			}
			return f.Close()
		}},
	} {
		m, err := z.CreateHeader(&zip.FileHeader{Name: part.name})
		if err == nil {
			err = part.write(m)
		}
		if err != nil {
			return fmt.Errorf("member %q: %w", part.name, err)
		}
	}
	for _, m := range members {
		raw, err := z.CreateRaw(&m.header)
		if err == nil {
			_, err = io.Copy(raw, bytes.NewReader(m.data))
		}
		if err != nil {
			return fmt.Errorf("member %q: %w", m.header.Name, err)
		}
	}
	return z.Close()
}

func writeAll(w io.Writer, data []byte) error {
	_, err := w.Write(data)
	return err
}
