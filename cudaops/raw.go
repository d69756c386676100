package cudaops

import (
	"encoding/binary"
	"fmt"
	"math"
	"runtime"
	"unsafe"

	"github.com/ndgrad/ndgrad/cudaops/internal/drv"
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
)

// RawKernel is a kernel written in CUDA C++.
type RawKernel struct {
	device   *Device
	name     string
	module   drv.Module
	function drv.Function
}

// RawKernel compiles source for the device: CUDA C++ with an extern "C" __global__ function called name. opts are
// NVRTC's options, such as "--use_fast_math". RawKernel needs NVRTC, which is part of the CUDA toolkit. If the
// compilation fails, the error holds NVRTC's messages.
func (d *Device) RawKernel(source, name string, opts ...string) (*RawKernel, error) {
	major, minor, err := d.ComputeCapability()
	if err != nil {
		return nil, err
	}
	image, log, err := drv.Compile(source, name+".cu", append([]string{fmt.Sprintf("--gpu-architecture=sm_%d%d", major, minor)}, opts...))
	if err != nil {
		return nil, fmt.Errorf("RawKernel %s: %w\n%s", name, err, log)
	}
	module, err := d.context.LoadModule(image)
	if err != nil {
		return nil, fmt.Errorf("RawKernel %s: %w", name, err)
	}
	function, err := d.context.Function(module, name)
	if err != nil {
		_ = d.context.UnloadModule(module)
		return nil, fmt.Errorf("RawKernel %s: %w", name, err)
	}
	k := &RawKernel{d, name, module, function}
	runtime.AddCleanup(k, func(module drv.Module) { _ = d.context.UnloadModule(module) }, module)
	return k, nil
}

// Written marks an array that a [RawKernel] writes to, and may read.
type Written struct{ *nd.Array }

// Dim is the extent of a grid or of a block. A zero counts as 1.
type Dim struct{ X, Y, Z int }

func (d Dim) extents() (x, y, z int) { return max(d.X, 1), max(d.Y, 1), max(d.Z, 1) }

// Launch enqueues the kernel in a stream; nil is the compute stream. A block has shared bytes of dynamic shared memory.
//
// An argument is one of: an *nd.Array, for a pointer to its first element, from which the kernel only reads; a Written
// array; or a number with exactly the size of the kernel's parameter: bool, intN, uintN, float32, float64, complex64,
// complex128. An int counts as an int64. The kernel must handle strides itself; Contiguous returns arrays for which it
// need not. Kernels that use the same array run in the order of the calls, in whatever streams they are.
func (k *RawKernel) Launch(s *Stream, grid, block Dim, shared int, args ...any) {
	fn := nd.Func("RawKernel " + k.name)
	if s == nil {
		s = k.device.Stream()
	}
	if s.device != k.device {
		panic(fn.Errorf(nil, "the stream is of device %s, the kernel of %s", s.device.name, k.device.name))
	}
	l := fn.Launch(k.device, nil)
	operand := make([]int, len(args)) // by argument; only for arrays
	for i, arg := range args {
		if w, ok := arg.(Written); ok {
			operand[i] = l.N
			l.Write(w.Array)
		}
	}
	for i, arg := range args {
		switch arg := arg.(type) {
		case Written:
		case *nd.Array:
			operand[i] = l.N
			l.Read(arg)
		default:
			if !new(parameters).number(arg) {
				panic(fn.Errorf(nil, "argument %d is of type %T: want an array or a number of fixed size", i, arg))
			}
		}
	}
	l.Run(func(_ device.Device, l *device.Launch) {
		k.device.enter(l)
		var packed parameters
		for i, arg := range args {
			if !packed.number(arg) {
				packed.add(8, start(&l.Operands[operand[i]]))
			}
		}
		s.ordered(l.Func, blocks(l), func() error {
			gx, gy, gz := grid.extents()
			bx, by, bz := block.extents()
			return k.device.context.Launch(k.function, gx, gy, gz, bx, by, bz, shared, s.handle, unsafe.Pointer(unsafe.SliceData(packed.bytes)), len(packed.bytes))
		})
	})
	runtime.KeepAlive(k)
}

// parameters holds arguments in the form that a kernel expects: each aligned to its size.
type parameters struct{ bytes []byte }

func (p *parameters) align(size int) {
	for len(p.bytes)%size != 0 {
		p.bytes = append(p.bytes, 0)
	}
}

// add adds the lowest bytes of a word.
func (p *parameters) add(size int, word uint64) {
	p.align(size)
	p.bytes = append(p.bytes, binary.LittleEndian.AppendUint64(nil, word)[:size]...)
}

// number adds a number; it reports whether v is one.
func (p *parameters) number(v any) bool {
	switch v := v.(type) {
	case bool:
		if v {
			p.add(1, 1)
		} else {
			p.add(1, 0)
		}
	case int8:
		p.add(1, uint64(v))
	case uint8:
		p.add(1, uint64(v))
	case int16:
		p.add(2, uint64(v))
	case uint16:
		p.add(2, uint64(v))
	case int32:
		p.add(4, uint64(v))
	case uint32:
		p.add(4, uint64(v))
	case int:
		p.add(8, uint64(v))
	case int64:
		p.add(8, uint64(v))
	case uint64:
		p.add(8, v)
	case float32:
		p.add(4, uint64(math.Float32bits(v)))
	case float64:
		p.add(8, math.Float64bits(v))
	case complex64:
		p.align(8)
		p.add(4, uint64(math.Float32bits(real(v))))
		p.add(4, uint64(math.Float32bits(imag(v))))
	case complex128:
		p.align(16)
		p.add(8, math.Float64bits(real(v)))
		p.add(8, math.Float64bits(imag(v)))
	default:
		return false
	}
	return true
}
