package named_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn/archive"
)

// layerOf names an array "layer/W", and a number "layer/n".
func layerOf(t *testing.T, w *nd.Array, n *int) archive.Object {
	return archive.Func(func(a *archive.Archive) {
		layer := one[*archive.Archive](t, "chainer.AbstractSerializer.__getitem__", a, "layer")
		call(t, "chainer.AbstractSerializer.__call__", layer, "W", w)
		layer.Int("n", n)
	})
}

// TestChainerSerializers writes a file in every way, and reads each in every way.
func TestChainerSerializers(t *testing.T) {
	folder, n := t.TempDir(), 7
	var paths []string
	written := func(name string, args func(path string, o archive.Object) []any) {
		t.Helper()
		path := filepath.Join(folder, name+".npz")
		call(t, name, args(path, layerOf(t, vector(1, 2, 3), &n))...)
		arrays, err := nd.LoadNpz(path)
		if err != nil || len(arrays) != 2 || arrays[0].Name != "layer/W" || arrays[1].Name != "layer/n" {
			t.Fatalf("%s wrote %v: %v", name, arrays, err)
		}
		equal(t, name, arrays[0].Array, []float64{1, 2, 3})
		paths = append(paths, path)
	}
	pathFirst := func(path string, o archive.Object) []any { return []any{path, o} }
	written("chainer.AbstractSerializer", pathFirst)
	written("chainer.Serializer", pathFirst)
	written("chainer.Serializer.save", pathFirst)
	written("chainer.serializers.save_npz", pathFirst)
	written("chainer.serializers.DictionarySerializer", func(path string, o archive.Object) []any { return []any{o, path} })

	read := func(name string) {
		t.Helper()
		for _, path := range paths {
			w, n := vector(0, 0, 0), 0
			call(t, name, path, layerOf(t, w, &n))
			equal(t, name+" of "+filepath.Base(path), w, []float64{1, 2, 3})
			equal(t, name+" of "+filepath.Base(path), n, 7)
		}
		refused(t, `layer: "W" has shape (3,), want (2,)`, name, paths[0], layerOf(t, vector(0, 0), &n)) // another shape
	}
	read("chainer.Deserializer")
	read("chainer.Deserializer.load")
	read("chainer.serializers.load_npz")
	read("chainer.serializers.NpzDeserializer")
}

// TestChainerNpzDeserializer reads a part of a file, and a file that lacks values.
func TestChainerNpzDeserializer(t *testing.T) {
	path := filepath.Join(t.TempDir(), "part.npz")
	if err := nd.SaveNpz(path, []nd.Named{{Name: "model/W", Array: vector(1, 2)}, {Name: "other/W", Array: vector(3)}}, false); err != nil {
		t.Fatal(err)
	}
	w, b := vector(0, 0), vector(5)
	parts := archive.Func(func(a *archive.Archive) {
		a.Array("W", w)
		a.Array("b", b)
	})
	refused(t, "b", "chainer.serializers.NpzDeserializer", path, parts, "model")
	equal(t, "W after a refusal", w, []float64{0, 0})
	call(t, "chainer.serializers.NpzDeserializer", path, parts, with{"path": "model", "strict": false})
	equal(t, "W", w, []float64{1, 2})
	equal(t, "b, which the file lacks,", b, []float64{5})
}

func TestChainerCompression(t *testing.T) {
	size := func(compression bool) int64 {
		path := filepath.Join(t.TempDir(), "zeros.npz")
		n := 0
		call(t, "chainer.serializers.save_npz", path, layerOf(t, nd.Zeros([]int{10000}), &n), with{"compression": compression})
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		return info.Size()
	}
	if small, large := size(true), size(false); small > 2000 || large < 80000 {
		t.Errorf("%d bytes compressed, %d bytes otherwise", small, large)
	}
}

// TestChainerHDF5 writes files in both ways, and reads each in both ways.
func TestChainerHDF5(t *testing.T) {
	folder, n := t.TempDir(), 7
	for _, save := range []string{"chainer.serializers.save_hdf5", "chainer.serializers.HDF5Serializer"} {
		path := filepath.Join(folder, save+".h5")
		call(t, save, path, layerOf(t, vector(1, 2, 3), &n))
		arrays, err := nd.LoadHDF5(path)
		if err != nil || len(arrays) != 2 || arrays[0].Name != "layer/W" || arrays[1].Name != "layer/n" {
			t.Fatalf("%s wrote %v: %v", save, arrays, err)
		}
		equal(t, save, arrays[0].Array, []float64{1, 2, 3})
		for _, load := range []string{"chainer.serializers.load_hdf5", "chainer.serializers.HDF5Deserializer"} {
			w, read := vector(0, 0, 0), 0
			call(t, load, path, layerOf(t, w, &read))
			equal(t, load, w, []float64{1, 2, 3})
			equal(t, load, read, 7)
			refused(t, `"W" has shape (3,), want (2,)`, load, path, layerOf(t, vector(0, 0), &read))
		}
	}
	b := vector(5)
	lacking := archive.Func(func(a *archive.Archive) { a.Array("b", b) })
	refused(t, `"b" is missing`, "chainer.serializers.HDF5Deserializer", filepath.Join(folder, "chainer.serializers.save_hdf5.h5"), lacking)
	call(t, "chainer.serializers.HDF5Deserializer", filepath.Join(folder, "chainer.serializers.save_hdf5.h5"), lacking, with{"strict": false})
	equal(t, "b, which the file lacks,", b, []float64{5})
}
