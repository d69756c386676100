package compliance

import (
	"bytes"
	"math"

	"github.com/ndgrad/ndgrad/device"
)

func testMemory(s *suite) {
	s.run("CopyInOut", testCopyInOut)
	s.run("Bytes", testBytes)
	s.run("Wrap", testWrap)
	s.run("OutOfMemory", testOutOfMemory)
}

func testCopyInOut(s *suite) {
	for _, size := range []int{0, 1, 2, 63, 64, 65, 4096, 100_003, 1 << 20} {
		m := s.dev.Alloc(size)
		if m.IsNil() || m.Size != size {
			s.Fatalf("Alloc(%d) = %+v", size, m)
		}
		content := s.bytes(size)
		s.dev.CopyIn(m, 0, content)
		for range 5 {
			offset := s.IntN(size + 1)
			part := s.bytes(s.IntN(size - offset + 1))
			s.dev.CopyIn(m, offset, part)
			copy(content[offset:], part)

			offset = s.IntN(size + 1)
			got := make([]byte, s.IntN(size-offset+1))
			s.dev.CopyOut(got, m, offset)
			if !bytes.Equal(got, content[offset:offset+len(got)]) {
				s.Fatalf("%d bytes from %d of %d came back changed", len(got), offset, size)
			}
		}
		if err := s.dev.Synchronize(); err != nil {
			s.Fatal(err)
		}
		s.dev.Free(m)
	}
}

func (s *suite) bytes(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(s.Uint32())
	}
	return b
}

// testBytes checks that a host view, if the device has one, is the memory itself.
func testBytes(s *suite) {
	m := s.dev.Alloc(100)
	defer s.dev.Free(m)
	view := s.dev.Bytes(m)
	if view == nil {
		return
	}
	if len(view) != 100 {
		s.Fatalf("the view has %d bytes, want 100", len(view))
	}
	s.dev.CopyIn(m, 10, []byte{1, 2, 3})
	view[12] = 7
	got := make([]byte, 3)
	s.dev.CopyOut(got, m, 10)
	if !bytes.Equal(got, []byte{1, 2, 7}) || !bytes.Equal(view[10:13], got) {
		s.Errorf("memory is %v, the view %v, want 1 2 7", got, view[10:13])
	}
}

// testWrap checks that wrapped host memory is not copied, if the device can use it.
func testWrap(s *suite) {
	host := newBlock(64)
	m, ok := s.dev.Wrap(host)
	if !ok {
		return
	}
	if m.Size != 64 {
		s.Errorf("wrapped 64 bytes, got memory of %d", m.Size)
	}
	s.dev.CopyIn(m, 8, []byte{5})
	if err := s.dev.Synchronize(); err != nil || host[8] != 5 {
		s.Errorf("byte 8 of the host is %d (%v), want 5", host[8], err)
	}
}

func testOutOfMemory(s *suite) {
	for _, size := range []int{-1, math.MinInt, math.MaxInt} {
		err := protect(func() { s.dev.Alloc(size) })
		if _, ok := err.(*device.OutOfMemory); !ok {
			s.Errorf("Alloc(%d) ended with %v, want *device.OutOfMemory", size, err)
		}
	}
}
