package catalogue_test

import (
	"errors"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nn/data"
	"github.com/ndgrad/ndgrad/testing/conformance/catalogue"
)

func written(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestImagesByName reads images given by a list, and by the path of a file with a list.
func TestImagesByName(t *testing.T) {
	folder := t.TempDir()
	f, err := os.Create(filepath.Join(folder, "a.png"))
	if err == nil {
		err = errors.Join(png.Encode(f, image.NewGray(image.Rect(0, 0, 3, 2))), f.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	list, pairs := filepath.Join(folder, "list.txt"), filepath.Join(folder, "pairs.txt")
	written(t, list, "a.png\n")
	written(t, pairs, "a.png 3\n")
	for _, paths := range []any{list, []string{"a.png"}} {
		d := called(t, "chainer.datasets.ImageDataset", []any{paths}, map[string]any{"root": folder}).Values[0].(data.Dataset[*nd.Array])
		x, err := d.At(0)
		if err != nil {
			t.Fatal(err)
		}
		expect(t, "an image", x, dtype.Float32, make([]float64, 6)...)
	}
	for _, pairs := range []any{pairs, []any{[]any{"a.png", 3}}} {
		d := called(t, "chainer.datasets.LabeledImageDataset", []any{pairs}, map[string]any{"root": folder}).Values[0].(data.Dataset[[]*nd.Array])
		pair, err := d.At(0)
		if err != nil {
			t.Fatal(err)
		}
		expect(t, "a label", pair[1], dtype.Int32, 3)
	}
	for name, args := range map[string][]any{
		"chainer.datasets.ImageDataset":        {list + ".no", []int{1}},
		"chainer.datasets.LabeledImageDataset": {pairs + ".no", []string{"a.png"}, []any{[]any{1, "a.png"}}},
	} {
		for _, a := range args {
			if r, err := catalogue.Call(name, []any{a}, nil); err == nil {
				t.Errorf("%s of %v is %v", name, a, r.Values)
			}
		}
	}
}

// TestKnownSetsByName reads small files in the formats of known data sets.
func TestKnownSetsByName(t *testing.T) {
	folder := t.TempDir()
	for i, name := range []string{"data_batch_1", "data_batch_2", "data_batch_3", "data_batch_4", "data_batch_5", "test_batch"} {
		written(t, filepath.Join(folder, name+".bin"), string(rune(i))+strings.Repeat("\x7f", 3072))
	}
	for _, name := range []string{"train", "test"} {
		written(t, filepath.Join(folder, name+".bin"), "\x01\x02"+strings.Repeat("\x7f", 3072))
		written(t, filepath.Join(folder, map[string]string{"train": "train", "test": "t10k"}[name]+"-images-idx3-ubyte"),
			"\x00\x00\x08\x03\x00\x00\x00\x01\x00\x00\x00\x02\x00\x00\x00\x02\x00\x33\x66\x7f")
		written(t, filepath.Join(folder, map[string]string{"train": "train", "test": "t10k"}[name]+"-labels-idx1-ubyte"), "\x00\x00\x08\x01\x00\x00\x00\x01\x07")
		written(t, filepath.Join(folder, "ptb."+name+".txt"), "a b\n")
	}
	written(t, filepath.Join(folder, "ptb.valid.txt"), "b c\n")
	r := called(t, "chainer.datasets.get_mnist", []any{folder}, map[string]any{"scale": 255.0})
	expect(t, "an image", r.Values[2], dtype.Float32, 0, 51, 102, 127)
	expect(t, "a label", r.Values[3], dtype.Int32, 7)
	if r = called(t, "chainer.datasets.get_mnist", []any{folder, false}, map[string]any{"ndim": 3}); len(r.Values) != 2 || r.Values[0].(*nd.Array).Rank() != 4 {
		t.Errorf("%v", r.Values)
	}
	r = called(t, "chainer.datasets.get_cifar10", []any{folder}, nil)
	expect(t, "labels", r.Values[1], dtype.Int32, 0, 1, 2, 3, 4)
	r = called(t, "chainer.datasets.get_cifar100", []any{folder}, nil)
	expect(t, "labels", r.Values[3], dtype.Int32, 2)
	p := called(t, "chainer.datasets.get_ptb_words", []any{folder}, nil).Values[0].(*data.PTB)
	expect(t, "words", p.Valid, dtype.Int32, 1, 3, 2)
	words := called(t, "chainer.datasets.get_ptb_words_vocabulary", []any{p.Words}, nil).Values[0].(map[string]int)
	if len(words) != 4 || words["c"] != 3 {
		t.Errorf("%v", words)
	}
}

func TestBatchesByName(t *testing.T) {
	ref, err := device.Get("ref")
	if err != nil {
		t.Fatal(err)
	}
	x := vector(1, 2)
	if y := called(t, "chainer.dataset.to_device", []any{nil, x}, nil).Values[0]; y != x {
		t.Errorf("no device: %v", y)
	}
	if y := called(t, "chainer.dataset.to_device", []any{ref, x}, nil).Values[0].(*nd.Array); y.Device() != ref {
		t.Errorf("on %v", y.Device())
	}
	for _, c := range []struct{ batch, padding any }{
		{[]any{x, []*nd.Array{x}}, nil},
		{[]any{x, x}, "zero"},
		{[]any{[]*nd.Array{x}}, []any{"zero"}},
		{[]any{map[string]*nd.Array{"x": x}}, map[string]any{"x": "zero"}},
	} {
		if r, err := catalogue.Call("chainer.dataset.concat_examples", []any{c.batch}, map[string]any{"padding": c.padding}); err == nil {
			t.Errorf("%v with padding %v gives %v", c.batch, c.padding, r.Values)
		}
	}
}
