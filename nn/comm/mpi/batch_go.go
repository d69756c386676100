//go:build purego || !amd64 || (!linux && !darwin) || android || ios

package mpi

import "unsafe"

// run makes the calls one by one.
func (b *batch) run() {
	b.code = 0
	for _, c := range unsafe.Slice(b.calls, b.left) {
		if b.code = int(call(c.address, c.arguments[:c.count]...)); b.code != 0 {
			return
		}
		b.left--
	}
	for range b.tries {
		if b.code = int(call(b.testall, b.question[:]...)); b.code != 0 || *b.complete != 0 {
			return
		}
	}
}
