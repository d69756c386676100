package hdf5

import (
	"fmt"

	"github.com/ndgrad/ndgrad/nd/dtype"
)

// The classes of datatypes.
const (
	integerClass   = 0
	floatClass     = 1
	timeClass      = 2
	textClass      = 3
	bitsClass      = 4
	opaqueClass    = 5
	compoundClass  = 6
	referenceClass = 7
	enumClass      = 8
	variableClass  = 9
	arrayClass     = 10
	complexClass   = 11
)

// textForm says how a text ends.
type textForm int

const (
	zeroEnded textForm = iota + 1
	zeroPadded
	spacePadded
	variable // the text stands in the global heap
)

// datatype is the type of an element.
type datatype struct {
	class int
	size  int
	dtype dtype.DType // of arrays
	big   bool        // big-endian
	text  textForm    // 0 if it is no text
	what  string      // what it is, if it is neither
}

// datatype reads a datatype.
func (c *cursor) datatype() (t datatype) {
	head := c.u8()
	version := head >> 4
	bits := int(c.uint(3))
	t = datatype{class: head & 15, size: c.size(4), big: bits&1 != 0}
	if t.size == 0 {
		fail("elements of no bytes")
	}
	switch t.class {
	case integerClass:
		offset, precision := c.u16(), c.u16()
		if offset == 0 && precision == 8*t.size {
			t.dtype = integerOf(t.size, bits&8 != 0)
		}
		t.what = fmt.Sprintf("integers of %d bits in %d bytes", precision, t.size)
	case floatClass:
		t.float(c, bits)
	case textClass:
		if form := bits & 15; form <= 2 {
			t.text = zeroEnded + textForm(form)
		}
		t.what = "texts of an unknown form"
	case compoundClass:
		t.compound(c, version, bits&0xffff)
	case complexClass:
		part := c.datatype()
		t.complex(part, part)
		t.what = fmt.Sprintf("complex numbers of %d bytes", t.size)
	case enumClass:
		t.enum(c, version, bits&0xffff)
	case variableClass:
		if bits&15 == 1 {
			t.text = variable
		}
	}
	if t.what == "" {
		t.what = [16]string{timeClass: "times", bitsClass: "bits", opaqueClass: "opaque bytes", compoundClass: "compounds",
			referenceClass: "references", variableClass: "lists of variable length", arrayClass: "arrays"}[t.class]
	}
	if t.what == "" {
		t.what = fmt.Sprintf("elements of class %d", t.class)
	}
	return t
}

func integerOf(size int, signed bool) dtype.DType {
	const longest = 8
	switch {
	case size > longest:
		return dtype.Unspecified
	case signed:
		return [longest + 1]dtype.DType{1: dtype.Int8, 2: dtype.Int16, 4: dtype.Int32, 8: dtype.Int64}[size]
	}
	return [longest + 1]dtype.DType{1: dtype.Uint8, 2: dtype.Uint16, 4: dtype.Uint32, 8: dtype.Uint64}[size]
}

// floatFormat are the fields of a number: its bytes, the positions of the sign and the exponent, the bits of the exponent
// and of the mantissa, and what is added to the exponent.
type floatFormat struct{ size, sign, exponentAt, exponent, mantissa, bias int }

// formatOf returns the fields of a dtype.
func formatOf(dt dtype.DType) floatFormat {
	switch dt {
	case dtype.Float16:
		return floatFormat{2, 15, 10, 5, 10, 15}
	case dtype.BFloat16:
		return floatFormat{2, 15, 7, 8, 7, 127}
	case dtype.Float32:
		return floatFormat{4, 31, 23, 8, 23, 127}
	}
	return floatFormat{8, 63, 52, 11, 52, 1023}
}

func (t *datatype) float(c *cursor, bits int) {
	const mixedOrder, impliedOne = 0x40, 0x20 // the leading bit of the mantissa is not stored
	offset, precision := c.u16(), c.u16()
	got := floatFormat{size: t.size, sign: bits >> 8 & 255, exponentAt: c.u8(), exponent: c.u8()}
	mantissaAt := c.u8()
	got.mantissa, got.bias = c.u8(), int(c.u32())
	t.what = fmt.Sprintf("floats of %d bits with %d of the mantissa", precision, got.mantissa)
	if offset != 0 || precision != 8*t.size || mantissaAt != 0 || bits&mixedOrder != 0 || bits&0x30 != impliedOne {
		return
	}
	for _, dt := range [...]dtype.DType{dtype.Float16, dtype.BFloat16, dtype.Float32, dtype.Float64} {
		if formatOf(dt) == got {
			t.dtype = dt
		}
	}
}

// compound reads the members of a compound type: (r, i) is complex.
func (t *datatype) compound(c *cursor, version, members int) {
	if members != 2 {
		return
	}
	var names [2]string
	var offsets [2]int
	var parts [2]datatype
	for k := range parts {
		names[k] = c.text(version < 3)
		switch {
		case version < 3:
			offsets[k] = int(c.u32())
		default:
			offsets[k] = c.size(bytesFor(uint64(t.size)))
		}
		if version == 1 {
			c.skip(28) // the axes of an array
		}
		parts[k] = c.datatype()
	}
	if names == [2]string{"r", "i"} && offsets == [2]int{0, parts[0].size} {
		t.complex(parts[0], parts[1])
	}
}

func (t *datatype) complex(re, im datatype) {
	if re != im || t.size != 2*re.size {
		return
	}
	t.big = re.big
	switch re.dtype {
	case dtype.Float32:
		t.dtype = dtype.Complex64
	case dtype.Float64:
		t.dtype = dtype.Complex128
	}
}

// enum reads an enumeration: FALSE = 0, TRUE = 1 of one byte is bool, another one the integers beneath.
func (t *datatype) enum(c *cursor, version, members int) {
	base := c.datatype()
	isBool := members == 2 && base.dtype == dtype.Int8
	for k := range members {
		name := c.text(version < 3)
		isBool = isBool && name == [2]string{"FALSE", "TRUE"}[k]
	}
	values := c.take(members * base.size)
	t.dtype, t.big, t.what = base.dtype, base.big, base.what
	if isBool && values[0] == 0 && values[1] == 1 {
		t.dtype = dtype.Bool
	}
}
