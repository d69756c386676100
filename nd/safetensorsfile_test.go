package nd_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
)

func save(t *testing.T, path string, arrays ...nd.Named) {
	t.Helper()
	if err := nd.SaveSafetensors(path, arrays, nil); err != nil {
		t.Fatal(err)
	}
}

func TestOpenSafetensors(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.safetensors")
	table := nd.ArangeInt(0, 12, 1).Reshape(4, 3)
	save(t, path, nd.Named{Name: "table", Array: table}, nd.Named{Name: "none", Array: nd.Zeros([]int{0, 5})}, nd.Named{Name: "number", Array: nd.Scalar(2.5)})
	f, err := nd.OpenSafetensors(path)
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(f.Names()); got != "[none number table]" {
		t.Errorf("names %s", got)
	}
	if dt, shape, err := f.Info("table"); err != nil || fmt.Sprint(dt, shape) != "int64 [4 3]" {
		t.Errorf("table is %v%v, %v", dt, shape, err)
	}
	for _, c := range []struct {
		name     string
		from, to int
		want     string
	}{
		{"table", 1, 3, fmt.Sprint(table.Index(nd.Span(1, 3)))}, {"table", 4, 4, fmt.Sprint(table.Index(nd.Span(4, 4)))},
		{"none", 0, 0, fmt.Sprint(nd.Zeros([]int{0, 5}))},
	} {
		if x, err := f.Rows(c.name, c.from, c.to); err != nil || fmt.Sprint(x) != c.want {
			t.Errorf("rows %d to %d of %s: %v, %v, want %s", c.from, c.to, c.name, x, err, c.want)
		}
	}
	for what, read := range map[string]func() error{
		"no such array": func() error { _, err := f.Read("tables"); return err },
		"no such info":  func() error { _, _, err := f.Info("tables"); return err },
		"5 rows of 4":   func() error { _, err := f.Rows("table", 0, 5); return err },
		"backward rows": func() error { _, err := f.Rows("table", 2, 1); return err },
		"rows of 0-d":   func() error { _, err := f.Rows("number", 0, 1); return err },
	} {
		if err := read(); err == nil || !strings.HasPrefix(err.Error(), "Safetensors.") {
			t.Errorf("%s: error %v, want one of the method", what, err)
		}
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	if _, err := f.Read("table"); err == nil {
		t.Error("a closed file was read")
	}
}

func TestSafetensorsOfUnknownDType(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.safetensors")
	content := safetensorsFile(`{"w":{"dtype":"F8_E4M3","shape":[2],"data_offsets":[0,2]},"b":{"dtype":"U8","shape":[1],"data_offsets":[2,3]}}`, 1, 2, 3)
	if err := os.WriteFile(path, content, 0o644); err != nil {
		t.Fatal(err)
	}
	f, err := nd.OpenSafetensors(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if x, err := f.Read("b"); err != nil || nd.Value[uint8](x) != 3 {
		t.Errorf("b is %v, %v", x, err)
	}
	const refusal = `"w": dtype F8_E4M3`
	if _, err := f.Read("w"); err == nil || !strings.Contains(err.Error(), refusal) {
		t.Errorf("w: error %v, want %s", err, refusal)
	}
	if _, _, err := nd.LoadSafetensors(path); err == nil || !strings.Contains(err.Error(), refusal) || !strings.Contains(err.Error(), "OpenSafetensors") {
		t.Errorf("LoadSafetensors: error %v, want %s", err, refusal)
	}
	if _, _, err := nd.ReadSafetensors(bytes.NewReader(content)); err == nil || !strings.Contains(err.Error(), refusal) {
		t.Errorf("ReadSafetensors: error %v, want %s", err, refusal)
	}
}

func TestShardedSafetensors(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	save(t, at("1.safetensors"), nd.Named{Name: "b", Array: nd.Scalar(1.0)})
	save(t, at("2.safetensors"), nd.Named{Name: "a", Array: nd.Scalar(2.0)}, nd.Named{Name: "c", Array: nd.Scalar(3.0)})
	index := at("model.safetensors.index.json")
	write := func(text string) {
		if err := os.WriteFile(index, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(`{"metadata":{"total_size":24},"weight_map":{"a":"2.safetensors","b":"1.safetensors","c":"2.safetensors"}}`)
	arrays, _, err := nd.LoadSafetensors(index)
	if err != nil || len(arrays) != 3 {
		t.Fatal(arrays, err)
	}
	for i, want := range []string{"b 1", "a 2", "c 3"} {
		if got := fmt.Sprint(arrays[i].Name, " ", nd.Value[float64](arrays[i].Array)); got != want {
			t.Errorf("array %d is %s, want %s", i, got, want)
		}
	}
	for what, text := range map[string]string{
		"no JSON":             `{`,
		"no map":              `{"metadata":{}}`,
		"a missing file":      `{"weight_map":{"a":"3.safetensors"}}`,
		"a missing array":     `{"weight_map":{"b":"1.safetensors","d":"1.safetensors"}}`,
		"an unexpected array": `{"weight_map":{"a":"2.safetensors"}}`,
		"another folder":      `{"weight_map":{"b":"../` + filepath.Base(dir) + `/1.safetensors"}}`,
		"no name":             `{"weight_map":{"b":""}}`,
		"the folder itself":   `{"weight_map":{"b":"."}}`,
	} {
		write(text)
		if _, _, err := nd.LoadSafetensors(index); err == nil || !strings.Contains(err.Error(), dir) {
			t.Errorf("%s: error %v, want one that names the file", what, err)
		}
	}
	save(t, at("3.safetensors"), nd.Named{Name: "b", Array: nd.Scalar(1.0)})
	write(`{"weight_map":{"b":"3.safetensors","x":"1.safetensors"}}`)
	if _, _, err := nd.LoadSafetensors(index); err == nil {
		t.Error("one name in two files was read")
	}
}
