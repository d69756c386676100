//go:build linux && (amd64 || arm64)

package mpi

import (
	"testing"
	"unsafe"
)

// TestBatch makes batches of functions of C's library: with nine arguments, with one that fails, and with questions that are answered
// by the third argument.
func TestBatch(t *testing.T) {
	text := []byte("\x00 the rest")
	format := append([]byte("%ld %ld %ld %ld %ld %ld"), 0)
	nine := make([]byte, 64)
	address := func(b []byte) uintptr { return uintptr(unsafe.Pointer(&b[0])) }
	equal := foreignCall{address: libc("strcmp"), arguments: [9]uintptr{address(text), address(text)}, count: 2}
	prints := foreignCall{address: libc("snprintf"), arguments: [9]uintptr{address(nine), 64, address(format), 11, 22, 33, 44, 55, signed(-66)}, count: 9}
	calls := []foreignCall{equal, equal, prints, equal}
	mask := make([]int32, 32)
	b := &batch{calls: &calls[0], left: len(calls), testall: libc("sched_getaffinity"), tries: 3, complete: &mask[0],
		question: [4]uintptr{0, 128, uintptr(unsafe.Pointer(&mask[0])), 0}}
	b.run()
	if want := "11 22 33 44 55 -66"; string(nine[:len(want)]) != want || b.code != len(want) || b.left != 2 || mask[0] != 0 {
		t.Errorf("%q, code %d, %d calls left, mask %d: want %q, and the end where a function returned its length", nine, b.code, b.left, mask[0], want)
	}
	b.calls = &calls[3]
	b.left = 1
	b.run()
	if b.code != 0 || b.left != 0 || mask[0] == 0 {
		t.Errorf("code %d, %d calls left, mask %d: want the answer", b.code, b.left, mask[0])
	}
	asked, never := int32(0), make([]int32, 64)
	b.testall, b.complete, b.question = libc("sched_getparam"), &asked, [4]uintptr{0, uintptr(unsafe.Pointer(&never[0])), uintptr(unsafe.Pointer(&asked)), 0}
	b.run()
	if b.code != 0 || asked != 0 {
		t.Errorf("code %d, %d: want no answer", b.code, asked)
	}
	b.question[1] = 0 // which the function refuses
	b.run()
	if b.code != -1 {
		t.Errorf("code %d of a question that fails, want -1", b.code)
	}
}
