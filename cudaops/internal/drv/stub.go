//go:build !cuda || !linux

package drv

import (
	"errors"
	"unsafe"
)

var errNotBuilt = errors.New("built without -tags cuda")

// Built reports whether the package was built for CUDA.
func Built() bool { return false }

func DeviceCount() (int, error)                      { return 0, errNotBuilt }
func DeviceName(int) (string, error)                 { return "", errNotBuilt }
func DeviceAttribute(int, Attribute) (int, error)    { return 0, errNotBuilt }
func DriverVersion() (int, error)                    { return 0, errNotBuilt }
func TotalMem(int) (int64, error)                    { return 0, errNotBuilt }
func Primary(int) (Context, error)                   { return 0, errNotBuilt }
func CompilerVersion() (major, minor int, err error) { return 0, 0, errNotBuilt }
func Compile(source, name string, options []string) (image []byte, log string, err error) {
	return nil, "", errNotBuilt
}
func Mark(string)              {}
func RangeStart(string) uint64 { return 0 }
func RangeEnd(uint64)          {}

func (Context) MemAlloc(int) (Pointer, error)                      { return 0, errNotBuilt }
func (Context) MemFree(Pointer) error                              { return errNotBuilt }
func (Context) MemInfo() (free, total int64, err error)            { return 0, 0, errNotBuilt }
func (Context) HostAlloc(int) (unsafe.Pointer, error)              { return nil, errNotBuilt }
func (Context) HostFree(unsafe.Pointer) error                      { return errNotBuilt }
func (Context) HostAddress(unsafe.Pointer) (Pointer, error)        { return 0, errNotBuilt }
func (Context) NewStream(bool) (Stream, error)                     { return 0, errNotBuilt }
func (Context) StreamDestroy(Stream) error                         { return errNotBuilt }
func (Context) StreamSynchronize(Stream) error                     { return errNotBuilt }
func (Context) StreamQuery(Stream) (bool, error)                   { return false, errNotBuilt }
func (Context) StreamWait(Stream, Event) error                     { return errNotBuilt }
func (Context) NewEvent(blocking, timing bool) (Event, error)      { return 0, errNotBuilt }
func (Context) EventDestroy(Event) error                           { return errNotBuilt }
func (Context) EventRecord(Event, Stream) error                    { return errNotBuilt }
func (Context) EventSynchronize(Event) error                       { return errNotBuilt }
func (Context) EventQuery(Event) (bool, error)                     { return false, errNotBuilt }
func (Context) Elapsed(from, to Event) (float32, error)            { return 0, errNotBuilt }
func (Context) CopyIn(Pointer, unsafe.Pointer, int, Stream) error  { return errNotBuilt }
func (Context) CopyOut(unsafe.Pointer, Pointer, int, Stream) error { return errNotBuilt }
func (Context) Copy(dst, src Pointer, bytes int, s Stream) error   { return errNotBuilt }
func (Context) CopyPeer(dst Pointer, to Context, src Pointer, bytes int, s Stream) error {
	return errNotBuilt
}
func (Context) Fill8(Pointer, byte, int, Stream) error    { return errNotBuilt }
func (Context) Fill32(Pointer, uint32, int, Stream) error { return errNotBuilt }
func (Context) LoadModule([]byte) (Module, error)         { return 0, errNotBuilt }
func (Context) UnloadModule(Module) error                 { return errNotBuilt }
func (Context) Function(Module, string) (Function, error) { return 0, errNotBuilt }
func (Context) SetSharedLimit(Function, int) error        { return errNotBuilt }
func (Context) Launch(f Function, gx, gy, gz, bx, by, bz, shared int, s Stream, params unsafe.Pointer, size int) error {
	return errNotBuilt
}
func (Context) ProfilerStart() error { return errNotBuilt }
func (Context) ProfilerStop() error  { return errNotBuilt }

// BLAS is empty without cuBLAS.
type BLAS struct{}

// NewBLAS returns an error: there is no library.
func (Context) NewBLAS(Stream) (*BLAS, error) { return nil, errNotBuilt }

// Handle returns 0.
func (*BLAS) Handle() uintptr { return 0 }

// Version returns 0.
func (*BLAS) Version() int { return 0 }

// Fix returns an error: there is no library.
func (*BLAS) Fix(Pointer, int) error { return errNotBuilt }

// Multiply returns an error: there is no library.
func (*BLAS) Multiply(*Gemm) error { return errNotBuilt }
