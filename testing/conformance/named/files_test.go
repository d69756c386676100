package named_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
)

// TestArrayFiles checks the files that are written against what their formats demand, and reads them again.
func TestArrayFiles(t *testing.T) {
	folder := t.TempDir()
	x, y := vector(1, 2, 3, 4).Reshape(2, 2), nd.FromSlice([]int32{5, 6})
	npy := filepath.Join(folder, "x.npy")
	call(t, "cupy.save", npy, x)
	data, err := os.ReadFile(npy)
	if err != nil || len(data) != 128+4*8 || string(data[:8]) != "\x93NUMPY\x01\x00" {
		t.Errorf("an .npy file of %d bytes: %v", len(data), err)
	}
	equal(t, "the array of the .npy file", one[*nd.Array](t, "cupy.load", npy), x)
	refused(t, "no such file", "cupy.load", filepath.Join(folder, "none.npy"))

	zeros := nd.Zeros([]int{1000})
	sizes := map[string]int64{}
	for _, name := range []string{"cupy.savez", "cupy.savez_compressed"} {
		path := filepath.Join(folder, name+".npz")
		call(t, name, path, x, y, zeros)
		read, err := nd.LoadNpz(path)
		if err != nil || len(read) != 3 || read[0].Name != "arr_0" || read[1].Name != "arr_1" {
			t.Fatalf("%s: %v, %v", name, read, err)
		}
		equal(t, name+": arr_0", read[0].Array, x)
		equal(t, name+": arr_1", read[1].Array, y)
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		sizes[name] = info.Size()
	}
	if sizes["cupy.savez"] < 8000 || sizes["cupy.savez_compressed"] > 2000 {
		t.Errorf("sizes %v, of which 8000 bytes are zeros", sizes)
	}
}
