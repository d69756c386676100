package torch

import (
	"bytes"
	"fmt"
	"io"

	"github.com/ndgrad/ndgrad/nd/internal/npy"
)

// File is an open file: its value, without the elements of the tensors.
type File struct {
	// Value is what was saved.
	Value any
	// Constants are those of a TorchScript archive, else nil.
	Constants *List

	storages map[string]section
	budget   *budget
}

// section says where the bytes of a storage are.
type section struct {
	open func() (io.ReadCloser, error)
	size int64
}

// Open reads the pickles of a file of the given size.
func Open(r io.ReaderAt, size int64) (*File, error) {
	start := make([]byte, min(size, 512))
	if _, err := r.ReadAt(start, 0); err != nil && err != io.EOF {
		return nil, err
	}
	f := &File{storages: map[string]section{}, budget: newBudget(size)}
	const tarMagic, tarMagicAt = "ustar", 257
	switch {
	case bytes.HasPrefix(start, []byte("PK\x03\x04")):
		return f, f.openZip(r, size)
	case bytes.HasPrefix(start, []byte{opProto}):
		return f, f.openLegacy(r, size)
	case len(start) > tarMagicAt && bytes.HasPrefix(start[tarMagicAt:], []byte(tarMagic)):
		return nil, fmt.Errorf("the tar archives of PyTorch before 0.1.10 are not read: save the file again with a later version")
	}
	return nil, fmt.Errorf("neither a zip archive nor a pickle begins here: not a file of torch.save")
}

// StorageKey returns what two tensors have in common if they have the same storage and dtype. constants says that the
// tensor is one of the constants of a TorchScript archive, whose storages are others.
func (t *Tensor) StorageKey(constants bool) string { return t.storageName(constants) + " " + t.Type }

// storageName returns the name under which a File has the tensor's storage.
func (t *Tensor) storageName(constants bool) string {
	if constants {
		return constantsFolder + t.Storage
	}
	return dataFolder + t.Storage
}

// Folders of the storages.
const (
	dataFolder      = "data/"
	constantsFolder = "constants/"
)

// ReadStorage reads the storage of a tensor into memory that it gets from room, for all its elements.
func (f *File) ReadStorage(t *Tensor, constants bool, room npy.Room) error {
	if !t.DType.Valid() {
		return fmt.Errorf("no array has the dtype %s", t.Type)
	}
	s, ok := f.storages[t.storageName(constants)]
	if !ok {
		return fmt.Errorf("the file has no storage %q", t.Storage)
	}
	h := npy.Header{DType: t.DType, Shape: []int{t.Count}}
	size, err := h.Size()
	if err != nil {
		return err
	}
	if int64(size) > s.size {
		return fmt.Errorf("storage %q has %d bytes, %d elements of %s need %d", t.Storage, s.size, t.Count, t.DType, size)
	}
	r, err := s.open()
	if err != nil {
		return err
	}
	defer r.Close()
	if err := npy.ReadElements(r, h, int64(size), room); err != nil {
		return fmt.Errorf("storage %q: %w", t.Storage, err)
	}
	_, err = io.Copy(io.Discard, r) // compares the checksum
	return err
}
