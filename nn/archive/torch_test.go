package archive_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn/archive"
)

// A checkpoint of a program in Python has dicts, numbers and None beside its tensors.
func TestTorchCheckpoint(t *testing.T) {
	path := filepath.Join(t.TempDir(), "checkpoint.pth")
	base := nd.FromSlice([]float32{1, 2, 3, 4}, 2, 2)
	if err := nd.SaveTorch(path, nd.TorchDict{
		{Key: "epoch", Value: 3}, {Key: "loss", Value: 0.25}, {Key: "done", Value: true}, {Key: "tag", Value: "best"}, {Key: "none", Value: nil},
		{Key: "model", Value: nd.NamedArrays{{Name: "a", Array: base}, {Name: "b", Array: base}}},
		{Key: "more", Value: []any{int64(7), nd.TorchDict{{Key: int64(0), Value: nd.FromSlice([]float32{5})}}}},
	}); err != nil {
		t.Fatal(err)
	}
	var epoch, seven int
	var loss float64
	var done bool
	var tag string
	var b *nd.Array
	a, five := nd.Zeros([]int{2, 2}), nd.Zeros([]int{1})
	err := archive.Load(path, archive.Func(func(f *archive.Archive) {
		f.Int("epoch", &epoch)
		f.Float("loss", &loss)
		f.Bool("done", &done)
		f.Text("tag", &tag)
		f.Sub("model").Array("a", a)
		f.Sub("model").NewArray("b", &b)
		f.Int("more/0", &seven)
		f.Array("more/1/0", five)
	}))
	if err != nil || epoch != 3 || loss != 0.25 || !done || tag != "best" || seven != 7 || a.Float(1, 0) != 3 || b.Float(1, 1) != 4 || five.Float(0) != 5 {
		t.Errorf("%v: %d, %v, %v, %q, %d, %v, %v, %v", err, epoch, loss, done, tag, seven, a, b, five)
	}
}

// A tensor may repeat the elements of a small storage without end.
func TestTorchFileOfRepeatedElements(t *testing.T) {
	text, err := os.ReadFile("testdata/expanded.pt")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "a.pt")
	if err := os.WriteFile(path, text, 0o644); err != nil {
		t.Fatal(err)
	}
	var x *nd.Array
	err = archive.Load(path, archive.Func(func(a *archive.Archive) { a.NewArray("x", &x) }))
	if err == nil || !strings.Contains(err.Error(), `with "x", of shape (1000000, 1000000), the tensors are larger`) || x != nil {
		t.Errorf("error %v", err)
	}
}
