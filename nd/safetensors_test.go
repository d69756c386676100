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

// safetensorsFile joins a header and data.
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
