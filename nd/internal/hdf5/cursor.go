package hdf5

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
)

// undefined is the address of what does not exist.
const undefined = math.MaxUint64

// failure is what the functions of this package panic with.
type failure struct{ error }

func fail(format string, args ...any) { panic(failure{fmt.Errorf(format, args...)}) }

// catch turns a failure into an error. It is deferred.
func catch(err *error) {
	switch r := recover().(type) {
	case nil:
	case failure:
		*err = r.error
	default:
		panic(r)
	}
}

// cursor reads the fields of a block one after the other.
type cursor struct {
	b []byte
	i int
}

// take returns the next n bytes.
func (c *cursor) take(n int) []byte {
	if n < 0 || n > c.rest() {
		fail("%d bytes are expected where %d follow", n, c.rest())
	}
	c.i += n
	return c.b[c.i-n : c.i : c.i]
}

func (c *cursor) rest() int  { return len(c.b) - c.i }
func (c *cursor) skip(n int) { c.take(n) }

// uint returns the next n bytes as a number.
func (c *cursor) uint(n int) uint64 {
	var v uint64
	for k, x := range c.take(n) {
		if k >= 8 && x != 0 {
			fail("a number has more than 64 bits")
		}
		v |= uint64(x) << (8 * k)
	}
	return v
}

func (c *cursor) u8() int      { return int(c.take(1)[0]) }
func (c *cursor) u16() int     { return int(binary.LittleEndian.Uint16(c.take(2))) }
func (c *cursor) u32() uint32  { return binary.LittleEndian.Uint32(c.take(4)) }
func (c *cursor) addr() uint64 { return binary.LittleEndian.Uint64(c.take(8)) }

// size returns the next n bytes as a number of bytes or elements.
func (c *cursor) size(n int) int {
	v := c.uint(n)
	if v > math.MaxInt>>1 {
		fail("a size of %d", v)
	}
	return int(v)
}

// sign skips the signature of a block and its version, which must be 0 or the given one.
func (c *cursor) sign(s string, version int) {
	if got := c.take(4); string(got) != s {
		fail("%q where a block %s is expected", got, s)
	}
	if v := c.u8(); v > version {
		fail("version %d of a block %s", v, s)
	}
}

// text returns the bytes before the next zero. If padded is set, the text and the zero fill a multiple of 8 bytes.
func (c *cursor) text(padded bool) string {
	n := bytes.IndexByte(c.b[c.i:], 0)
	if n < 0 {
		fail("a text without an end")
	}
	s := string(c.take(n))
	c.skip(1)
	if padded {
		c.skip(-(n + 1) & 7)
	}
	return s
}

// verify checks the checksum behind the first n bytes of the block.
func (c *cursor) verify(n int) {
	if n < 0 || n+4 > len(c.b) {
		fail("a block of %d bytes lacks its checksum", len(c.b))
	}
	c.sum(n, lookup3(c.b[:n]))
}

// sum compares the checksum at byte i of the block.
func (c *cursor) sum(i int, want uint32) {
	if binary.LittleEndian.Uint32(c.b[i:]) != want {
		panic(failure{&checksumError{c.b, i, want}})
	}
}

// checksumError says that the checksum at byte i of a block is wrong.
type checksumError struct {
	block []byte
	i     int
	want  uint32
}

func (e *checksumError) Error() string {
	return fmt.Sprintf("the checksum of a block %.4q is wrong", e.block)
}

// lookup3 is Jenkins' hash, the checksum of the format.
func lookup3(k []byte) uint32 {
	rot := func(x uint32, n int) uint32 { return x<<n | x>>(32-n) }
	a := 0xdeadbeef + uint32(len(k))
	b, c := a, a
	for ; len(k) > 12; k = k[12:] {
		a += binary.LittleEndian.Uint32(k)
		b += binary.LittleEndian.Uint32(k[4:])
		c += binary.LittleEndian.Uint32(k[8:])
		a, c = (a-c)^rot(c, 4), c+b
		b, a = (b-a)^rot(a, 6), a+c
		c, b = (c-b)^rot(b, 8), b+a
		a, c = (a-c)^rot(c, 16), c+b
		b, a = (b-a)^rot(a, 19), a+c
		c, b = (c-b)^rot(b, 4), b+a
	}
	if len(k) == 0 {
		return c
	}
	var last [12]byte
	copy(last[:], k)
	a += binary.LittleEndian.Uint32(last[:])
	b += binary.LittleEndian.Uint32(last[4:])
	c += binary.LittleEndian.Uint32(last[8:])
	c = (c ^ b) - rot(b, 14)
	a = (a ^ c) - rot(c, 11)
	b = (b ^ a) - rot(a, 25)
	c = (c ^ b) - rot(b, 16)
	a = (a ^ c) - rot(c, 4)
	b = (b ^ a) - rot(a, 14)
	return (c ^ b) - rot(b, 24)
}
