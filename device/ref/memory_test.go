package ref_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/ref"
)

func TestRegisteredByName(t *testing.T) {
	d, err := device.Get("ref")
	if err != nil {
		t.Fatal(err)
	}
	if d.Name() != "ref" {
		t.Errorf("the name is %q", d.Name())
	}
	if again, _ := device.Get("ref"); again != d {
		t.Error("Get opened the device twice")
	}
}

// TestFreshMemoryIsGarbage: nothing may rely on zeroed memory.
func TestFreshMemoryIsGarbage(t *testing.T) {
	d := ref.New()
	m := d.Alloc(3)
	got := make([]byte, 3)
	d.CopyOut(got, m, 0)
	expect(t, "fresh memory", fmt.Sprintf("%x", got), "a5a5a5")
}

func TestLiveCountsBlocks(t *testing.T) {
	d := ref.New()
	a, b := d.Alloc(0), d.Alloc(10)
	if d.Live() != 2 {
		t.Errorf("%d live blocks, want 2", d.Live())
	}
	d.Free(a)
	d.Free(b)
	if d.Live() != 0 {
		t.Errorf("%d live blocks, want 0", d.Live())
	}
}

func TestAllocRefusesAbsurdSizes(t *testing.T) {
	for _, size := range []int{-1, 1<<30 + 1} {
		e, _ := panicOf(func() { ref.New().Alloc(size) }).(*device.OutOfMemory)
		if e == nil || e.Bytes != size || errors.Unwrap(e) == nil {
			t.Errorf("Alloc(%d) panicked with %v", size, e)
		}
	}
}

// TestMisuseOfMemoryPanics: the mistakes that would go unnoticed on a device whose memory the host can see.
func TestMisuseOfMemoryPanics(t *testing.T) {
	d := ref.New()
	freed := d.Alloc(8)
	d.Free(freed)
	foreign := ref.New().Alloc(8)
	other := new([4]uint64)
	m := d.Alloc(8)
	for _, test := range []struct {
		name string
		use  func()
		want string
	}{
		{"freed twice", func() { d.Free(freed) }, "after Free"},
		{"freed, read", func() { d.CopyOut(make([]byte, 1), freed, 0) }, "after Free"},
		{"freed, written", func() { d.CopyIn(freed, 0, make([]byte, 1)) }, "after Free"},
		{"freed, viewed", func() { d.Bytes(freed) }, "after Free"},
		{"freed, operand", func() {
			d.Copy(launch(nil, device.Operand{Memory: freed, DType: 1}, device.Operand{Memory: freed, DType: 1}))
		}, "after Free"},
		{"another reference device's", func() { d.Free(foreign) }, "another device"},
		{"another backend's", func() { d.Bytes(device.Memory{Handle: unsafe.Pointer(other), Size: 8}) }, "another device"},
		{"nil", func() { d.Free(device.Memory{}) }, "nil memory"},
		{"read beyond", func() { d.CopyOut(make([]byte, 2), m, 7) }, "out of range"},
		{"written before", func() { d.CopyIn(m, -1, make([]byte, 1)) }, "out of range"},
		{"operand beyond", func() {
			d.Copy(launch([]int{3}, dense([]int{3}, in[int32](d, 1, 2), in[int32](d, 1, 2, 3))...))
		}, "out of range"},
	} {
		if e := panicOf(test.use); e == nil || !strings.Contains(fmt.Sprint(e), test.want) {
			t.Errorf("%s: panicked with %v, want %q", test.name, e, test.want)
		}
	}
}

func TestHostCannotSeeMemory(t *testing.T) {
	d := ref.New()
	if d.Bytes(d.Alloc(8)) != nil {
		t.Error("Bytes returned a view")
	}
	if _, ok := d.Wrap(make([]byte, 8)); ok {
		t.Error("Wrap took host memory")
	}
}
