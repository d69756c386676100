package nd_test

import (
	"bytes"
	"encoding/binary"
	"io"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// safetensorsFile puts a header and data together.
func safetensorsFile(header string, data ...byte) []byte {
	file := binary.LittleEndian.AppendUint64(nil, uint64(len(header)))
	return append(append(file, header...), data...)
}

func TestSafetensorsFileIsWhatTheFormatSays(t *testing.T) {
	arrays := []nd.Named{
		{Name: "b", Array: nd.FromSlice([]uint8{7, 8})},
		{Name: "a\"ä<", Array: nd.FromSlice([]float32{1, 2, 3, 4}, 2, 2)},
		{Name: "h", Array: nd.FromSlice([]float32{1}).AsType(dtype.BFloat16)},
	}
	var got bytes.Buffer
	if err := nd.WriteSafetensors(&got, arrays, map[string]string{"z": "1", "format": "pt"}); err != nil {
		t.Fatal(err)
	}
	header := `{"__metadata__":{"format":"pt","z":"1"},"a\"ä<":{"dtype":"F32","shape":[2,2],"data_offsets":[0,16]},` +
		`"h":{"dtype":"BF16","shape":[1],"data_offsets":[16,18]},"b":{"dtype":"U8","shape":[2],"data_offsets":[18,20]}}`
	header += strings.Repeat(" ", 7-(len(header)+7)%8)
	want := safetensorsFile(header, 0, 0, 0x80, 0x3f, 0, 0, 0, 0x40, 0, 0, 0x40, 0x40, 0, 0, 0x80, 0x40, 0x80, 0x3f, 7, 8)
	if !bytes.Equal(got.Bytes(), want) {
		t.Errorf("wrote %q\nwant  %q", got.Bytes(), want)
	}
}

func TestSafetensorsRoundTrip(t *testing.T) {
	whole := nd.ArangeInt(0, 24, 1).Reshape(2, 3, 4)
	var arrays []nd.Named
	for d := dtype.Bool; d < dtype.Count; d++ {
		if d != dtype.Complex128 {
			arrays = append(arrays, nd.Named{Name: d.String(), Array: whole.AsType(d)})
		}
	}
	arrays = append(arrays, nd.Named{Name: "transposed", Array: whole.T()}, nd.Named{Name: "0-d", Array: nd.Scalar(2.5)},
		nd.Named{Name: "empty", Array: nd.Zeros([]int{0, 3})}, nd.Named{Name: "", Array: whole.Index(nd.At(0), nd.All().By(-1))})
	path := filepath.Join(t.TempDir(), "a.safetensors")
	for _, metadata := range []map[string]string{nil, {}, {"a": "", "": "b\n"}} {
		if err := nd.SaveSafetensors(path, arrays, metadata); err != nil {
			t.Fatal(err)
		}
		got, back, err := nd.LoadSafetensors(path)
		if err != nil {
			t.Fatal(err)
		}
		if !maps.Equal(back, metadata) || (back == nil) != (metadata == nil) {
			t.Errorf("metadata %q, want %q", back, metadata)
		}
		byName := map[string]*nd.Array{}
		for _, n := range got {
			byName[n.Name] = n.Array
		}
		for _, n := range arrays {
			if y := byName[n.Name]; y == nil || y.GoString() != n.Array.GoString() {
				t.Errorf("%q: wrote %#v, read %#v", n.Name, n.Array, y)
			}
		}
	}
	first, _ := os.ReadFile(path)
	reordered := append(arrays[3:], arrays[:3]...)
	if err := nd.SaveSafetensors(path, reordered, map[string]string{"a": "", "": "b\n"}); err != nil {
		t.Fatal(err)
	}
	if second, _ := os.ReadFile(path); !bytes.Equal(first, second) {
		t.Error("the same arrays in another order made another file")
	}
}

func TestSafetensorsWithoutArrays(t *testing.T) {
	for _, header := range []string{"{}", "{}      ", `{"__metadata__":{}}`} {
		arrays, _, err := nd.ReadSafetensors(bytes.NewReader(safetensorsFile(header)))
		if err != nil || len(arrays) != 0 {
			t.Errorf("%s: %v, %v", header, arrays, err)
		}
	}
}

func TestSafetensorsRefusesHostileFiles(t *testing.T) {
	one := func(rest string) []byte {
		return safetensorsFile(`{"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]}`+rest+`}`, 1, 2)
	}
	if _, _, err := nd.ReadSafetensors(bytes.NewReader(one(""))); err != nil {
		t.Fatal(err)
	}
	huge := append(binary.LittleEndian.AppendUint64(nil, 1<<40), '{')
	for what, file := range map[string][]byte{
		"nothing":               {},
		"half a length":         {1, 0, 0},
		"a huge header":         huge,
		"a header cut off":      one("")[:20],
		"no header":             safetensorsFile(""),
		"a list":                safetensorsFile("[]"),
		"a blank before":        safetensorsFile(" {}"),
		"text behind":           safetensorsFile("{}x"),
		"two objects":           safetensorsFile("{}{}"),
		"no end":                safetensorsFile("{"),
		"bad UTF-8":             safetensorsFile("{\"\xff\":{}}"),
		"data cut off":          one("")[:len(one(""))-1],
		"data behind":           append(one(""), 3),
		"an overlap":            one(`,"b":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}`),
		"a gap":                 append(one(`,"b":{"dtype":"U8","shape":[1],"data_offsets":[3,4]}`), 3, 4),
		"the same place":        one(`,"b":{"dtype":"U8","shape":[2],"data_offsets":[0,2]}`),
		"a name twice":          append(one(`,"a":{"dtype":"U8","shape":[1],"data_offsets":[2,3]}`), 3),
		"metadata twice":        one(`,"__metadata__":{},"__metadata__":{}`),
		"a key twice":           one(`,"__metadata__":{"a":"1","a":"2"}`),
		"metadata of numbers":   one(`,"__metadata__":{"a":1}`),
		"a list of metadata":    one(`,"__metadata__":[]`),
		"no gap at the start":   safetensorsFile(`{"a":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}}`, 1, 2),
		"backward offsets":      safetensorsFile(`{"a":{"dtype":"U8","shape":[1],"data_offsets":[2,1]}}`, 1, 2),
		"a negative offset":     safetensorsFile(`{"a":{"dtype":"U8","shape":[1],"data_offsets":[-1,0]}}`, 1),
		"a broken offset":       safetensorsFile(`{"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1.0]}}`, 1),
		"one offset":            safetensorsFile(`{"a":{"dtype":"U8","shape":[0],"data_offsets":[0]}}`),
		"three offsets":         safetensorsFile(`{"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1,1]}}`, 1),
		"an offset too large":   safetensorsFile(`{"a":{"dtype":"U8","shape":[1],"data_offsets":[0,99999999999999999999]}}`, 1),
		"the wrong size":        safetensorsFile(`{"a":{"dtype":"U16","shape":[1],"data_offsets":[0,1]}}`, 1),
		"a negative length":     safetensorsFile(`{"a":{"dtype":"U8","shape":[-1],"data_offsets":[0,1]}}`, 1),
		"an overflowing size":   safetensorsFile(`{"a":{"dtype":"F64","shape":[4611686018427387904,4],"data_offsets":[0,0]}}`),
		"overflow hidden by 0":  safetensorsFile(`{"a":{"dtype":"F64","shape":[4611686018427387904,4,0],"data_offsets":[0,0]}}`),
		"too many axes":         safetensorsFile(`{"a":{"dtype":"U8","shape":[`+strings.Repeat("1,", 100)+`1],"data_offsets":[0,1]}}`, 1),
		"an unknown dtype":      safetensorsFile(`{"a":{"dtype":"F8_E4M3","shape":[1],"data_offsets":[0,1]}}`, 1),
		"a dtype in lower case": safetensorsFile(`{"a":{"dtype":"u8","shape":[1],"data_offsets":[0,1]}}`, 1),
		"a dtype twice":         safetensorsFile(`{"a":{"dtype":"U8","dtype":"U8","shape":[1],"data_offsets":[0,1]}}`, 1),
		"no shape":              safetensorsFile(`{"a":{"dtype":"U8","data_offsets":[0,1]}}`, 1),
		"another member":        safetensorsFile(`{"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1],"x":[[[[]]]]}}`, 1),
		"no object":             safetensorsFile(`{"a":null}`),
		"a nested shape":        safetensorsFile(`{"a":{"dtype":"U8","shape":[[1]],"data_offsets":[0,1]}}`, 1),
		"a claim of terabytes":  safetensorsFile(`{"a":{"dtype":"U8","shape":[1099511627776],"data_offsets":[0,1099511627776]}}`, 1),
	} {
		arrays, _, err := nd.ReadSafetensors(bytes.NewReader(file))
		if err == nil {
			t.Errorf("%s: read %v", what, arrays)
		}
	}
}

func TestWriteSafetensorsRefuses(t *testing.T) {
	one := nd.Ones([]int{1})
	for what, arrays := range map[string][]nd.Named{
		"a name twice":      {{Name: "a", Array: one}, {Name: "a", Array: one}},
		"the metadata name": {{Name: "__metadata__", Array: one}},
		"complex128":        {{Name: "a", Array: one.AsType(dtype.Complex128)}},
		"bad UTF-8":         {{Name: "\xff", Array: one}},
	} {
		if err := nd.WriteSafetensors(io.Discard, arrays, nil); err == nil {
			t.Errorf("%s: not refused", what)
		}
	}
	if err := nd.WriteSafetensors(io.Discard, nil, map[string]string{"a": "\xff"}); err == nil {
		t.Error("metadata that are not UTF-8: not refused")
	}
}

// What is read is written as the same arrays again, and anything else is an error.
func FuzzSafetensors(f *testing.F) {
	f.Add(safetensorsFile("{}"))
	f.Add(safetensorsFile(`{"__metadata__":{"a":"b"},"x":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}`, 0, 0, 128, 63, 0, 0, 0, 64))
	f.Add(safetensorsFile(`{"x":{"dtype":"BOOL","shape":[],"data_offsets":[0,1]},"y":{"dtype":"I64","shape":[0,3],"data_offsets":[1,1]}}`, 2))
	f.Fuzz(func(t *testing.T, file []byte) {
		arrays, metadata, err := nd.ReadSafetensors(bytes.NewReader(file))
		if err != nil {
			return
		}
		var again bytes.Buffer
		if err := nd.WriteSafetensors(&again, arrays, metadata); err != nil {
			t.Fatal(err)
		}
		back, backMetadata, err := nd.ReadSafetensors(&again)
		if err != nil {
			t.Fatal(err)
		}
		if !maps.Equal(metadata, backMetadata) || len(arrays) != len(back) {
			t.Fatalf("read %v %q, then %v %q", arrays, metadata, back, backMetadata)
		}
		byName := map[string]*nd.Array{}
		for _, n := range back {
			byName[n.Name] = n.Array
		}
		for _, n := range arrays {
			if y := byName[n.Name]; y == nil || y.GoString() != n.Array.GoString() {
				t.Fatalf("%q: read %#v, then %#v", n.Name, n.Array, y)
			}
		}
	})
}
