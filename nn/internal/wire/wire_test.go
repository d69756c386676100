package wire

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/encoding/protowire"
)

type inner struct {
	Dim  []int64 `pb:"1,packed"`
	Self *inner  `pb:"2"`
}

type outer struct {
	Flag      bool             `pb:"1"`
	Small     int32            `pb:"2"`
	Large     uint64           `pb:"3"`
	Signed    int64            `pb:"4,zigzag"`
	Fixed     uint32           `pb:"5,fixed"`
	Wide      int64            `pb:"6,fixed"`
	Real      float32          `pb:"7"`
	Double    float64          `pb:"8"`
	FullName  string           `pb:"9"`
	Raw       []byte           `pb:"10"`
	Inner     *inner           `pb:"11"`
	Many      []*inner         `pb:"12"`
	Texts     []string         `pb:"13"`
	Loose     []int32          `pb:"14"`
	Packed    []float32        `pb:"15,packed"`
	Given     *int32           `pb:"16,name=given_number"`
	Data      Numbers[float32] `pb:"100,packed"`
	Doubles   Numbers[float64] `pb:"101"`
	Blobs     [][]byte         `pb:"102"`
	Flags     []bool           `pb:"103,packed"`
	Unwritten int
}

func example() *outer {
	zero := int32(0)
	return &outer{Flag: true, Small: -7, Large: math.MaxUint64, Signed: -3, Fixed: 1 << 31, Wide: -1, Real: 0.5, Double: math.Pi, FullName: "ä\n\"x\"", Raw: []byte{0, 255},
		Inner: &inner{Dim: []int64{2, -1, 300}, Self: &inner{}}, Many: []*inner{{}, {Dim: []int64{0}}}, Texts: []string{"", "b"}, Loose: []int32{0, -1},
		Packed: []float32{1, float32(math.Inf(-1))}, Given: &zero, Data: NumbersOf([]float32{0.1, 2}), Doubles: NumbersOf([]float64{-0.1}), Blobs: [][]byte{{1}, {}},
		Flags: []bool{true, false}}
}

// byValue compares Numbers by their values, whatever their parts, and takes nil and empty bytes as equal.
var byValue = cmp.Options{
	cmp.AllowUnexported(outer{}),
	cmp.Comparer(func(a, b Numbers[float32]) bool { return cmp.Equal(a.values(), b.values()) }),
	cmp.Comparer(func(a, b Numbers[float64]) bool { return cmp.Equal(a.values(), b.values()) }),
	cmp.Comparer(bytes.Equal),
}

func unmarshal(data []byte, into any) error {
	return Unmarshal(bytes.NewReader(data), int64(len(data)), into)
}

func TestBinary(t *testing.T) {
	want := example()
	data, err := Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	var got outer
	if err := unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, &got, byValue); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	for cut := range data {
		if err := unmarshal(data[:cut], new(outer)); err != nil && strings.Contains(err.Error(), "wire type") {
			t.Errorf("cut off after %d bytes: %v", cut, err)
		}
	}
}

// TestBinaryForms reads what Marshal does not write: packed and unpacked numbers, unknown fields, parts of messages.
func TestBinaryForms(t *testing.T) {
	var b []byte
	field := func(number protowire.Number, kind protowire.Type) { b = protowire.AppendTag(b, number, kind) }
	field(14, protowire.BytesType) // packed
	b = protowire.AppendBytes(b, []byte{1, 2})
	field(15, protowire.Fixed32Type) // not packed
	b = protowire.AppendFixed32(b, math.Float32bits(3))
	field(100, protowire.Fixed32Type)
	b = protowire.AppendFixed32(b, math.Float32bits(4))
	field(100, protowire.BytesType)
	b = protowire.AppendBytes(b, protowire.AppendFixed32(nil, math.Float32bits(5)))
	field(77, protowire.StartGroupType) // unknown
	field(3, protowire.VarintType)
	b = append(b, 9)
	field(77, protowire.EndGroupType)
	for _, n := range []byte{6, 7} { // two parts of one message
		field(11, protowire.BytesType)
		b = protowire.AppendBytes(b, []byte{1<<3 | 2, 1, n})
	}
	var got outer
	if err := unmarshal(b, &got); err != nil {
		t.Fatal(err)
	}
	want := &outer{Loose: []int32{1, 2}, Packed: []float32{3}, Data: NumbersOf([]float32{4, 5}), Inner: &inner{Dim: []int64{6, 7}}}
	if diff := cmp.Diff(want, &got, byValue); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestBinaryRefusals(t *testing.T) {
	deep := []byte{}
	for range 200 {
		deep = protowire.AppendBytes([]byte{2<<3 | 2}, deep)
	}
	for what, data := range map[string][]byte{
		"a field 0":             {0, 0},
		"a text as a number":    {2<<3 | 2, 1, 'x'},
		"a number as a text":    {9 << 3, 1},
		"a length too large":    {9<<3 | 2, 5, 'x'},
		"a text not UTF-8":      {9<<3 | 2, 1, 255},
		"a packed half":         protowire.AppendBytes([]byte{15<<3 | 2}, []byte{1, 2, 3}),
		"a packed open varint":  protowire.AppendBytes(protowire.AppendTag(nil, 14, protowire.BytesType), []byte{0x80}),
		"numbers of half":       protowire.AppendBytes(protowire.AppendTag(nil, 100, protowire.BytesType), []byte{1, 2, 3}),
		"numbers of 8 bytes":    protowire.AppendFixed64(protowire.AppendTag(nil, 100, protowire.Fixed64Type), 1),
		"an endless nesting":    append(append([]byte{11<<3 | 2}, protowire.AppendVarint(nil, uint64(len(deep)))...), deep...),
		"4 million of messages": bytes.Repeat([]byte{12<<3 | 2, 0}, 4<<20),
	} {
		if err := unmarshal(data, new(outer)); err == nil {
			t.Errorf("%s was read", what)
		}
	}
}

func TestText(t *testing.T) {
	want := example()
	text, err := MarshalText(want)
	if err != nil {
		t.Fatal(err)
	}
	var got outer
	if err := UnmarshalText(text, &got); err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	if diff := cmp.Diff(want, &got, byValue); diff != "" {
		t.Errorf("-want +got\n%s\nof\n%s", diff, text)
	}
}

func TestTextForms(t *testing.T) {
	var got outer
	err := UnmarshalText([]byte(`# a comment
		flag: t; small: 0x10, large: 0o17
		full_name: "a\n" 'b"\x41\101\u00e4' # two pieces
		inner < dim: [1, 2] self {} > many: { dim: 3 } many {}
		loose: [] packed: [1.5f, inf, -Infinity, 1e999, nan] given_number: -0`), &got)
	if err != nil {
		t.Fatal(err)
	}
	if !got.Flag || got.Small != 16 || got.FullName != "a\nb\"AAä" || len(got.Inner.Dim) != 2 || got.Inner.Self == nil || len(got.Many) != 2 ||
		len(got.Packed) != 5 || got.Packed[0] != 1.5 || !math.IsInf(float64(got.Packed[3]), 1) || !math.IsNaN(float64(got.Packed[4])) || *got.Given != 0 {
		t.Errorf("read %+v", got)
	}
	for what, text := range map[string]string{
		"an unknown field":       "x: 1",
		"a text as a number":     `small: "1"`,
		"a word as a text":       "full_name: abc",
		"a word as a message":    "inner: 1",
		"a message as a number":  "small { }",
		"a number too large":     "small: 4294967296",
		"a negative unsigned":    "large: -1",
		"an open message":        "inner {",
		"an open text":           "full_name: \"a\n",
		"an unknown escape":      `full_name: "\q"`,
		"no character":           `full_name: "\ud800"`,
		"a text not UTF-8":       `full_name: "\377"`,
		"no value":               "small:",
		"no colon":               "small 1",
		"a list without commas":  "loose: [1 2]",
		"a bracket of its own":   "}",
		"a field without a name": ": 1",
		"an endless nesting":     strings.Repeat("inner { self ", 200),
	} {
		if err := UnmarshalText([]byte(text), new(outer)); err == nil {
			t.Errorf("%s was read", what)
		}
	}
}

func TestRestOfText(t *testing.T) {
	type message struct {
		Name string  `pb:"1"`
		Rest []Field `pb:",rest"`
	}
	var got message
	const text = "name: \"f\"\nf_param {\n  axis: -1\n  mode: \"a\\\\b\"\n}\n"
	if err := UnmarshalText([]byte(text), &got); err != nil || len(got.Rest) != 1 {
		t.Fatal(got, err)
	}
	if again, err := MarshalText(&got); err != nil || string(again) != text {
		t.Errorf("wrote %s, %v", again, err)
	}
}

func FuzzBinary(f *testing.F) {
	data, _ := Marshal(example())
	f.Add(data)
	f.Fuzz(func(t *testing.T, data []byte) {
		var v, again outer
		if unmarshal(data, &v) != nil {
			return
		}
		out, err := Marshal(&v)
		if err != nil {
			t.Fatal(err)
		}
		if err := unmarshal(out, &again); err != nil {
			t.Fatal(err)
		}
		if final, _ := Marshal(&again); !bytes.Equal(out, final) {
			t.Fatalf("% x, then % x", out, final)
		}
	})
}

func FuzzText(f *testing.F) {
	text, _ := MarshalText(example())
	f.Add(text)
	f.Add([]byte("a: [1, 2] b < c: 'x' >"))
	f.Fuzz(func(t *testing.T, text []byte) {
		m, err := ParseText(text)
		if err != nil {
			return
		}
		out := m.AppendText(nil, 0)
		again, err := ParseText(out)
		if err != nil || string(again.AppendText(nil, 0)) != string(out) {
			t.Fatalf("%q wrote %q, then %q, %v", text, out, again.AppendText(nil, 0), err)
		}
		_ = m.Unmarshal(new(outer))
	})
}

// TestByteOrder stores numbers as a host of the other byte order does.
func TestByteOrder(t *testing.T) {
	defer func(before bool) { littleEndian = before }(littleEndian)
	ours, wide := NumbersOf([]float32{1, -2.5}), NumbersOf([]float64{1, -2.5})
	littleEndian = !littleEndian
	other, otherWide := NumbersOf([]float32{1, -2.5}), NumbersOf([]float64{1, -2.5})
	if !cmp.Equal(other.values(), []float32{1, -2.5}) || !cmp.Equal(otherWide.values(), []float64{1, -2.5}) {
		t.Errorf("read %v and %v", other.values(), otherWide.values())
	}
	for i, b := range ours.pieces()[0] {
		if other.pieces()[0][i^3] != b {
			t.Errorf("% x, in the other byte order % x", ours.pieces(), other.pieces())
			break
		}
	}
	for i, b := range wide.pieces()[0] {
		if otherWide.pieces()[0][i^7] != b {
			t.Errorf("% x, in the other byte order % x", wide.pieces(), otherWide.pieces())
			break
		}
	}
}
