package npy

import (
	"archive/zip"
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// textFile is an .npy file as NumPy writes text: units are the bytes of the elements.
func textFile(descr, order, shape, units string) []byte {
	return append(rawHeader(1, fmt.Sprintf("{'descr': '%s', 'fortran_order': %s, 'shape': %s}", descr, order, shape)), units...)
}

func TestReadText(t *testing.T) {
	a, err := openBytes(zipOf(t, zip.Store,
		member{"one.npy", textFile("<U2", "False", "()", "\xfc\x00\x00\x00\xfc\xd6\x01\x00")},
		member{"big.npy", textFile(">U2", "False", "(2,)", "\x00\x00\x00a\x00\x00\x00\x00"+"\x00\x00\x00b\x00\x00\x00c")},
		member{"columns.npy", textFile("|S1", "True", "(2, 3)", "adbecf")},
		member{"bytes.npy", textFile("|S4", "False", "(2,)", "a\x00b\x00\x00\x00\x00\x00")},
		member{"none.npy", textFile("<U3", "False", "(0, 2)", "")},
		member{"short.npy", textFile("<U3", "False", "(2,)", "a\x00\x00\x00")},
		member{"surrogate.npy", textFile("<U1", "False", "()", "\x00\xd8\x00\x00")},
		member{"beyond.npy", textFile("<U1", "False", "()", "\xff\xff\xff\xff")},
		member{"huge.npy", textFile("<U4611686018427387904", "False", "(8,)", "")},
		member{"nothing.npy", textFile("<U0", "False", "(1000000000,)", "")},
	))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]Text{
		"one":     {Shape: []int{}, Values: []string{"ü𝛼"}},
		"big":     {Shape: []int{2}, Values: []string{"a", "bc"}},
		"columns": {Shape: []int{2, 3}, Values: []string{"a", "b", "c", "d", "e", "f"}},
		"bytes":   {Shape: []int{2}, Values: []string{"a\x00b", ""}},
		"none":    {Shape: []int{0, 2}, Values: []string{}},
	} {
		got, err := a.ReadText(name)
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%s: %v (-want +got)\n%s", name, err, diff)
		}
	}
	for name, why := range map[string]string{"short": "of the 24", "surrogate": "0xd800 is not a character", "beyond": "not a character",
		"huge": "", "nothing": "text", "absent": "no text"} {
		if _, err := a.ReadText(name); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%s: %v, want an error that says %q", name, err, why)
		}
	}
}

func TestWriteText(t *testing.T) {
	var b bytes.Buffer
	w := NewArchiveWriter(&b, true)
	want := Text{Shape: []int{3, 1}, Values: []string{"", "grüße", "a\x00b"}}
	if err := w.WriteText("log", want); err != nil {
		t.Fatal(err)
	}
	for _, bad := range []Text{{Shape: []int{2}, Values: []string{"a"}}, {Values: []string{"a\x00"}}, {Values: []string{"\xff"}}} {
		if err := w.WriteText("bad", bad); err == nil {
			t.Errorf("%v was written", bad)
		}
	}
	if err := w.WriteText("log", want); err == nil {
		t.Error("two texts of one name were written")
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	a, err := openBytes(b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	got, err := a.ReadText("log")
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v (-want +got)\n%s", err, diff)
	}
}
