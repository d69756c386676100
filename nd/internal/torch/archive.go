package torch

import (
	"archive/zip"
	"fmt"
	"io"
	"strings"

	"github.com/ndgrad/ndgrad/nd/internal/npy"
)

const (
	pickleName    = "data.pkl"
	constantsName = "constants.pkl"
	orderName     = "byteorder"
)

// openZip reads the directory and the pickles of an archive. All members are in one folder, whose name is free.
func (f *File) openZip(r io.ReaderAt, size int64) error {
	all, err := npy.ZipMembers(r, size)
	if err != nil {
		return err
	}
	members := map[string]*zip.File{}
	for _, m := range all {
		_, name, inFolder := strings.Cut(m.Name, "/")
		if !inFolder {
			continue
		}
		if members[name] != nil {
			return fmt.Errorf("there are two members %q", name)
		}
		members[name] = m
		if (strings.HasPrefix(name, dataFolder) || strings.HasPrefix(name, constantsFolder)) && m.UncompressedSize64 <= uint64(size) {
			f.storages[name] = section{func() (io.ReadCloser, error) { return openMember(m) }, int64(m.UncompressedSize64)}
		}
	}
	if members[pickleName] == nil {
		return fmt.Errorf("the archive has no member data.pkl: not a file of torch.save")
	}
	if order := members[orderName]; order != nil {
		text, err := readMember(order, size)
		if err != nil {
			return err
		}
		if string(text) != "little" {
			return fmt.Errorf("the bytes are in the order %q: only little-endian files are read", text)
		}
	}
	if f.Value, err = f.pickle(members[pickleName], size); err != nil {
		return err
	}
	if m := members[constantsName]; m != nil {
		v, err := f.pickle(m, size)
		if err != nil {
			return err
		}
		if list, ok := v.(*List); ok {
			f.Constants = list
		}
	}
	return nil
}

func (f *File) pickle(m *zip.File, size int64) (any, error) {
	text, err := readMember(m, size)
	if err != nil {
		return nil, err
	}
	v, _, err := unpickle(text, f.budget, map[string]string{})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", m.Name, err)
	}
	return v, nil
}

// readMember reads a member other than a storage. It must not be larger than a file of the given size may need.
func readMember(m *zip.File, size int64) ([]byte, error) {
	limit := 4*size + 1<<20
	if m.UncompressedSize64 > uint64(limit) {
		return nil, fmt.Errorf("the member %q has %d bytes, more than a file of this size may need", m.Name, m.UncompressedSize64)
	}
	r, err := openMember(m)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("member %q: %w", m.Name, err)
	}
	return text, nil
}

// openMember opens a member. The reader compares the checksum at the end, unless the file was written without checksums
// (torch.serialization.set_crc32_options): then it has zeros instead.
func openMember(m *zip.File) (io.ReadCloser, error) {
	if m.CRC32 != 0 || m.Method != zip.Store || m.CompressedSize64 != m.UncompressedSize64 {
		return m.Open()
	}
	r, err := m.OpenRaw()
	if err != nil {
		return nil, err
	}
	return io.NopCloser(r), nil
}
