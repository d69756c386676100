package table

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/internal/text"
)

// A table that can be read is the same after writing and reading it again; every other text is an error.
func FuzzText(f *testing.F) {
	for _, text := range []string{"1 2\n3 4", "# c\n1,2\r\n3,4\r", "1+2j (3-4j)\n", "nan inf -0 1e400", "1\t2\n\n", "\ufeff1 2", "\"1\",\"2\"\n\"a,\"\"\",3"} {
		for d := dtype.Bool; d < dtype.Count; d += 3 {
			f.Add(text, uint8(d), "", uint8(0))
			f.Add(text, uint8(d), ",", uint8(1))
		}
	}
	f.Fuzz(func(t *testing.T, table string, d uint8, delimiter string, skip uint8) {
		dt := dtype.DType(d)
		if !dt.Valid() {
			return
		}
		_, data, shape, err := Read(strings.NewReader(table), ReadOptions{DType: dt, Delimiter: delimiter, SkipRows: int(skip), NDMin: 2})
		if err != nil {
			return
		}
		o := WriteOptions{Delimiter: new(",")}
		if !dt.IsInexact() {
			o.Format = "%d"
		}
		if dt.IsComplex() {
			o.Format = "%.17e%+.17ej"
		}
		w, err := NewWriter(o, shape[1], dt)
		if err != nil {
			t.Fatal(err)
		}
		var written bytes.Buffer
		if err := w.Write(&written, shape[0], text.ValuesOf(dt, data)); err != nil {
			t.Fatal(err)
		}
		_, again, back, err := Read(bytes.NewReader(written.Bytes()), ReadOptions{DType: dt, Delimiter: ",", NDMin: 2})
		if err != nil {
			t.Fatal(err)
		}
		if len(data) > 0 && (!slices.Equal(shape, back) || !bytes.Equal(data, again)) {
			t.Fatalf("read %v %x, wrote %q, read %v %x", shape, data, written.Bytes(), back, again)
		}
	})
}
