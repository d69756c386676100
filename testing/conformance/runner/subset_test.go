package runner

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ndgrad/ndgrad/testing/golden"
)

// filesIn reads all files below a folder.
func filesIn(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		files[path], err = os.ReadFile(filepath.Join(dir, path))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// TestWriteSample draws twice from the committed cases: the same bytes, and another seed draws other cases.
func TestWriteSample(t *testing.T) {
	draw := func(seed uint64) map[string][]byte {
		dir := filepath.Join(t.TempDir(), "sample")
		if err := WriteSample("../testdata", dir, 1, seed); err != nil {
			t.Fatal(err)
		}
		return filesIn(t, dir)
	}
	first := draw(1)
	if len(first) == 0 {
		t.Fatal("nothing was written")
	}
	if d := cmp.Diff(first, draw(1), cmp.Comparer(bytes.Equal)); d != "" {
		t.Errorf("two draws with one seed differ: %.300s", d)
	}
	other, differ := draw(2), 0
	for name, text := range first {
		if !bytes.Equal(text, other[name]) {
			differ++
		}
	}
	if differ == 0 {
		t.Error("seeds 1 and 2 draw the same cases")
	}
}

// TestDrawnCases draws independently of the order of the cases, with a case with gradients if there is one, and without
// variants that this library does not follow.
func TestDrawnCases(t *testing.T) {
	all := []*golden.Case{{ID: "a"}, {ID: "b"}, {ID: "c", Grads: []golden.Ref{{Name: "x", Key: "x"}}}, {ID: "d", Variant: "other"}, {ID: "e"}}
	reversed := []*golden.Case{all[4], all[3], all[2], all[1], all[0]}
	ids := func(cases []*golden.Case) (ids []string) {
		for _, c := range cases {
			ids = append(ids, c.ID)
		}
		return ids
	}
	for seed := range uint64(20) {
		drawn := ids(drawnCases(all, 1, seed))
		if d := cmp.Diff([]string{"c"}, drawn); d != "" {
			t.Errorf("one case, seed %d: %s", seed, d)
		}
		drawn = ids(drawnCases(all, 3, seed))
		if d := cmp.Diff(drawn, ids(drawnCases(reversed, 3, seed))); d != "" || len(drawn) != 3 {
			t.Errorf("three cases, seed %d: %q %s", seed, drawn, d)
		}
	}
	if d := cmp.Diff([]string{"a", "b", "c", "e"}, ids(drawnCases(all, 9, 1))); d != "" {
		t.Errorf("all cases: %s", d)
	}
}
