package nd_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// torchFile is a file that PyTorch wrote: see make.py beside it.
func torchFile(name string) string { return filepath.Join("testdata", "torch", name) }

func TestTorchCheckpoint(t *testing.T) {
	base := nd.FromSlice([]float32{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, 3, 4)
	want := map[string]*nd.Array{
		"model/base": base, "model/turned": base.T(), "model/part": base.Index(nd.Span(1, 3), nd.All().By(2)),
		"model/wide": nd.FromSlice([]float32{0, 0, 4, 4, 8, 8}, 3, 2), "model/empty": nd.Zeros([]int{0, 3}, dtype.Float32),
		"model/number": nd.FromSlice([]int64{7}).Reshape(), "model/half": nd.FromSlice([]float32{0.5, -2}).AsType(dtype.BFloat16),
		"list/2/0": nd.FromSlice([]complex64{1 + 2i}),
	}
	for _, name := range []string{"checkpoint.pt", "before16.pt"} {
		arrays, err := nd.LoadTorch(torchFile(name))
		if err != nil || len(arrays) != len(want) {
			t.Fatalf("%s: %v, %v", name, arrays.Names(), err)
		}
		for _, n := range arrays {
			if w := want[n.Name]; w == nil || n.Array.GoString() != w.GoString() {
				t.Errorf("%s: %s is %#v, want %#v", name, n.Name, n.Array, w)
			}
		}
		if turned := arrays.Get("model/turned"); !turned.SharesMemory(arrays.Get("model/base")) || !slices.Equal(turned.Strides(), []int{1, 4}) {
			t.Errorf("%s: the transposed tensor is not a view of the other", name)
		}
		f, err := nd.OpenTorch(torchFile(name))
		if err != nil {
			t.Fatal(err)
		}
		for path, want := range map[string]any{"epoch": int64(3), "loss": 0.25, "note": "ä", "none": nil, "list/1": true} {
			if v, err := f.Value(path); err != nil || v != want {
				t.Errorf("%s: %s is %v, %v, want %v", name, path, v, err, want)
			}
		}
		all, err := f.ReadAll()
		if err != nil || !slices.Equal(all.Names(), f.Names()) || !all.Get("model/turned").SharesMemory(all.Get("model/base")) {
			t.Errorf("%s: %q, %v", name, all.Names(), err)
		}
		if paths := f.Paths(); !slices.Contains(paths, "none") || !slices.Contains(paths, "list/1") || !slices.Contains(paths, "model/base") || slices.Contains(paths, "model") {
			t.Errorf("%s: paths %q", name, paths)
		}
		whole, err := f.Value("")
		root, ok := whole.(nd.TorchDict)
		if err != nil || !ok || len(root) != 7 {
			t.Fatalf("%s: %v, %v", name, whole, err)
		}
		if large, ok := root.Get("large").(*big.Int); !ok || large.BitLen() != 71 || root.Get("absent") != nil {
			t.Errorf("%s: large is %v", name, root.Get("large"))
		}
		if dt, shape, err := f.Info("model/part"); err != nil || dt != dtype.Float32 || !slices.Equal(shape, []int{2, 2}) {
			t.Errorf("%s: part is %v%v, %v", name, dt, shape, err)
		}
		for what, read := range map[string]func() error{
			"no such tensor": func() error { _, err := f.Read("model/bases"); return err },
			"no tensor":      func() error { _, err := f.Read("epoch"); return err },
			"no such value":  func() error { _, err := f.Value("model/x"); return err },
			"no such info":   func() error { _, _, err := f.Info("epoch"); return err },
		} {
			if err := read(); err == nil || !strings.HasPrefix(err.Error(), "TorchFile.") {
				t.Errorf("%s: %s: error %v", name, what, err)
			}
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestTorchScript(t *testing.T) {
	arrays, err := nd.LoadTorch(torchFile("module.jit"))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]float32{"inner.weight": 0.5, "inner.bias": 3, "outer.weight": 0.5, "outer.bias": 4} {
		x := arrays.Get(name)
		if x == nil || nd.ToSlice[float32](x.Flatten())[0] != want {
			t.Errorf("%s is %v, want %v", name, x, want)
		}
	}
	if !arrays.Get("inner.weight").SharesMemory(arrays.Get("outer.weight")) {
		t.Error("the shared weight was read twice")
	}
}

func TestTorchUnknownDType(t *testing.T) {
	f, err := nd.OpenTorch(torchFile("float8.pt"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if x, err := f.Read("u"); err != nil || x.String() != "[    1 65535]" {
		t.Errorf("u is %v, %v", x, err)
	}
	const refusal = "no array has the dtype float8_e4m3fn"
	if _, err := f.Read("w"); err == nil || err.Error() != `"w": TorchFile.Read: `+refusal {
		t.Errorf("w: error %v", err)
	}
	if _, _, err := f.Info("w"); err == nil || !strings.Contains(err.Error(), refusal) {
		t.Errorf("w: error %v", err)
	}
	if _, err := nd.LoadTorch(torchFile("float8.pt")); err == nil || !strings.Contains(err.Error(), `"w": `) {
		t.Errorf("all: error %v", err)
	}
}

func TestTorchRoundTrip(t *testing.T) {
	whole := nd.ArangeInt(0, 24, 1).Reshape(2, 3, 4)
	var all nd.NamedArrays
	for d := dtype.Bool; d < dtype.Count; d++ {
		all = append(all, nd.Named{Name: d.String(), Array: whole.AsType(d)})
	}
	all = append(all, nd.Named{Name: "turned", Array: whole.T()}, nd.Named{Name: "same", Array: whole}, nd.Named{Name: "again", Array: whole},
		nd.Named{Name: "0-d", Array: nd.Scalar(2.5)}, nd.Named{Name: "empty", Array: nd.Zeros([]int{0, 3})})
	path := filepath.Join(t.TempDir(), "a.pt")
	value := nd.TorchDict{{"model", all}, {"epoch", 3}, {"numbers", []any{int64(-1 << 40), -2.5, true, nil, new(big.Int).Lsh(big.NewInt(-3), 90)}},
		{"names", []string{"a", "b"}}, {int64(7), nd.TorchDict{{"inner", "text"}}}}
	if err := nd.SaveTorch(path, value); err != nil {
		t.Fatal(err)
	}
	got, err := nd.LoadTorch(path)
	if err != nil || len(got) != len(all) {
		t.Fatal(got.Names(), err)
	}
	for i, n := range all {
		if got[i].Name != "model/"+n.Name || got[i].Array.GoString() != n.Array.GoString() {
			t.Errorf("wrote %s %#v, read %s %#v", n.Name, n.Array, got[i].Name, got[i].Array)
		}
	}
	if !got.Get("model/same").SharesMemory(got.Get("model/again")) {
		t.Error("one array was written twice")
	}
	f, err := nd.OpenTorch(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for at, want := range map[string]string{"epoch": "3", "numbers": "[-1099511627776 -2.5 true <nil> -3713820117856140824697372672]", "names": "[a b]", "7": "[{inner text}]"} {
		if v, err := f.Value(at); err != nil || fmt.Sprint(v) != want {
			t.Errorf("%s is %v, %v, want %s", at, v, err, want)
		}
	}
	loop := []any{nil}
	loop[0] = loop
	for what, v := range map[string]any{
		"a channel": make(chan int), "a key twice": nd.TorchDict{{"a", 1}, {"a", 2}}, "a list as a key": nd.TorchDict{{[]any{}, 1}},
		"a huge number": new(big.Int).Lsh(big.NewInt(1), 5000), "a name twice": []nd.Named{{Name: "a", Array: whole}, {Name: "a", Array: whole}},
	} {
		var out bytes.Buffer
		if err := nd.WriteTorch(&out, v); err == nil || out.Len() > 0 || !strings.HasPrefix(err.Error(), "nd.WriteTorch: ") {
			t.Errorf("%s: error %v, %d bytes written", what, err, out.Len())
		}
	}
}

// pickled returns an archive with that pickle, and members of bytes.
func pickled(t testing.TB, pickle string, members ...string) []byte {
	t.Helper()
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for i, content := range append([]string{pickle}, members...) {
		name := "a/data.pkl"
		if i > 0 {
			name = fmt.Sprintf("a/data/%d", i-1)
		}
		w, err := z.Create(name)
		if err == nil {
			_, err = w.Write([]byte(content))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// tensor is the pickle of a tensor of a float32 storage of n bytes-long elements: offset, shape and strides are pickled numbers.
func tensor(count, offset, shape, strides string) string {
	return "\x80\x02ctorch._utils\n_rebuild_tensor_v2\n((X\x07\x00\x00\x00storagectorch\nFloatStorage\nX\x01\x00\x00\x000X\x03\x00\x00\x00cpu" + count +
		"tQ" + offset + "(" + shape + "t(" + strides + "t\x89ccollections\nOrderedDict\n)RtR."
}

func TestTorchRefusals(t *testing.T) {
	const eight = "\x00\x00\x80\x3f\x00\x00\x00\x40"
	open := func(file []byte) ([]string, error) {
		f, err := nd.NewTorch(bytes.NewReader(file), int64(len(file)))
		if err != nil {
			return nil, err
		}
		for _, name := range f.Names() {
			if _, err := f.Read(name); err != nil {
				return nil, err
			}
		}
		return f.Names(), nil
	}
	if _, err := open(pickled(t, tensor("K\x02", "K\x00", "K\x02", "K\x01"), eight)); err != nil {
		t.Fatal(err)
	}
	if _, err := open(pickled(t, "\x80\x02]q\x00h\x00a.")); err == nil || !strings.Contains(err.Error(), "contain themselves") {
		t.Errorf("a list in itself: error %v", err)
	}
	// Each list holds the one before twice: 2^60 values.
	doubling := "\x80\x02]q\x00"
	for i := range 60 {
		doubling += fmt.Sprintf("]q%c(h%ch%ce", i+1, i, i)
	}
	for what, file := range map[string][]byte{
		"nothing":                 {},
		"no archive":              []byte("no archive at all"),
		"an empty archive":        pickled(t, "")[:22],
		"an empty pickle":         pickled(t, ""),
		"a tar archive":           append(make([]byte, 257), "ustar\x00"...),
		"a call of os.system":     pickled(t, "\x80\x02cos\nsystem\nX\x02\x00\x00\x00ls\x85R."),
		"an instance":             pickled(t, "\x80\x02(i__main__\nA\n."),
		"text numbers":            pickled(t, "I7\n."),
		"an unknown class":        pickled(t, "\x80\x02cnumpy\nndarray\n."),
		"a stack that is empty":   pickled(t, "\x80\x02."),
		"a mark as a value":       pickled(t, "\x80\x02(."),
		"a list as a key":         pickled(t, "\x80\x02}]]s."),
		"a memo of nothing":       pickled(t, "\x80\x02h\x05."),
		"a doubling list":         pickled(t, doubling+"."),
		"a million dicts":         pickled(t, "\x80\x02"+strings.Repeat("}", 1<<20)+"."),
		"a text that is too long": pickled(t, "\x80\x02X\xff\xff\xff\xff."),
		"a text that is no UTF-8": pickled(t, "\x80\x02X\x01\x00\x00\x00\xff."),
		"no storage":              pickled(t, tensor("K\x02", "K\x00", "K\x02", "K\x01")),
		"a short storage":         pickled(t, tensor("K\x03", "K\x00", "K\x02", "K\x01"), eight),
		"an offset too large":     pickled(t, tensor("K\x02", "K\x01", "K\x02", "K\x01"), eight),
		"a huge offset":           pickled(t, tensor("K\x02", "\x8a\x08\xff\xff\xff\xff\xff\xff\xff\x7f", "K\x02", "K\x01"), eight),
		"a negative offset":       pickled(t, tensor("K\x02", "J\xff\xff\xff\xff", "K\x02", "K\x01"), eight),
		"a huge stride":           pickled(t, tensor("K\x02", "K\x00", "K\x02", "\x8a\x08\xff\xff\xff\xff\xff\xff\xff\x7f"), eight),
		"a negative stride":       pickled(t, tensor("K\x02", "K\x01", "K\x02", "J\xff\xff\xff\xff"), eight),
		"strides of another rank": pickled(t, tensor("K\x02", "K\x00", "K\x02", "K\x01K\x01"), eight),
		"a huge shape":            pickled(t, tensor("K\x02", "K\x00", strings.Repeat("J\xff\xff\xff\x7f", 4), "K\x00K\x00K\x00K\x00"), eight),
		"a huge count":            pickled(t, tensor("\x8a\x08\xff\xff\xff\xff\xff\xff\xff\x7f", "K\x00", "K\x02", "K\x01"), eight),
		"another magic number":    []byte("\x80\x02K\x01."),
	} {
		if names, err := open(file); err == nil || !strings.HasPrefix(err.Error(), "nd.NewTorch: ") && !strings.Contains(err.Error(), "TorchFile.") {
			t.Errorf("%s: read %v, error %v", what, names, err)
		}
	}
	if _, err := nd.OpenTorch(filepath.Join(t.TempDir(), "none.pt")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	for _, name := range []string{"checkpoint.pt", "before16.pt", "module.jit"} {
		whole, err := os.ReadFile(torchFile(name))
		if err != nil {
			t.Fatal(err)
		}
		for cut := 0; cut < len(whole); cut += 7 {
			if names, err := open(whole[:cut]); err == nil {
				t.Errorf("%s, cut off after %d of %d bytes: read %v", name, cut, len(whole), names)
			}
		}
	}
}

// withoutChecksums returns an archive with zeros instead of checksums, as torch.save writes it after
// torch.serialization.set_crc32_options(False): flags says whether a descriptor follows each member.
func withoutChecksums(t *testing.T, archive []byte, flags uint16) []byte {
	r, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, m := range r.File {
		h := m.FileHeader
		h.CRC32, h.Flags = 0, flags
		raw, err := m.OpenRaw()
		if err != nil {
			t.Fatal(err)
		}
		if to, err := w.CreateRaw(&h); err != nil {
			t.Fatal(err)
		} else if _, err := io.Copy(to, raw); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestTorchChecksums reads files without checksums, and refuses a file whose data do not match them.
func TestTorchChecksums(t *testing.T) {
	archive, err := os.ReadFile(torchFile("checkpoint.pt"))
	if err != nil {
		t.Fatal(err)
	}
	load := func(archive []byte) (string, error) {
		f, err := nd.NewTorch(bytes.NewReader(archive), int64(len(archive)))
		if err != nil {
			return "", err
		}
		arrays, err := f.ReadAll()
		text := ""
		for _, n := range arrays {
			text += fmt.Sprintf("%s %#v\n", n.Name, n.Array)
		}
		return text, err
	}
	want, err := load(archive)
	if err != nil {
		t.Fatal(err)
	}
	for _, flags := range []uint16{0, 8} {
		if got, err := load(withoutChecksums(t, archive, flags)); err != nil || got != want {
			t.Errorf("without checksums, flags %d: %v, %s", flags, err, got)
		}
	}
	at := bytes.Index(archive, []byte("\x00\x00\x80\x3f\x00\x00\x00\x40")) // 1, 2 of the tensor base
	archive[at] ^= 1
	if _, err := load(archive); !errors.Is(err, zip.ErrChecksum) {
		t.Errorf("a damaged storage: error %v", err)
	}
}

// FuzzTorch: reading ends without a panic, and what was read can be written and read again.
func FuzzTorch(f *testing.F) {
	for _, name := range []string{"checkpoint.pt", "before16.pt", "module.jit"} {
		file, err := os.ReadFile(torchFile(name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(file, false)
	}
	f.Add([]byte(tensor("K\x02", "K\x00", "K\x02", "K\x01")), true)
	f.Add([]byte("\x80\x02}(X\x01\x00\x00\x00aK\x01X\x01\x00\x00\x00b]q\x00(h\x00N\x88G?\xf0\x00\x00\x00\x00\x00\x00eu."), true)
	f.Fuzz(func(t *testing.T, file []byte, isPickle bool) {
		if isPickle {
			file = pickled(t, string(file), "\x00\x00\x80\x3f\x00\x00\x00\x40")
		}
		r, err := nd.NewTorch(bytes.NewReader(file), int64(len(file)))
		if err != nil {
			return
		}
		v, err := r.Value("")
		if err != nil {
			return
		}
		var out bytes.Buffer
		if err := nd.WriteTorch(&out, v); err != nil {
			return // such as bytes, which are read only
		}
		names := slices.DeleteFunc(r.Names(), func(name string) bool { return strings.HasPrefix(name, "constants/") })
		again, err := nd.NewTorch(bytes.NewReader(out.Bytes()), int64(out.Len()))
		if err != nil || len(again.Names()) < len(names) {
			t.Fatalf("names %v, then %v, %v", names, again, err)
		}
	})
}
