package cpu_test

import (
	"runtime/debug"
	"syscall"
	"testing"
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu"
	"github.com/ndgrad/ndgrad/device/cpu/internal/launchtest"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/isa"
	"github.com/ndgrad/ndgrad/testing/compliance"
)

// fenced is the CPU device with blocks that begin or end at a page that nobody may read or write.
type fenced struct {
	device.Device
	mappings map[unsafe.Pointer][]byte
	atEnd    bool
}

func (f *fenced) Alloc(bytes int) device.Memory {
	if bytes <= 0 {
		return f.Device.Alloc(bytes)
	}
	page := syscall.Getpagesize()
	whole := (bytes + page - 1) / page * page
	mapping, err := syscall.Mmap(-1, 0, whole+2*page, syscall.PROT_NONE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err == nil {
		err = syscall.Mprotect(mapping[page:page+whole], syscall.PROT_READ|syscall.PROT_WRITE)
	}
	if err != nil {
		panic(&device.OutOfMemory{Bytes: bytes, Err: err})
	}
	at := page
	if f.atEnd {
		at += whole - bytes
	}
	m := device.Memory{Handle: unsafe.Pointer(&mapping[at]), Size: bytes}
	f.mappings[m.Handle] = mapping
	return m
}

func (f *fenced) Free(m device.Memory) {
	if mapping, ok := f.mappings[m.Handle]; ok {
		delete(f.mappings, m.Handle)
		if err := syscall.Munmap(mapping); err != nil {
			panic(err)
		}
		return
	}
	f.Device.Free(m)
}

// close frees the blocks that nobody freed.
func (f *fenced) close() {
	for handle := range f.mappings {
		f.Free(device.Memory{Handle: handle})
	}
}

// FuzzBounds runs kernels, with the instructions of any processor, on operands that fill blocks beside pages that
// fault. It finds the reads and writes outside a block, which a comparison of results cannot see.
func FuzzBounds(f *testing.F) {
	dev, err := device.Get("cpu")
	if err != nil {
		f.Fatal(err)
	}
	for kernel := range 96 {
		f.Add(uint8(kernel), kernel%2 == 0, []byte{byte(kernel / 3)})
	}
	f.Fuzz(func(t *testing.T, level uint8, atEnd bool, data []byte) {
		defer isa.Narrow(level)()
		defer cpu.SetWorkers(cpu.SetWorkers(1)) // so that a fault panics in this goroutine
		defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
		fences := &fenced{dev, map[unsafe.Pointer][]byte{}, atEnd}
		defer fences.close()
		compliance.FuzzFlush(t, fences, data)
	})
}

// TestBoundsOfTiles multiplies matrices of bytes that are large enough for AMX, between pages that fault. FuzzBounds has smaller ones.
func TestBoundsOfTiles(t *testing.T) {
	if !isa.AMX() {
		t.Skip("no AMX")
	}
	dev, err := device.Get("cpu")
	if err != nil {
		t.Fatal(err)
	}
	defer cpu.SetWorkers(cpu.SetWorkers(1))
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	for _, atEnd := range []bool{false, true} {
		fences := &fenced{dev, map[unsafe.Pointer][]byte{}, atEnd}
		bytes := func(n int) []uint8 { return unsafe.Slice((*uint8)(fences.Alloc(n).Handle), n) }
		for _, s := range [][3]int{{33, 47, 190}, {64, 64, 192}, {65, 70, 75}, {17, 300, 1000}} {
			m, n, k := s[0], s[1], s[2]
			for _, bStrides := range [][]int{{0, 1, n}, {0, k, 1}} {
				c := unsafe.Slice((*int32)(unsafe.Pointer(&bytes(4 * m * n)[0])), m*n)
				l := launchtest.Launch([]int{m, n, k}, launchtest.NewStrided(c, 0, []int{n, 1, 0}), launchtest.NewStrided(bytes(m*k), 0, []int{k, 0, 1}),
					launchtest.NewStrided(bytes(n*k), 0, bStrides))
				dev.MatMul(l)
				l.Recycle()
			}
		}
		fences.close()
	}
}
