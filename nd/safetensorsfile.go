package nd

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/internal/npy"
	"github.com/ndgrad/ndgrad/nd/internal/safetensors"
)

// Safetensors is an open file in the safetensors format, or the files of a sharded checkpoint. Only headers are in memory:
// an array is read when it is asked for, whole or a few rows at a time, so that the files may be larger than the memory.
// Many goroutines may read at once.
type Safetensors struct {
	names    []string
	tensors  map[string]shardTensor
	metadata map[string]string
	files    []io.Closer
}

// shardTensor is an array in one of the files.
type shardTensor struct {
	safetensors.Tensor
	data *io.SectionReader
}

// isIndex reports whether a path is that of the index of a sharded checkpoint.
func isIndex(path string) bool { return strings.EqualFold(filepath.Ext(path), ".json") }

// OpenSafetensors opens a .safetensors file, or the files of a sharded checkpoint by the name of its index, such as
// model.safetensors.index.json. The files of an index must be in its folder. The caller closes it.
func OpenSafetensors(path string) (*Safetensors, error) {
	s := &Safetensors{tensors: map[string]shardTensor{}}
	var err error
	if isIndex(path) {
		err = s.openIndex(path)
	} else {
		err = s.open(path)
	}
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// NewSafetensors reads the header of a file of the given size.
func NewSafetensors(r io.ReaderAt, size int64) (*Safetensors, error) {
	const fn = "nd.NewSafetensors"
	h, err := safetensors.ReadHeader(bufio.NewReader(io.NewSectionReader(r, 0, size)))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", fn, err)
	}
	if want := h.Bytes + h.DataEnd(); size != want {
		return nil, fmt.Errorf("%s: the file has %d bytes, its header describes %d", fn, size, want)
	}
	s := &Safetensors{tensors: map[string]shardTensor{}, metadata: h.Metadata}
	for _, t := range h.Tensors {
		s.names = append(s.names, t.Name)
		s.tensors[t.Name] = shardTensor{t, io.NewSectionReader(r, h.Bytes+int64(t.Begin), int64(t.End-t.Begin))}
	}
	return s, nil
}

// open adds the arrays and the metadata of a file.
func (s *Safetensors) open(path string) error {
	part, file, err := openSized(path, NewSafetensors)
	if err != nil {
		return err
	}
	s.files = append(s.files, file)
	for _, name := range part.names {
		if _, twice := s.tensors[name]; twice {
			return fmt.Errorf("%s: an array %q is in another file of the index, too", path, name)
		}
		s.names = append(s.names, name)
		s.tensors[name] = part.tensors[name]
	}
	if s.metadata == nil {
		s.metadata = part.metadata
	}
	return nil
}

// openIndex opens the files that an index names, in the order of their names.
func (s *Safetensors) openIndex(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var index struct {
		Files map[string]string `json:"weight_map"`
	}
	if err := json.Unmarshal(text, &index); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if index.Files == nil {
		return fmt.Errorf(`%s: want a member "weight_map"`, path)
	}
	shards := slices.Compact(slices.Sorted(maps.Values(index.Files)))
	for _, shard := range shards {
		if shard == "" || shard != filepath.Base(shard) || !filepath.IsLocal(shard) {
			return fmt.Errorf("%s: the file %q is not in the folder of the index", path, shard)
		}
		before := len(s.names)
		if err := s.open(filepath.Join(filepath.Dir(path), shard)); err != nil {
			return err
		}
		for _, name := range s.names[before:] {
			if index.Files[name] != shard {
				return fmt.Errorf("%s: %s has an array %q, which the index does not expect there", path, shard, name)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(index.Files)) {
		if _, ok := s.tensors[name]; !ok {
			return fmt.Errorf("%s: %s has no array %q", path, index.Files[name], name)
		}
	}
	return nil
}

// Close closes the files that OpenSafetensors opened.
func (s *Safetensors) Close() error {
	var errs []error
	for _, f := range s.files {
		errs = append(errs, f.Close())
	}
	return errors.Join(errs...)
}

// Names returns the names of the arrays, in the order of their data.
func (s *Safetensors) Names() []string { return slices.Clone(s.names) }

// Metadata returns the metadata of the file, nil if there are none; of several files, those of the first that has any.
func (s *Safetensors) Metadata() map[string]string { return maps.Clone(s.metadata) }

// Info returns the dtype and the shape of the array of that name.
func (s *Safetensors) Info(name string) (dtype.DType, []int, error) {
	t, _, err := s.find("Safetensors.Info", name)
	return t.DType, slices.Clone(t.Shape), err
}

// find returns the array of that name, and its layout. It is an error if no array can have its dtype.
func (s *Safetensors) find(fn Func, name string) (shardTensor, npy.Header, error) {
	t, ok := s.tensors[name]
	if !ok {
		return t, npy.Header{}, fmt.Errorf("%s: there is no array %q", fn, name)
	}
	layout, err := t.Layout()
	if err != nil {
		return t, layout, fmt.Errorf("%s: %w", fn, err)
	}
	return t, layout, nil
}

// Read reads the array of that name.
func (s *Safetensors) Read(name string) (*Array, error) {
	const fn Func = "Safetensors.Read"
	t, _, err := s.find(fn, name)
	if err != nil {
		return nil, err
	}
	return readTensor(fn, io.NewSectionReader(t.data, 0, t.data.Size()), t.Tensor, t.data.Size())
}

// Rows reads the rows of an array from index from up to, but not including, index to. A row is the part of the array at
// one index of the first axis.
func (s *Safetensors) Rows(name string, from, to int) (*Array, error) {
	const fn Func = "Safetensors.Rows"
	t, layout, err := s.find(fn, name)
	if err != nil {
		return nil, err
	}
	if err := checkRows(fn, name, layout.Shape, from, to); err != nil {
		return nil, err
	}
	rows := layout.Shape[0]
	part := t.Tensor
	part.Shape = append([]int{to - from}, layout.Shape[1:]...)
	row := t.data.Size() / int64(max(rows, 1))
	bytes := row * int64(to-from)
	return readTensor(fn, io.NewSectionReader(t.data, row*int64(from), bytes), part, bytes)
}
