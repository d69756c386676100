package mxnet

import "github.com/ndgrad/ndgrad/nd/dtype"

const (
	listMagic = 0x112 // begins a file

	magic1 = 0xF993FAC8 // begins an array of version 1
	magic2 = 0xF993FAC9
	magic3 = 0xF993FACA
)

// Kinds of storage.
const (
	dense int32 = iota
	rowSparse
	csr
)

// types lists the dtypes by their numbers in a file.
func types() []dtype.DType {
	return []dtype.DType{dtype.Float32, dtype.Float64, dtype.Float16, dtype.Uint8, dtype.Int32, dtype.Int8, dtype.Int64,
		dtype.Bool, dtype.Int16, dtype.Uint16, dtype.Uint32, dtype.Uint64, dtype.BFloat16}
}
