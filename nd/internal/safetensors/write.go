package safetensors

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/internal/npy"
)

// Write writes a file. The largest elements come first, so that all are aligned, and ties are sorted by name. When it
// is the turn of an array, Write calls data with its index among the tensors; data returns the elements, row-major, in
// the byte order of the host.
func Write(w io.Writer, tensors []Tensor, metadata map[string]string, data func(i int) []byte) error {
	order := make([]int, len(tensors))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, k int) int {
		a, b := tensors[i], tensors[k]
		return cmp.Or(cmp.Compare(b.DType.Size(), a.DType.Size()), strings.Compare(a.Name, b.Name))
	})
	sorted := make([]Tensor, len(tensors))
	for k, i := range order {
		sorted[k] = tensors[i]
	}
	text, err := header(sorted, metadata)
	if err != nil {
		return err
	}
	if _, err := w.Write(text); err != nil {
		return err
	}
	for k, i := range order {
		layout := npy.Header{DType: sorted[k].DType, Shape: sorted[k].Shape}
		if err := npy.WriteData(w, layout, data(i)); err != nil {
			return fmt.Errorf("%q: %w", sorted[k].Name, err)
		}
	}
	return nil
}

// header returns the header, preceded by its length and padded with blanks to a multiple of 8 bytes.
func header(tensors []Tensor, metadata map[string]string) ([]byte, error) {
	names := map[dtype.DType]string{}
	for name, dt := range types {
		names[dt] = name
	}
	out := append(make([]byte, 8), '{')
	member := func(name string, value any) (err error) {
		if len(out) > 9 {
			out = append(out, ',')
		}
		if out, err = appendJSON(out, name); err != nil {
			return err
		}
		out, err = appendJSON(append(out, ':'), value)
		return err
	}
	if metadata != nil {
		if err := member(metadataName, metadata); err != nil {
			return nil, err
		}
	}
	seen := map[string]bool{metadataName: true}
	begin := 0
	for _, t := range tensors {
		switch {
		case seen[t.Name]:
			return nil, fmt.Errorf("the name %q is taken", t.Name)
		case names[t.DType] == "":
			return nil, fmt.Errorf("%q: the format has no %s", t.Name, t.DType)
		}
		seen[t.Name] = true
		size, err := npy.Header{DType: t.DType, Shape: t.Shape}.Size()
		if err != nil {
			return nil, fmt.Errorf("%q: %w", t.Name, err)
		}
		entry := struct {
			DType   string `json:"dtype"`
			Shape   []int  `json:"shape"`
			Offsets [2]int `json:"data_offsets"`
		}{names[t.DType], t.Shape, [2]int{begin, begin + size}}
		if err := member(t.Name, entry); err != nil {
			return nil, err
		}
		begin += size
	}
	out = append(out, '}')
	for len(out)%8 != 0 {
		out = append(out, ' ')
	}
	length := len(out) - 8
	if length > maxHeader {
		return nil, fmt.Errorf("the header has %d bytes, at most %d are allowed", length, maxHeader)
	}
	binary.LittleEndian.PutUint64(out, uint64(length))
	return out, nil
}

// appendJSON appends a value in the form that a header has.
func appendJSON(out []byte, value any) ([]byte, error) {
	switch v := value.(type) {
	case string:
		if !utf8.ValidString(v) {
			return nil, fmt.Errorf("%q is not UTF-8", v)
		}
	case map[string]string:
		for name, text := range v {
			if !utf8.ValidString(name) || !utf8.ValidString(text) {
				return nil, fmt.Errorf("the metadata %q: %q are not UTF-8", name, text)
			}
		}
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		return nil, err
	}
	return append(out, bytes.TrimSuffix(b.Bytes(), []byte("\n"))...), nil
}
