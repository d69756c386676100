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

// storageType returns the dtype of a class of storages.
func storageType(class string) dtype.DType {
	switch class {
	case "FloatStorage":
		return dtype.Float32
	case "DoubleStorage":
		return dtype.Float64
	case "HalfStorage":
		return dtype.Float16
	case "BFloat16Storage":
		return dtype.BFloat16
	case "LongStorage":
		return dtype.Int64
	case "IntStorage":
		return dtype.Int32
	case "ShortStorage":
		return dtype.Int16
	case "CharStorage":
		return dtype.Int8
	case "ByteStorage":
		return dtype.Uint8
	case "BoolStorage":
		return dtype.Bool
	case "ComplexFloatStorage":
		return dtype.Complex64
	case "ComplexDoubleStorage":
		return dtype.Complex128
	}
	return dtype.Unspecified
}

// storageClass returns the class of storages for a dtype, or "" if tensors of the dtype have storages of bytes.
func storageClass(dt dtype.DType) string {
	for _, class := range []string{"FloatStorage", "DoubleStorage", "HalfStorage", "BFloat16Storage", "LongStorage", "IntStorage", "ShortStorage",
		"CharStorage", "ByteStorage", "BoolStorage", "ComplexFloatStorage", "ComplexDoubleStorage"} {
		if storageType(class) == dt {
			return class
		}
	}
	return ""
}

// untyped is the class of storages of bytes.
const untyped = "UntypedStorage"

// tensorType returns the dtype that PyTorch calls torch.name.
func tensorType(name string) dtype.DType {
	switch name {
	case "bool", "uint8", "int8", "uint16", "int16", "uint32", "int32", "uint64", "int64", "float16", "bfloat16", "float32", "float64", "complex64", "complex128":
		dt, _ := dtype.Parse(name)
		return dt
	}
	return dtype.Unspecified
}

// isType reports whether torch.name is a dtype, one that arrays have or another one.
func isType(name string) bool {
	switch strings.TrimRight(name, "0123456789") {
	case "bool", "uint", "int", "float", "bfloat", "complex", "quint", "qint", "half", "double", "long", "short", "cfloat", "cdouble", "chalf":
		return true
	}
	return strings.HasPrefix(name, "float8_") || strings.HasPrefix(name, "float4_") || strings.HasPrefix(name, "quint")
}
