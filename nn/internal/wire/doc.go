// Package wire reads and writes messages of Protocol Buffers as Go structs, whose fields have tags:
//
//	type parameter struct {
//		VariableName string               `pb:"1"`
//		Shape        *shape               `pb:"20"`
//		Data         wire.Numbers[float32] `pb:"100"`
//		NeedGrad     bool                 `pb:"101"`
//	}
//
// A tag is the field's number, and options after commas: packed writes a repeated number in one piece (both forms are
// read), fixed means numbers of 4 or 8 bytes, zigzag means sint32 and sint64, and name=x is the field's name in the text
// format if it is not the Go name in lower case with underscores. The tag ",rest" marks a field of type []Field, which
// collects what the text format has beyond the other fields.
//
// Field types are bool, int32, int64, uint32, uint64, float32, float64, string, []byte, pointers to structs, slices of
// these, pointers to numbers, bools and strings (nil if the field is missing), and [Numbers], which leaves the elements
// in the file until they are copied. Unknown fields of a binary message are skipped.
//
// A few messages are all that the formats of model files need. Generated code would register global names, and would make
// programs some megabytes larger.
package wire
