package memory

import (
	"errors"
	"math"
	"strconv"
	"testing"
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
)

func TestMemory(t *testing.T) {
	for _, n := range []int{0, 1, 7, 8, 100_001} {
		m := Alloc(n)
		if m.IsNil() || m.Size != n || len(Bytes(m)) != n || uintptr(m.Handle)%8 != 0 {
			t.Errorf("Alloc(%d) gives %v", n, m)
		}
		Free(m)
	}
	host := []byte{1, 2, 3, 4}
	m, ok := Wrap(host)
	if !ok || unsafe.SliceData(Bytes(m)) != unsafe.SliceData(host) {
		t.Error("Wrap copies")
	}
	CopyIn(m, 1, []byte{9, 8})
	got := make([]byte, 3)
	CopyOut(got, m, 1)
	if string(host) != "\x01\x09\x08\x04" || string(got) != "\x09\x08\x04" {
		t.Errorf("copied %v, %v", host, got)
	}
	absurd := []int{-1, math.MinInt}
	if strconv.IntSize == 64 { // a 32-bit address space may have room for 2 GiB
		absurd = append(absurd, math.MaxInt, math.MaxInt/2)
	}
	for _, n := range absurd {
		func() {
			defer func() {
				var e *device.OutOfMemory
				if err, ok := recover().(error); !ok || !errors.As(err, &e) || e.Bytes != n {
					t.Errorf("Alloc(%d): panic %v", n, err)
				}
			}()
			Alloc(n)
			t.Errorf("Alloc(%d): no panic", n)
		}()
	}
}
