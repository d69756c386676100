package data_test

import (
	"encoding/json"
	"errors"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nn/data"
)

// recorded is an array in a file of Chainer's results.
type recorded struct {
	DType  string
	Shape  []int
	Values []float64
}

func (r recorded) compare(t *testing.T, what string, x *nd.Array) {
	t.Helper()
	equal(t, what, x.DType().String(), r.DType)
	same(t, what, x, r.Shape, r.Values...)
}

// TestImagesAreChainers compares images with Chainer's results for the same files.
func TestImagesAreChainers(t *testing.T) {
	const folder = "../../../shared/golden/chainer_files/images"
	text, err := os.ReadFile(filepath.Join(folder, "images.json"))
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("%s is absent", folder)
	}
	var want struct {
		ImageDataset        []recorded
		LabeledImageDataset []struct{ Image, Label recorded }
	}
	if err := errors.Join(err, json.Unmarshal(text, &want)); err != nil {
		t.Fatal(err)
	}
	paths, err := data.ListImages(filepath.Join(folder, "list.txt"))
	pairs, err2 := data.ListLabeledImages(filepath.Join(folder, "pairs.txt"))
	if err := errors.Join(err, err2); err != nil || len(paths) != len(want.ImageDataset) || len(pairs) != len(want.LabeledImageDataset) {
		t.Fatal(paths, pairs, err)
	}
	for i, x := range all(t, data.Images(paths, data.ImageOptions{Root: folder})) {
		want.ImageDataset[i].compare(t, paths[i], x)
	}
	for i, pair := range all(t, data.LabeledImages(pairs, data.ImageOptions{Root: folder})) {
		want.LabeledImageDataset[i].Image.compare(t, pairs[i].Path, pair[0])
		want.LabeledImageDataset[i].Label.compare(t, pairs[i].Path, pair[1])
	}
}

// drawn writes an image file.
func drawn(t *testing.T, path string, img image.Image, encode func(io.Writer, image.Image) error) {
	t.Helper()
	f, err := os.Create(path)
	if err == nil {
		err = errors.Join(encode(f, img), f.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestImages(t *testing.T) {
	folder := t.TempDir()
	at := func(name string) string { return filepath.Join(folder, name) }
	r := image.Rect(0, 0, 2, 1)
	gray, deep := image.NewGray(r), image.NewGray16(r)
	gray.SetGray(1, 0, color.Gray{Y: 200})
	deep.SetGray16(1, 0, color.Gray16{Y: 60000})
	clear := image.NewNRGBA(r)
	clear.SetNRGBA(1, 0, color.NRGBA{R: 200, G: 100, B: 50, A: 128})
	red, blue := color.RGBA{R: 255, A: 255}, color.RGBA{B: 255, A: 255}
	few := image.NewPaletted(r, color.Palette{red, blue})
	few.SetColorIndex(1, 0, 1)
	holes := image.NewPaletted(r, color.Palette{red, color.Transparent})
	holes.SetColorIndex(1, 0, 1)
	asGIF := func(w io.Writer, img image.Image) error { return gif.Encode(w, img, nil) }
	asJPEG := func(w io.Writer, img image.Image) error { return jpeg.Encode(w, img, nil) }
	drawn(t, at("gray.png"), gray, png.Encode)
	drawn(t, at("deep.png"), deep, png.Encode)
	drawn(t, at("clear.png"), clear, png.Encode)
	drawn(t, at("few.png"), few, png.Encode)
	drawn(t, at("few.gif"), few, asGIF)
	drawn(t, at("holes.png"), holes, png.Encode)
	drawn(t, at("gray.jpg"), gray, asJPEG)
	drawn(t, at("colours.jpg"), image.NewRGBA(image.Rect(0, 0, 3, 2)), asJPEG)
	for _, c := range []struct {
		name  string
		shape []int
		want  []float64
	}{
		{"gray.png", []int{1, 1, 2}, []float64{0, 200}},
		{"deep.png", []int{1, 1, 2}, []float64{0, 60000}},
		{"clear.png", []int{4, 1, 2}, []float64{0, 200, 0, 100, 0, 50, 0, 128}},
		{"few.png", []int{3, 1, 2}, []float64{255, 0, 0, 0, 0, 255}},
		{"few.gif", []int{3, 1, 2}, []float64{255, 0, 0, 0, 0, 255}},
		{"holes.png", []int{4, 1, 2}, []float64{255, 0, 0, 0, 0, 0, 255, 0}},
		{"colours.jpg", []int{3, 2, 3}, make([]float64, 18)},
	} {
		same(t, c.name, all(t, data.Images([]string{c.name}, data.ImageOptions{Root: folder}))[0], c.shape, c.want...)
	}
	equal(t, "gray.jpg", all(t, data.Images([]string{at("gray.jpg")}))[0].Shape(), []int{1, 1, 2})
	pair := all(t, data.LabeledImages([]data.LabeledImage{{"gray.png", 3}}, data.ImageOptions{Root: folder, DType: dtype.Float64, LabelDType: dtype.Int64}))[0]
	if pair[0].DType() != dtype.Float64 || pair[1].DType() != dtype.Int64 || pair[1].Rank() != 0 || pair[1].Float() != 3 {
		t.Errorf("%v", pair)
	}
	if err := os.WriteFile(at("text.png"), []byte("text"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"text.png", "missing.png"} {
		if _, err := data.Images([]string{at(name)}).At(0); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	if _, err := data.LabeledImages([]data.LabeledImage{{at("missing.png"), 0}}).At(0); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error %v", err)
	}
}

func TestListsOfImages(t *testing.T) {
	path := filepath.Join(t.TempDir(), "list.txt")
	write := func(text string) {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("a b.png\r\n\n c.png")
	paths, err := data.ListImages(path)
	equal(t, "paths", paths, []string{"a b.png", "c.png"})
	write("a.png 3\nb.png\t-1\n\n")
	pairs, err2 := data.ListLabeledImages(path)
	equal(t, "pairs", pairs, []data.LabeledImage{{"a.png", 3}, {"b.png", -1}})
	if err := errors.Join(err, err2); err != nil {
		t.Error(err)
	}
	for text, want := range map[string]string{"a.png 1\nb c.png 2": "line 2", "a.png x": "whole number", "a.png": "a path and a label"} {
		write(text)
		if _, err := data.ListLabeledImages(path); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "list.txt") {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
	if _, err := data.ListImages(path + ".no"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error %v", err)
	}
}
