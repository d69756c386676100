package cpu

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/attention"
	"github.com/ndgrad/ndgrad/device/cpu/internal/conv"
	"github.com/ndgrad/ndgrad/device/cpu/internal/copying"
	"github.com/ndgrad/ndgrad/device/cpu/internal/elementwise"
	"github.com/ndgrad/ndgrad/device/cpu/internal/fft"
	"github.com/ndgrad/ndgrad/device/cpu/internal/index"
	"github.com/ndgrad/ndgrad/device/cpu/internal/lapack"
	"github.com/ndgrad/ndgrad/device/cpu/internal/matmul"
	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	"github.com/ndgrad/ndgrad/device/cpu/internal/pooling"
	"github.com/ndgrad/ndgrad/device/cpu/internal/reduce"
	"github.com/ndgrad/ndgrad/device/cpu/internal/rng"
	"github.com/ndgrad/ndgrad/device/cpu/internal/rowops"
	"github.com/ndgrad/ndgrad/device/cpu/internal/sample"
	"github.com/ndgrad/ndgrad/device/cpu/internal/scan"
	"github.com/ndgrad/ndgrad/device/cpu/internal/sorting"
	"github.com/ndgrad/ndgrad/device/cpu/internal/workers"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// processor is the device. It has no state of its own: its kernels share the workers and the recycled memory.
type processor struct{ device.Base }

func init() {
	device.Register("cpu", func() (device.Device, error) { return processor{}, nil })
}

// SetWorkers sets how many goroutines compute one kernel together, including the calling one, and returns the previous
// number. The initial number is GOMAXPROCS. SetWorkers is for tests, and for programs that want to leave processors
// free. Results do not depend on the number of workers.
func SetWorkers(n int) (old int) { return workers.Set(n) }

// BlocksMade returns how many blocks of memory were allocated so far, and their total number of bytes. Recycled blocks
// do not count. A program in a steady state that releases what it allocates makes no new blocks. BlocksMade is for
// tests and benchmarks.
func BlocksMade() (blocks, bytes int64) { return memory.BlocksMade() }

// Name returns "cpu".
func (processor) Name() string { return "cpu" }

// Synchronize returns nil: every kernel has finished when it returns.
func (processor) Synchronize() error { return nil }

func (processor) Alloc(bytes int) device.Memory                   { return memory.Alloc(bytes) }
func (processor) Free(m device.Memory)                            { memory.Free(m) }
func (processor) CopyIn(m device.Memory, offset int, src []byte)  { memory.CopyIn(m, offset, src) }
func (processor) CopyOut(dst []byte, m device.Memory, offset int) { memory.CopyOut(dst, m, offset) }
func (processor) Bytes(m device.Memory) []byte                    { return memory.Bytes(m) }
func (processor) Wrap(b []byte) (device.Memory, bool)             { return memory.Wrap(b) }
func (processor) Flat(p *device.Program) device.Flat              { return elementwise.Flat(p) }
func (processor) FlatReduce(c device.Combine, t dtype.DType) device.FlatReduce {
	return reduce.Flat(c, t)
}
func (processor) Engines(p *device.Program) device.Engines { return elementwise.EnginesOf(p) }

func (processor) FlatMatMul(t dtype.DType, m, n, k int, y, a, b unsafe.Pointer) bool {
	return matmul.Flat(t, m, n, k, y, a, b)
}

func (processor) Copy(l *device.Launch)                { copying.Copy(l) }
func (processor) Elementwise(l *device.Launch)         { elementwise.Elementwise(l) }
func (processor) Reduce(l *device.Launch)              { reduce.Reduce(l) }
func (processor) ArgReduce(l *device.Launch)           { reduce.ArgReduce(l) }
func (processor) Scan(l *device.Launch)                { scan.Scan(l) }
func (processor) MatMul(l *device.Launch)              { matmul.MatMul(l) }
func (processor) Attention(l *device.Launch)           { attention.Attention(l) }
func (processor) Gather(l *device.Launch)              { index.Gather(l) }
func (processor) Scatter(l *device.Launch)             { index.Scatter(l) }
func (processor) Sample(l *device.Launch)              { sample.Sample(l) }
func (processor) SampleGrad(l *device.Launch)          { sample.SampleGrad(l) }
func (processor) SampleLocationsGrad(l *device.Launch) { sample.SampleLocationsGrad(l) }
func (processor) Nonzero(l *device.Launch) int         { return index.Nonzero(l) }
func (processor) Compress(l *device.Launch) int        { return index.Compress(l) }
func (processor) Sort(l *device.Launch)                { sorting.Sort(l) }
func (processor) SearchSorted(l *device.Launch)        { sorting.SearchSorted(l) }
func (processor) Random(l *device.Launch)              { rng.Random(l) }
func (processor) Softmax(l *device.Launch)             { rowops.Softmax(l) }
func (processor) SoftmaxGrad(l *device.Launch)         { rowops.SoftmaxGrad(l) }
func (processor) CrossEntropy(l *device.Launch)        { rowops.CrossEntropy(l) }
func (processor) CrossEntropyGrad(l *device.Launch)    { rowops.CrossEntropyGrad(l) }
func (processor) CTC(l *device.Launch)                 { rowops.CTC(l) }
func (processor) CTCGrad(l *device.Launch)             { rowops.CTCGrad(l) }
func (processor) Normalize(l *device.Launch)           { rowops.Normalize(l) }
func (processor) NormalizeGrad(l *device.Launch)       { rowops.NormalizeGrad(l) }
func (processor) Convolve(l *device.Launch)            { conv.Convolve(l) }
func (processor) Pool(l *device.Launch)                { pooling.Pool(l) }
func (processor) PoolGrad(l *device.Launch)            { pooling.PoolGrad(l) }
func (processor) Cholesky(l *device.Launch)            { lapack.Cholesky(l) }
func (processor) LU(l *device.Launch)                  { lapack.LU(l) }
func (processor) TriangularSolve(l *device.Launch)     { lapack.TriangularSolve(l) }
func (processor) Solve(l *device.Launch)               { lapack.Solve(l) }
func (processor) QR(l *device.Launch)                  { lapack.QR(l) }
func (processor) SVD(l *device.Launch)                 { lapack.SVD(l) }
func (processor) Eigh(l *device.Launch)                { lapack.Eigh(l) }
func (processor) Eig(l *device.Launch)                 { lapack.Eig(l) }
func (processor) FFT(l *device.Launch)                 { fft.FFT(l) }
