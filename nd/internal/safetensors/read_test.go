package safetensors

import (
	"bytes"
	"encoding/binary"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd/internal/npy"
)

// file joins a header and data.
func file(header string, data ...byte) []byte {
	length := binary.LittleEndian.AppendUint64(nil, uint64(len(header)))
	return append(append(length, header...), data...)
}

type array struct {
	tensor Tensor
	data   []byte
}

// readAll reads a whole file; it leaves out the arrays whose dtype is unknown.
func readAll(content []byte) (read []array, metadata map[string]string, err error) {
	h, err := ReadHeader(bytes.NewReader(content))
	if err != nil {
		return nil, nil, err
	}
	data := content[h.Bytes:]
	if int64(len(data)) != h.DataEnd() {
		return nil, nil, errors.New("data of another size")
	}
	for _, t := range h.Tensors {
		layout, err := t.Layout()
		if err != nil {
			continue
		}
		err = npy.ReadElements(bytes.NewReader(data[t.Begin:t.End]), layout, int64(len(data)), func(h npy.Header) ([]byte, error) {
			elements := make([]byte, t.End-t.Begin)
			read = append(read, array{t, elements})
			return elements, nil
		})
		if err != nil {
			return nil, nil, err
		}
	}
	return read, h.Metadata, nil
}

func TestFileWithoutArrays(t *testing.T) {
	for _, header := range []string{"{}", "{}      ", `{"__metadata__":{}}`} {
		if read, _, err := readAll(file(header)); err != nil || len(read) != 0 {
			t.Errorf("%s: %v, %v", header, read, err)
		}
	}
}

func TestReadRefusesHostileFiles(t *testing.T) {
	one := func(rest string) []byte {
		return file(`{"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]}`+rest+`}`, 1, 2)
	}
	if _, _, err := readAll(one("")); err != nil {
		t.Fatal(err)
	}
	huge := append(binary.LittleEndian.AppendUint64(nil, 1<<40), '{')
	for what, content := range map[string][]byte{
		"nothing":               {},
		"half a length":         {1, 0, 0},
		"a huge header":         huge,
		"a header cut off":      one("")[:20],
		"no header":             file(""),
		"a list":                file("[]"),
		"a blank before":        file(" {}"),
		"text behind":           file("{}x"),
		"two objects":           file("{}{}"),
		"no end":                file("{"),
		"bad UTF-8":             file("{\"\xff\":{}}"),
		"data cut off":          one("")[:len(one(""))-1],
		"data behind":           append(one(""), 3),
		"an overlap":            one(`,"b":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}`),
		"a gap":                 append(one(`,"b":{"dtype":"U8","shape":[1],"data_offsets":[3,4]}`), 3, 4),
		"the same offsets":      one(`,"b":{"dtype":"U8","shape":[2],"data_offsets":[0,2]}`),
		"a name twice":          append(one(`,"a":{"dtype":"U8","shape":[1],"data_offsets":[2,3]}`), 3),
		"metadata twice":        one(`,"__metadata__":{},"__metadata__":{}`),
		"a key twice":           one(`,"__metadata__":{"a":"1","a":"2"}`),
		"metadata of numbers":   one(`,"__metadata__":{"a":1}`),
		"a list of metadata":    one(`,"__metadata__":[]`),
		"no gap at the start":   file(`{"a":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}}`, 1, 2),
		"backward offsets":      file(`{"a":{"dtype":"U8","shape":[1],"data_offsets":[2,1]}}`, 1, 2),
		"a negative offset":     file(`{"a":{"dtype":"U8","shape":[1],"data_offsets":[-1,0]}}`, 1),
		"a broken offset":       file(`{"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1.0]}}`, 1),
		"one offset":            file(`{"a":{"dtype":"U8","shape":[0],"data_offsets":[0]}}`),
		"three offsets":         file(`{"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1,1]}}`, 1),
		"an offset too large":   file(`{"a":{"dtype":"U8","shape":[1],"data_offsets":[0,99999999999999999999]}}`, 1),
		"the wrong size":        file(`{"a":{"dtype":"U16","shape":[1],"data_offsets":[0,1]}}`, 1),
		"a negative length":     file(`{"a":{"dtype":"U8","shape":[-1],"data_offsets":[0,1]}}`, 1),
		"an overflowing size":   file(`{"a":{"dtype":"F64","shape":[4611686018427387904,4],"data_offsets":[0,0]}}`),
		"overflow hidden by 0":  file(`{"a":{"dtype":"F64","shape":[4611686018427387904,4,0],"data_offsets":[0,0]}}`),
		"too many axes":         file(`{"a":{"dtype":"U8","shape":[`+strings.Repeat("1,", 100)+`1],"data_offsets":[0,1]}}`, 1),
		"a dtype of no letters": file(`{"a":{"dtype":"","shape":[1],"data_offsets":[0,1]}}`, 1),
		"a backward unknown":    file(`{"a":{"dtype":"F8_E4M3","shape":[1],"data_offsets":[1,0]}}`, 1),
		"a dtype in lower case": file(`{"a":{"dtype":"u8","shape":[1],"data_offsets":[0,1]}}`, 1),
		"a dtype twice":         file(`{"a":{"dtype":"U8","dtype":"U8","shape":[1],"data_offsets":[0,1]}}`, 1),
		"no shape":              file(`{"a":{"dtype":"U8","data_offsets":[0,1]}}`, 1),
		"another member":        file(`{"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1],"x":[[[[]]]]}}`, 1),
		"no object":             file(`{"a":null}`),
		"a nested shape":        file(`{"a":{"dtype":"U8","shape":[[1]],"data_offsets":[0,1]}}`, 1),
		"a claim of terabytes":  file(`{"a":{"dtype":"U8","shape":[1099511627776],"data_offsets":[0,1099511627776]}}`, 1),
	} {
		if read, _, err := readAll(content); err == nil {
			t.Errorf("%s: read %v", what, read)
		}
	}
}

func TestUnknownDTypeIsRefusedByItself(t *testing.T) {
	h, err := ReadHeader(bytes.NewReader(file(`{"a":{"dtype":"F8_E4M3","shape":[2],"data_offsets":[0,2]},"b":{"dtype":"U8","shape":[1],"data_offsets":[2,3]}}`)))
	if err != nil || len(h.Tensors) != 2 {
		t.Fatal(h, err)
	}
	if _, err := h.Tensors[0].Layout(); err == nil || !strings.Contains(err.Error(), `"a": dtype F8_E4M3`) {
		t.Errorf("error %v, want one that names array and dtype", err)
	}
	if _, err := h.Tensors[1].Layout(); err != nil {
		t.Error(err)
	}
}

// A file that can be read is written as the same arrays again, and any other is an error.
func FuzzSafetensors(f *testing.F) {
	f.Add(file("{}"))
	f.Add(file(`{"__metadata__":{"a":"b"},"x":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}`, 0, 0, 128, 63, 0, 0, 0, 64))
	f.Add(file(`{"x":{"dtype":"BOOL","shape":[],"data_offsets":[0,1]},"y":{"dtype":"I64","shape":[0,3],"data_offsets":[1,1]}}`, 2))
	f.Fuzz(func(t *testing.T, content []byte) {
		read, metadata, err := readAll(content)
		if err != nil {
			return
		}
		tensors := make([]Tensor, len(read))
		for i, a := range read {
			tensors[i] = a.tensor
		}
		var again bytes.Buffer
		if err := Write(&again, tensors, metadata, func(i int) []byte { return read[i].data }); err != nil {
			t.Fatal(err)
		}
		back, backMetadata, err := readAll(again.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		if !maps.Equal(metadata, backMetadata) || len(read) != len(back) {
			t.Fatalf("read %v %q, then %v %q", read, metadata, back, backMetadata)
		}
		byName := map[string]array{}
		for _, a := range back {
			byName[a.tensor.Name] = a
		}
		for _, a := range read {
			b := byName[a.tensor.Name]
			if a.tensor.DType != b.tensor.DType || !slices.Equal(a.tensor.Shape, b.tensor.Shape) || !bytes.Equal(a.data, b.data) {
				t.Fatalf("%q: read %v, then %v", a.tensor.Name, a, b)
			}
		}
	})
}
