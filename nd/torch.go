package nd

import (
	"errors"
	"fmt"
	"io"
	"math/big"
	"runtime"
	"slices"
	"strings"

	"github.com/ndgrad/ndgrad/internal/wholefile"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/internal/npy"
	"github.com/ndgrad/ndgrad/nd/internal/torch"
)

// TorchDict is a dict of a PyTorch file, in its order. A key is a string, or an int64, bool or float64.
type TorchDict []TorchItem

// TorchItem is an entry of a TorchDict. The value is an *Array, a TorchDict, a list []any, or nil, bool, int64, *big.Int,
// float64, string or []byte.
type TorchItem struct{ Key, Value any }

// Get returns the value of a key, nil if it is missing.
func (d TorchDict) Get(key any) any {
	for _, item := range d {
		if item.Key == key {
			return item.Value
		}
	}
	return nil
}

// TorchFile is an open file of torch.save (.pt, .pth, of every version since 0.4) or a TorchScript archive. Only its
// structure is in memory; tensors are read when they are asked for. The file may be a checkpoint of dicts, lists, numbers
// and tensors at any depth. A tensor is named by its path: "model/conv.weight" is the entry "conv.weight" of the dict
// "model", and "optimizer/state/0/exp_avg" has two more levels. The parameters of TorchScript modules have the names that
// they have in a state_dict, and the constants are "constants/0", ….
//
// A file is a pickle, which can name any function of Python. OpenTorch never runs anything: it refuses a file that names
// another class than those of tensors, dicts and numbers, and says which. Save a state_dict, not a module.
type TorchFile struct {
	pickled *torch.File
	file    io.Closer // nil if the caller supplied the reader
	names   []string
	paths   []string       // of everything but dicts and lists
	values  map[string]any // of every path
}

// OpenTorch opens a file of torch.save. The caller closes it.
func OpenTorch(path string) (*TorchFile, error) {
	f, file, err := openSized(path, NewTorch)
	if err != nil {
		return nil, err
	}
	f.file = file
	return f, nil
}

// NewTorch reads the structure of a file of the given size.
func NewTorch(r io.ReaderAt, size int64) (*TorchFile, error) {
	const fn = "nd.NewTorch"
	pickled, err := torch.Open(r, size)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", fn, err)
	}
	f := &TorchFile{pickled: pickled, values: map[string]any{}}
	note := func(path string, v any) error {
		if _, twice := f.values[path]; twice {
			return fmt.Errorf("there are two values %q", path)
		}
		f.values[path] = v
		switch v.(type) {
		case *torch.Tensor:
			f.names, f.paths = append(f.names, path), append(f.paths, path)
		case *torch.List, *torch.Dict:
		default:
			f.paths = append(f.paths, path)
		}
		return nil
	}
	err = pickled.Walk(pickled.Value, note)
	if err == nil && pickled.Constants != nil {
		err = pickled.Walk(pickled.Constants, func(path string, v any) error { return note(torchConstants+path, v) })
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", fn, err)
	}
	return f, nil
}

// torchConstants precedes the paths of the constants of a TorchScript archive.
const torchConstants = "constants/"

// Close closes the file that OpenTorch opened.
func (f *TorchFile) Close() error {
	if f.file == nil {
		return nil
	}
	return f.file.Close()
}

// Names returns the names of the tensors, in the order of the file.
func (f *TorchFile) Names() []string { return slices.Clone(f.names) }

// Paths returns the paths of the tensors, and of the numbers, texts and other values beside them, in the order of the file:
// everything but dicts and lists.
func (f *TorchFile) Paths() []string { return slices.Clone(f.paths) }

// Info returns the dtype and the shape of the tensor of that name.
func (f *TorchFile) Info(name string) (dtype.DType, []int, error) {
	t, err := f.tensor("TorchFile.Info", name)
	if err != nil {
		return dtype.Unspecified, nil, err
	}
	if !t.DType.Valid() {
		return dtype.Unspecified, nil, fmt.Errorf("TorchFile.Info: %q: no array has the dtype %s", name, t.Type)
	}
	return t.DType, slices.Clone(t.Shape), nil
}

func (f *TorchFile) tensor(fn Func, name string) (*torch.Tensor, error) {
	if t, ok := f.values[name].(*torch.Tensor); ok {
		return t, nil
	}
	return nil, fmt.Errorf("%s: there is no tensor %q", fn, name)
}

// Read reads the tensor of that name: a view of its whole storage, with the strides of the file.
func (f *TorchFile) Read(name string) (*Array, error) {
	const fn Func = "TorchFile.Read"
	if _, err := f.tensor(fn, name); err != nil {
		return nil, err
	}
	v, err := f.value(fn, name)
	x, _ := v.(*Array)
	return x, err
}

// Value reads what has that path, with all tensors in it: the type of the result is one of those of [TorchItem]. The
// empty path is the whole file. Tensors of one storage are views of one array.
func (f *TorchFile) Value(path string) (any, error) {
	const fn Func = "TorchFile.Value"
	if _, ok := f.values[path]; !ok {
		return nil, fmt.Errorf("%s: there is no value %q", fn, path)
	}
	return f.value(fn, path)
}

// value reads what has a path that exists.
func (f *TorchFile) value(fn Func, path string) (any, error) {
	r := &torchReader{f: f, fn: fn, storages: map[string]*Array{}, constants: strings.HasPrefix(path, torchConstants)}
	defer r.release()
	read, err := r.value(f.values[path])
	if err != nil {
		return nil, fmt.Errorf("%q: %w", path, err)
	}
	return read, nil
}

// ReadAll reads all tensors under their names. Tensors of one storage are views of one array.
func (f *TorchFile) ReadAll() (NamedArrays, error) {
	const fn Func = "TorchFile.ReadAll"
	r := &torchReader{f: f, fn: fn, storages: map[string]*Array{}}
	defer r.release()
	var arrays NamedArrays
	for _, name := range f.names {
		r.constants = strings.HasPrefix(name, torchConstants)
		x, err := r.tensor(f.values[name].(*torch.Tensor))
		if err != nil {
			return nil, fmt.Errorf("%q: %w", name, err)
		}
		arrays = append(arrays, Named{name, x})
	}
	return arrays, nil
}

// torchReader reads values whose tensors share storages.
type torchReader struct {
	f         *TorchFile
	fn        Func
	storages  map[string]*Array
	constants bool
}

// release releases the headers of whole storages: the tensors keep the memory.
func (r *torchReader) release() {
	for _, x := range r.storages {
		x.Release()
	}
}

func (r *torchReader) value(v any) (any, error) {
	switch v := v.(type) {
	case *torch.Tensor:
		return r.tensor(v)
	case *torch.List:
		list := make([]any, len(v.Items))
		for i, item := range v.Items {
			var err error
			if list[i], err = r.value(item); err != nil {
				return nil, err
			}
		}
		return list, nil
	case *torch.Dict:
		d := make(TorchDict, len(v.Keys))
		for i, key := range v.Keys {
			item, err := r.value(v.Values[i])
			if err != nil {
				return nil, err
			}
			d[i] = TorchItem{key, item}
		}
		return d, nil
	case torch.Name:
		return string(v), nil
	}
	return v, nil
}

// tensor returns a view of the tensor's storage, which is read once.
func (r *torchReader) tensor(t *torch.Tensor) (*Array, error) {
	if broadcast.Size(t.Shape) == 0 && t.DType.Valid() {
		return allocate(r.fn, cpu, t.DType, t.Shape), nil
	}
	key := t.StorageKey(r.constants)
	base := r.storages[key]
	if base == nil {
		var err error
		base, err = readElements(r.fn, func(room npy.Room) error { return r.f.pickled.ReadStorage(t, r.constants, room) })
		if err != nil {
			return nil, err
		}
		r.storages[key] = base
	}
	tail := base.Index(Span(t.Offset, t.Count))
	return replaceHeader(tail, tail.AsStrided(t.Shape, t.Strides)), nil
}

// LoadTorch reads all tensors of a file of torch.save, or of a TorchScript archive, under their paths: see [TorchFile].
// Tensors that share a storage in the file share memory. What is no tensor is left out: [OpenTorch] reads it, too.
// PyTorch: load, jit.load (of the parameters).
func LoadTorch(path string) (NamedArrays, error) {
	f, err := OpenTorch(path)
	if err != nil {
		return nil, err
	}
	arrays, err := f.ReadAll()
	if err = errors.Join(err, f.Close()); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return arrays, nil
}

// WriteTorch writes a file that torch.load reads, with weights_only=True too. The value is usually NamedArrays, which become a
// state dict, or a TorchDict of them with other values beside: everything that [TorchItem] lists, and int and []string.
// Arrays that are the same view of one memory share a storage in the file.
func WriteTorch(w io.Writer, value any) error {
	const fn Func = "nd.WriteTorch"
	t := &torchWriter{fn: fn, numbers: map[string]int{}}
	v, err := t.value(value)
	if err == nil {
		err = torch.Write(w, v, len(t.arrays), func(i int) []byte {
			return npy.LittleEndian(npy.Header{DType: t.arrays[i].dtype}, t.arrays[i].elements(fn))
		})
	}
	runtime.KeepAlive(t.arrays)
	return named(fn, err)
}

// SaveTorch writes a value to a file, as [WriteTorch]. The file appears complete or not at all.
// PyTorch: save.
func SaveTorch(path string, value any) error {
	return wholefile.Write(path, func(w io.Writer) error { return WriteTorch(w, value) })
}

// torchWriter gives the arrays in a value the numbers of storages.
type torchWriter struct {
	fn      Func
	arrays  []*Array
	numbers map[string]int // of views
}

func (t *torchWriter) value(v any) (any, error) {
	switch v := v.(type) {
	case nil, bool, int64, *big.Int, float64, string:
		return v, nil
	case int:
		return int64(v), nil
	case *Array:
		return t.tensor(v), nil
	case []Named:
		return t.value(NamedArrays(v))
	case NamedArrays:
		keys, values := make([]any, len(v)), make([]any, len(v))
		for i, n := range v {
			keys[i], values[i] = n.Name, t.tensor(n.Array)
		}
		return torch.NewDict(keys, values)
	case TorchDict:
		keys, values := make([]any, len(v)), make([]any, len(v))
		for i, item := range v {
			var errs [2]error
			keys[i], errs[0] = t.value(item.Key)
			values[i], errs[1] = t.value(item.Value)
			if err := errors.Join(errs[:]...); err != nil {
				return nil, err
			}
		}
		return torch.NewDict(keys, values)
	case []string:
		items := make([]any, len(v))
		for i, s := range v {
			items[i] = s
		}
		return &torch.List{Items: items}, nil
	case []any:
		items := make([]any, len(v))
		for i, item := range v {
			var err error
			if items[i], err = t.value(item); err != nil {
				return nil, err
			}
		}
		return &torch.List{Items: items}, nil
	}
	return nil, fmt.Errorf("a %T cannot be written", v)
}

// tensor returns the tensor of an array's elements, whose storage other arrays have too if they are the same view.
func (t *torchWriter) tensor(x *Array) *torch.Tensor {
	x.check(t.fn)
	i := len(t.arrays)
	if x.scalar == nil {
		view := fmt.Sprint(x.store.blockNumber(), x.dtype, x.offset, x.shape, x.strides)
		if same, known := t.numbers[view]; known {
			return torch.Contiguous(same, x.dtype, x.Shape())
		}
		t.numbers[view] = i
	}
	t.arrays = append(t.arrays, x)
	return torch.Contiguous(i, x.dtype, x.Shape())
}
