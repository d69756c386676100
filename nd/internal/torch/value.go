package torch

import (
	"fmt"
	"strings"

	"github.com/ndgrad/ndgrad/nd/dtype"
)

// A value of a pickle is nil, bool, int64, *big.Int, float64, string, []byte, *List, *Dict, *Tensor, or a Name.
type (
	// List is a list, a tuple or a set.
	List struct{ Items []any }

	// Name is a dtype, a device, or another constant that a text names.
	Name string

	// Tensor is a strided view of a storage.
	Tensor struct {
		DType   dtype.DType // not valid if no array has the tensor's dtype
		Type    string      // the dtype, or the class of the storage, as the file names it
		Storage string      // key of the storage
		Count   int         // elements of the storage, in the tensor's dtype
		Offset  int         // index of the first element
		Shape   []int
		Strides []int // in elements
	}
)

// Dict is a dict in the order of its insertions, or the attributes of an object.
type Dict struct {
	Keys, Values []any
	IsObject     bool
	index        map[any]int
}

// set adds an entry, or replaces the value of its key.
func (d *Dict) set(key, value any) error {
	switch key.(type) {
	case nil, bool, int64, float64, string, Name:
	default:
		return fmt.Errorf("a %T as the key of a dict", key)
	}
	if at, ok := d.index[key]; ok {
		d.Values[at] = value
		return nil
	}
	if d.index == nil {
		d.index = map[any]int{}
	}
	d.index[key] = len(d.Keys)
	d.Keys, d.Values = append(d.Keys, key), append(d.Values, value)
	return nil
}

// storageClass returns the class of storages for a dtype, or "" if tensors of the dtype have storages of bytes.
func storageClass(dt dtype.DType) string {
	switch dt {
	case dtype.Float32:
		return "FloatStorage"
	case dtype.Float64:
		return "DoubleStorage"
	case dtype.Float16:
		return "HalfStorage"
	case dtype.BFloat16:
		return "BFloat16Storage"
	case dtype.Int64:
		return "LongStorage"
	case dtype.Int32:
		return "IntStorage"
	case dtype.Int16:
		return "ShortStorage"
	case dtype.Int8:
		return "CharStorage"
	case dtype.Uint8:
		return "ByteStorage"
	case dtype.Bool:
		return "BoolStorage"
	case dtype.Complex64:
		return "ComplexFloatStorage"
	case dtype.Complex128:
		return "ComplexDoubleStorage"
	}
	return ""
}

// storageType returns the dtype of a class of storages.
func storageType(class string) dtype.DType { return typeWith(storageClass, class) }

// tensorType returns the dtype that PyTorch calls torch.name.
func tensorType(name string) dtype.DType { return typeWith(dtype.DType.String, name) }

// typeWith returns the dtype to which a function gives a name; no dtype has the empty name.
func typeWith(nameOf func(dtype.DType) string, name string) dtype.DType {
	for dt := dtype.Bool; dt < dtype.Count; dt++ {
		if name != "" && nameOf(dt) == name {
			return dt
		}
	}
	return dtype.Unspecified
}

// untyped is the class of storages of bytes.
const untyped = "UntypedStorage"

// isType reports whether torch.name is a dtype, one that arrays have or another one.
func isType(name string) bool {
	switch strings.TrimRight(name, "0123456789") {
	case "bool", "uint", "int", "float", "bfloat", "complex", "quint", "qint", "half", "double", "long", "short", "cfloat", "cdouble", "chalf":
		return true
	}
	return strings.HasPrefix(name, "float8_") || strings.HasPrefix(name, "float4_") || strings.HasPrefix(name, "quint")
}
