package nccl

import (
	"fmt"

	"github.com/ndgrad/ndgrad/nd/dtype"
)

// uniqueID is what ranks must know to find each other. C passes it by value.
type uniqueID struct{ bytes [128]byte }

// communicator is NCCL's ncclComm_t.
type communicator = uintptr

// library is the functions of NCCL. A result other than 0 is an error. Addresses and streams are CUDA's.
type library struct {
	version string // such as "NCCL 2.27.5"

	getVersion  func(version *int32) int32
	errorString func(result int32) string
	lastError   func(c communicator) string
	getUniqueID func(id *uniqueID) int32
	initRank    func(c *communicator, ranks int32, id uniqueID, rank int32) int32
	split       func(c communicator, color, key int32, made *communicator, config uintptr) int32
	destroy     func(c communicator) int32
	abort       func(c communicator) int32
	asyncError  func(c communicator, result *int32) int32
	groupStart  func() int32
	groupEnd    func() int32
	send        func(from uintptr, count uintptr, kind, peer int32, c communicator, stream uintptr) int32
	recv        func(to uintptr, count uintptr, kind, peer int32, c communicator, stream uintptr) int32
	broadcast   func(from, to uintptr, count uintptr, kind, root int32, c communicator, stream uintptr) int32
	allGather   func(from, to uintptr, count uintptr, kind int32, c communicator, stream uintptr) int32
	allReduce   func(from, to uintptr, count uintptr, kind, op int32, c communicator, stream uintptr) int32
}

// Constants of NCCL.
const (
	bytes   = 1  // ncclUint8
	sum     = 0  // ncclSum
	noColor = -1 // NCCL_SPLIT_NOCOLOR
)

// typeOf returns NCCL's type for sums of a dtype, and how many of its numbers an element is; 0 if there is none.
func typeOf(t dtype.DType) (kind int32, numbers int) {
	switch t {
	case dtype.Int8:
		return 0, 1
	case dtype.Uint8:
		return 1, 1
	case dtype.Int32:
		return 2, 1
	case dtype.Uint32:
		return 3, 1
	case dtype.Int64:
		return 4, 1
	case dtype.Uint64:
		return 5, 1
	case dtype.Float16:
		return 6, 1
	case dtype.Float32:
		return 7, 1
	case dtype.Float64:
		return 8, 1
	case dtype.BFloat16:
		return 9, 1
	case dtype.Complex64:
		return 7, 2
	case dtype.Complex128:
		return 8, 2
	}
	return 0, 0
}

// failure returns a result of a function as an error, or nil.
func (l *library) failure(function string, result int32, c communicator) error {
	if result == 0 {
		return nil
	}
	if last := l.lastError(c); last != "" {
		return fmt.Errorf("%s: %s: %s", function, l.errorString(result), last)
	}
	return fmt.Errorf("%s: %s", function, l.errorString(result))
}
