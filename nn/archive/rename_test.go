package archive_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn/archive"
)

// otherNames saves a file of another program and returns its path.
func otherNames(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.safetensors")
	if err := nd.SaveSafetensors(path, nd.NamedArrays{
		{Name: "model/fc.weight", Array: nd.FromSlice([]float32{1, 2, 3, 4, 5, 6}, 2, 3)},
		{Name: "model/fc.bias", Array: nd.FromSlice([]float32{7, 8})},
		{Name: "model/head.bias", Array: nd.FromSlice([]float32{9})},
		{Name: "rate", Array: nd.FromSlice([]float32{0.5})},
	}, nil); err != nil {
		t.Fatal(err)
	}
	return path
}

type fc struct{ w, b *nd.Array }

func newFC() *fc {
	return &fc{nd.Zeros([]int{3, 2}), nd.Zeros([]int{2})}
}

func (l *fc) Archive(a *archive.Archive) {
	a.Array("fc/W", l.w)
	a.Array("fc/b", l.b)
}

func transposed(name string, x *nd.Array) *nd.Array {
	if strings.HasSuffix(name, "/W") {
		return x.T()
	}
	return x
}

func TestLoadRenamesAndConverts(t *testing.T) {
	path := otherNames(t)
	for what, rename := range map[string]func(string) string{
		"a table":    archive.Names{"fc.weight": "fc/W", "fc.bias": "/fc/b", "head.bias": ""}.Rename,
		"a replacer": strings.NewReplacer(".weight", "/W", "fc.bias", "fc/b", "head.bias", "").Replace,
	} {
		l := newFC()
		if err := archive.Load(path, l, archive.LoadOptions{Prefix: "model", Rename: rename, Convert: transposed}); err != nil {
			t.Errorf("%s: %v", what, err)
		}
		if w, b := nd.ToSlice[float64](l.w), nd.ToSlice[float64](l.b); !cmp.Equal(w, []float64{1, 4, 2, 5, 3, 6}) || !cmp.Equal(b, []float64{7, 8}) {
			t.Errorf("%s: %v, %v", what, w, b)
		}
	}
	if table := (archive.Names{"a": "b"}); table.Rename("a") != "b" || table.Rename("b") != "b" {
		t.Error("a table renames what it has, and nothing else")
	}
}

func TestLoadReportsNames(t *testing.T) {
	path := otherNames(t)
	table := archive.Names{"fc.weight": "fc/W", "fc.bias": "bias"}.Rename
	l := newFC()
	report := archive.Report{Missing: []string{"from an earlier call"}}
	option := archive.LoadOptions{Prefix: "model", Rename: table, Convert: transposed, Report: &report}
	if err := archive.Load(path, l, option); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(report.Missing, []string{"model/fc/b"}) || !slices.Equal(report.Unused, []string{"model/fc.bias", "model/head.bias"}) {
		t.Errorf("%+v", report)
	}
	if l.w.Float(0, 1) != 4 || l.b.Float(0) != 0 {
		t.Errorf("%v, %v", l.w, l.b)
	}
	// What does not fit is an error as ever, and changes neither values nor report.
	l, was := newFC(), report.Missing
	option.Convert = nil
	err := archive.Load(path, l, option)
	if err == nil || !strings.Contains(err.Error(), `"fc/W" has shape (2, 3), want (3, 2)`) || l.w.Float(0, 1) != 0 || !slices.Equal(report.Missing, was) {
		t.Errorf("error %v, %v, %+v", err, l.w, report)
	}
	option.Report, option.Convert = nil, transposed
	if err = archive.Load(path, l, option); err == nil || !strings.Contains(err.Error(), `"model/fc/b" is missing`) {
		t.Errorf("without a report: error %v", err)
	}
	same := archive.LoadOptions{Prefix: "model", Rename: func(string) string { return "fc/W" }}
	if err = archive.Load(path, l, same); err == nil || !strings.Contains(err.Error(), `two values "model/fc/W"`) {
		t.Errorf("two names become one: error %v", err)
	}
}

// A report keeps an array that the file does not have, as Lenient does.
func TestReportKeepsOptionalArrays(t *testing.T) {
	path := otherNames(t)
	for _, option := range []archive.LoadOptions{{Lenient: true}, {Report: new(archive.Report)}} {
		x := nd.FromSlice([]float32{3})
		err := archive.Load(path, archive.Func(func(a *archive.Archive) { a.NewArray("absent", &x) }), option)
		if err != nil || x == nil || x.Float(0) != 3 {
			t.Errorf("%+v: %v, %v", option, err, x)
		}
	}
}

// What Convert returns may share memory, also between values that are restored as new arrays.
func TestConvertedArraysAreNotShared(t *testing.T) {
	path, constant := otherNames(t), nd.FromSlice([]float32{1})
	var a, b *nd.Array
	o := archive.Func(func(f *archive.Archive) { f.NewArray("fc.bias", &a); f.NewArray("head.bias", &b) })
	convert := func(string, *nd.Array) *nd.Array { return constant }
	if err := archive.Load(path, o, archive.LoadOptions{Prefix: "model", Convert: convert, Report: new(archive.Report)}); err != nil {
		t.Fatal(err)
	}
	if a.SharesMemory(b) || a.SharesMemory(constant) || b.Float(0) != 1 {
		t.Errorf("%v, %v", a, b)
	}
}
