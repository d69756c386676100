package hdf5

import (
	"math"
	"strings"

	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/internal/npy"
)

// Value describes the elements of a dataset or of an attribute.
type Value struct {
	Kind   Kind
	Header npy.Header // the shape, and the layout of arrays; the dtype of what is Null, if it has one

	element datatype
	limits  []int // the most that the shape may become; -1 without a limit
}

// value reads a datatype and a dataspace. It fails if no array and no text has the datatype.
func (r *reader) value(datatype, space []byte) (v Value) {
	v.element = (&cursor{b: datatype}).datatype()
	v.Header = npy.Header{DType: v.element.dtype, BigEndian: v.element.big}
	isNull := v.space(&cursor{b: space})
	switch {
	case isNull:
		v.Kind = Null
		return v
	case v.element.text != 0:
		v.Kind = Text
	case v.element.dtype.Valid():
		v.Kind = Array
	default:
		fail("%s are no array", v.element.what)
	}
	if err := broadcast.CheckShape(v.Header.Shape); err != nil {
		fail("%v", err)
	}
	if v.count() > math.MaxInt>>1/v.element.size {
		fail("%d elements of %d bytes", v.count(), v.element.size)
	}
	return v
}

// space reads a dataspace, and reports whether it is a null space.
func (v *Value) space(c *cursor) (isNull bool) {
	version, rank, flags := c.u8(), c.u8(), c.u8()
	switch version {
	case 1:
		c.skip(5)
	case 2:
		if c.u8() == 2 {
			return true
		}
	default:
		fail("version %d of a dataspace", version)
	}
	v.Header.Shape = make([]int, rank)
	v.limits = make([]int, rank)
	for k := range v.Header.Shape {
		v.Header.Shape[k] = c.size(8)
		v.limits[k] = v.Header.Shape[k]
	}
	if flags&1 != 0 {
		for k := range v.limits {
			if n := c.uint(8); n == math.MaxUint64 {
				v.limits[k] = -1
			} else {
				v.limits[k] = int(min(n, math.MaxInt>>1))
			}
		}
	}
	return false
}

// count returns the number of elements.
func (v *Value) count() int { return broadcast.Size(v.Header.Shape) }

// textCosts are the bytes of a text beside its characters.
const textCosts = 16

// text makes texts of elements.
func (r *reader) text(v *Value, b []byte) npy.Text {
	t := npy.Text{Shape: v.Header.Shape, Values: make([]string, v.count())}
	if v.element.text == variable {
		c := &cursor{b: b}
		for i := range t.Values {
			n := int(c.u32())
			s := r.globalText(n, c.addr(), int(c.u32()))
			t.Values[i], _, _ = strings.Cut(s, "\x00")
		}
		return t
	}
	whole := string(b)
	for i := range t.Values {
		s := whole[i*v.element.size:][:v.element.size]
		switch v.element.text {
		case zeroEnded:
			s, _, _ = strings.Cut(s, "\x00")
		case zeroPadded:
			s = strings.TrimRight(s, "\x00")
		case spacePadded:
			s = strings.TrimRight(s, " ")
		}
		t.Values[i] = s
	}
	return t
}

// Attribute is a named value beside an object.
type Attribute struct {
	Name  string
	Value       // Unreadable if Err is set
	Err   error // why it cannot be read

	data []byte
}

// Attributes returns the attributes of an object: in the order of their creation if the file tracks it, else by name.
func (f *File) Attributes(o *Object) (all []Attribute, err error) {
	defer catch(&err)
	if o.Kind == Unreadable {
		return nil, o.Err
	}
	r := f.reader()
	return r.attributes(o.addr), nil
}

// ReadAttribute copies the elements of an attribute that is an Array into memory that it gets from room.
func (f *File) ReadAttribute(a *Attribute, room npy.Room) error {
	dst, err := room(a.Header)
	if err != nil {
		return err
	}
	copy(dst, a.data)
	a.Header.ToHost(dst)
	return nil
}

// AttributeText returns the elements of an attribute that is a Text.
func (f *File) AttributeText(a *Attribute) (t npy.Text, err error) {
	defer catch(&err)
	return f.reader().text(&a.Value, a.data), nil
}
