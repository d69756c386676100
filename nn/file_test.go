package nn_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/initializer"
)

func TestSaveOfASubScope(t *testing.T) {
	path := filepath.Join(t.TempDir(), "encoder.npz")
	s := nn.NewScope()
	s.Parameter("encoder/w", []int{2}, initializer.Constant(3), true)
	s.Parameter("decoder/w", []int{1}, nil, true)
	if err := nn.Save(path, s.Sub("encoder")); err != nil {
		t.Fatal(err)
	}
	other := nn.NewScope()
	if err := nn.Load(path, other.Sub("part/encoder")); err != nil {
		t.Fatal(err)
	}
	if got := other.Names(); !cmp.Equal(got, []string{"part/encoder/w"}) || floats(other.Get(got[0]))[1] != 3 {
		t.Errorf("loaded %q", got)
	}
}

func TestSaveReplacesTheFileWholeOrNotAtAll(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "model.npz")
	s := nn.NewScope()
	s.Parameter("w", []int{2}, initializer.Constant(1), true)
	for range 2 {
		if err := nn.Save(path, s); err != nil {
			t.Fatal(err)
		}
	}
	if entries, _ := os.ReadDir(folder); len(entries) != 1 {
		t.Errorf("the folder holds %v", entries)
	}
	if err := nn.Save(filepath.Join(folder, "nowhere", "model.npz"), s); err == nil {
		t.Error("saved into a folder that does not exist")
	}
}

func TestLoadRefuses(t *testing.T) {
	ones := func(shape ...int) *nd.Array { return nd.Ones(shape, dtype.Float32) }
	for _, c := range []struct {
		name  string
		file  []nd.Named
		want  string
		empty bool // load into a scope without parameters
	}{
		{name: "missing", file: []nd.Named{{Name: "w", Array: ones(2)}}, want: `"b" is missing`},
		{name: "extra", file: []nd.Named{{Name: "w", Array: ones(2)}, {Name: "b", Array: ones(1)}, {Name: "c", Array: ones(1)}}, want: `nothing here is called "c"`},
		{name: "misspelt", file: []nd.Named{{Name: "w", Array: ones(2)}, {Name: "bias", Array: ones(1)}}, want: "\"b\" is missing\nnothing here is called \"bias\""},
		{name: "shape and extra", file: []nd.Named{{Name: "w", Array: ones(3)}, {Name: "b", Array: ones(1)}, {Name: "c", Array: ones(1)}},
			want: "shape (3,), want (2,)\nnothing here is called \"c\""},
		{name: "shape", file: []nd.Named{{Name: "w", Array: ones(2)}, {Name: "b", Array: ones(1, 1)}}, want: "shape (1, 1), want (1,)"},
		{name: "dtype", file: []nd.Named{{Name: "w", Array: ones(2)}, {Name: "b", Array: ones(1).AsType(dtype.Complex64)}}, want: "dtype complex64"},
		{name: "tree", file: []nd.Named{{Name: "a/b/c", Array: ones(1)}, {Name: "a/b", Array: ones(1)}}, want: "both a parameter and the scope", empty: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "model.npz")
			if err := nd.SaveNpz(path, c.file, false); err != nil {
				t.Fatal(err)
			}
			s := nn.NewScope()
			if !c.empty {
				s.Parameter("w", []int{2}, initializer.Constant(7), true)
				s.Parameter("b", []int{1}, initializer.Constant(7), true)
			}
			err := nn.Load(path, s)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
			for name, p := range s.All() {
				if c.empty || floats(p.Value())[0] != 7 {
					t.Errorf("%q changed although the file was refused", name)
				}
			}
		})
	}
}

// A scope that was filled from a file accepts no other parameters: otherwise a misspelt name would use initial values.
func TestLoadCloses(t *testing.T) {
	for _, extension := range []string{".npz", ".safetensors", ".h5"} {
		path := filepath.Join(t.TempDir(), "model"+extension)
		x, stored := images(2), nn.NewScope()
		want := floats(imageNet(stored, x))
		if err := nn.Save(path, stored); err != nil {
			t.Fatal(err)
		}
		s := nn.NewScope()
		if err := nn.Load(path, s); err != nil {
			t.Fatal(err)
		}
		if !cmp.Equal(s.Names(), stored.Names()) || !cmp.Equal(floats(imageNet(s, x)), want) {
			t.Errorf("%s: the network has another result with the parameters %q", extension, s.Names())
		}
		refused(t, `"fc2/affine/W" is not among the parameters that model`+extension+` brought`, func() { nn.Affine(s.Sub("fc2"), x, 3) })
		doubles := nn.NewScope(nn.ScopeOptions{DType: dtype.Float64})
		if err := nn.Load(path, doubles); err != nil || doubles.Get("fc/affine/W").DType() != dtype.Float64 {
			t.Errorf("%s: into a scope of float64: %v", extension, err)
		}
	}
}

func TestLoadOfHostileFiles(t *testing.T) {
	folder := t.TempDir()
	good := filepath.Join(folder, "good.npz")
	s := nn.NewScope()
	s.Parameter("w", []int{3}, initializer.Constant(7), true)
	if err := nn.Save(good, s); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(good)
	if err != nil {
		t.Fatal(err)
	}
	check := func(data []byte) error {
		path := filepath.Join(folder, "hostile.npz")
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		return nn.Load(path, s)
	}
	for n := range whole {
		if check(whole[:n]) == nil {
			t.Fatalf("the first %d of %d bytes were accepted", n, len(whole))
		}
	}
	for k := range whole {
		bad := append([]byte{}, whole...)
		bad[k] ^= 0x41
		_ = check(bad) // an error, or success if the bytes do not matter, but never a panic
	}
	if err := nn.Load(filepath.Join(folder, "nowhere.npz"), s); err == nil {
		t.Error("loaded a file that does not exist")
	}
	if got := floats(s.Get("w")); got[0] != 7 {
		t.Errorf("the parameter became %v", got)
	}
}
