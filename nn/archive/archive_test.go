package archive_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nn/archive"
)

// state has a value of every kind.
type state struct {
	steps   int
	rate    float64
	done    bool
	note    string
	order   []int
	weights *nd.Array
	best    *nd.Array // nil at first
	rng     *nd.Rand
}

func newState() *state {
	return &state{weights: nd.FromSlice([]float32{1, 2, 3}), rng: nd.NewRand(4)}
}

func (s *state) Archive(a *archive.Archive) {
	a.Int("steps", &s.steps)
	a.Float("rate", &s.rate)
	a.Bool("done", &s.done)
	a.Text("note", &s.note)
	a.Ints("order", &s.order)
	part := a.Sub("model")
	part.Array("weights", s.weights)
	part.NewArray("best", &s.best)
	a.Object("rng", archive.Stream(s.rng))
}

// moved returns a state that differs from a new one in every value.
func moved() *state {
	s := newState()
	s.steps, s.rate, s.done, s.note, s.order = -3, 0.1, true, "é\n\t日本", []int{2, 0, 1}
	s.weights = nd.FromSlice([]float32{4, 5, 6})
	s.best = nd.Zeros([]int{2, 0})
	s.rng.Uint64()
	return s
}

func (s *state) equals(t *testing.T, want *state) {
	t.Helper()
	same := s.steps == want.steps && s.rate == want.rate && s.done == want.done && s.note == want.note && cmp.Equal(s.order, want.order) &&
		cmp.Equal(nd.ToSlice[float32](s.weights), nd.ToSlice[float32](want.weights)) && (s.best == nil) == (want.best == nil) &&
		s.rng.Uint64() == want.rng.Uint64()
	if !same {
		t.Errorf("restored %+v, want %+v", s, want)
	}
}

var extensions = []string{".npz", ".safetensors", ".h5", ".pt"}

func TestThereAndBack(t *testing.T) {
	for _, extension := range extensions {
		dir := t.TempDir()
		first, second := filepath.Join(dir, "a"+extension), filepath.Join(dir, "b"+extension)
		if err := archive.Save(first, moved()); err != nil {
			t.Fatal(err)
		}
		s := newState()
		if err := archive.Load(first, s); err != nil {
			t.Fatal(err)
		}
		if err := archive.Save(second, s); err != nil {
			t.Fatal(err)
		}
		a, _ := os.ReadFile(first)
		if b, _ := os.ReadFile(second); len(a) == 0 || !bytes.Equal(a, b) {
			t.Errorf("%s: what was restored is saved as other bytes", extension)
		}
		s.equals(t, moved())
	}
}

func TestCompressedIsSmallerAndTheSame(t *testing.T) {
	for _, name := range []string{"a.npz", "a.h5"} {
		path := filepath.Join(t.TempDir(), name)
		big := archive.Func(func(a *archive.Archive) { a.Array("x", nd.Zeros([]int{10_000})) })
		if err := archive.Save(path, big, archive.SaveOptions{Compress: true}); err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(path); err != nil || info.Size() > 10_000 {
			t.Errorf("%v, %v", info, err)
		}
		if err := archive.Load(path, big); err != nil {
			t.Error(err)
		}
	}
}

// A failure, even at the last value, leaves everything unchanged.
func TestNothingIsHalfRestored(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.npz")
	if err := archive.Save(path, moved()); err != nil {
		t.Fatal(err)
	}
	var n int
	var f float64
	var b bool
	var text string
	var list []int
	for want, last := range map[string]func(a *archive.Archive){
		`"missing" is missing`:              func(a *archive.Archive) { a.Int("missing", &n) },
		`"rate" is float64()`:               func(a *archive.Archive) { a.Int("rate", &n) },
		`"done" is bool()`:                  func(a *archive.Archive) { a.Float("done", &f) },
		`"steps" is int64()`:                func(a *archive.Archive) { a.Bool("steps", &b) },
		`"steps" is an array, want a text`:  func(a *archive.Archive) { a.Text("steps", &text) },
		`"note" is a text, want an array`:   func(a *archive.Archive) { a.Int("note", &n) },
		`"model/weights" is float32(3,)`:    func(a *archive.Archive) { a.Ints("model/weights", &list) },
		`"order" has shape (3,), want (4,)`: func(a *archive.Archive) { a.Array("order", nd.Zeros([]int{4})) },
		`"rate" has dtype float64`:          func(a *archive.Archive) { a.Array("rate", nd.Zeros(nil, dtype.Int32)) },
		"it does not like this":             func(a *archive.Archive) { a.Sub("x").Fail(errors.New("it does not like this")) },
	} {
		s := newState()
		err := archive.Load(path, archive.Func(func(a *archive.Archive) {
			s.Archive(a)
			last(a)
		}))
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "a.npz") {
			t.Errorf("error %v, want %q and the file's name", err, want)
		}
		s.equals(t, newState())
	}
}

func TestWhatNobodyAsksForIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.npz")
	if err := archive.Save(path, moved()); err != nil {
		t.Fatal(err)
	}
	x := nd.FromSlice([]float64{0, 0, 0})
	weights := archive.Func(func(a *archive.Archive) { a.Array("weights", x) })
	if err := archive.Load(path, weights, archive.LoadOptions{Prefix: "model"}); err == nil || !strings.Contains(err.Error(), `nothing here is called "model/best"`) {
		t.Errorf("error %v", err)
	}
	if err := archive.Load(path, weights, archive.LoadOptions{Prefix: "/model/", Lenient: true}); err != nil || x.Float(2) != 6 {
		t.Errorf("%v, %v", x, err)
	}
	other := newState()
	more := archive.Func(func(a *archive.Archive) {
		other.Archive(a)
		a.Float("momentum", &other.rate)
	})
	if err := archive.Load(path, more, archive.LoadOptions{Lenient: true}); err != nil {
		t.Error(err)
	}
	other.equals(t, moved())
}

func TestSaveRefuses(t *testing.T) {
	dir := t.TempDir()
	n := 1
	for want, o := range map[string]archive.Func{
		`two values "a/n"`: func(a *archive.Archive) { a.Sub("a").Int("n", &n); a.Int("a/n", &n) },
		"a: it is broken":  func(a *archive.Archive) { a.Sub("a").Fail(errors.New("it is broken")) },
	} {
		if err := archive.Save(filepath.Join(dir, "a.npz"), o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	both := archive.Func(func(a *archive.Archive) { a.Int("a", &n); a.Int("a/n", &n) })
	if err := archive.Save(filepath.Join(dir, "a.h5"), both); err == nil || !strings.Contains(err.Error(), `"a" is no group`) {
		t.Errorf("a value that is a folder: error %v", err)
	}
	for _, name := range []string{"a.hdf", "a.npz.txt"} {
		if err := archive.Save(filepath.Join(dir, name), newState()); err == nil || !strings.Contains(err.Error(), ".npz, .safetensors, .h5, .pt or .pth") {
			t.Errorf("%s: error %v", name, err)
		}
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 0 {
		t.Errorf("left %v", entries)
	}
	if err := archive.Load(filepath.Join(dir, "a.npz"), newState()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error %v, want one that is fs.ErrNotExist", err)
	}
}

// TestHDF5OfOthers reads what other programs may put beside the values.
func TestHDF5OfOthers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.h5")
	create := func(more func(f *nd.HDF5Writer) error) {
		t.Helper()
		if err := nd.CreateHDF5(path, func(f *nd.HDF5Writer) error {
			return errors.Join(f.Write("a/x", nd.FromSlice([]float32{1, 2})), f.Group("empty"), f.WriteNull("none"), f.Attribute("a", "index", nd.Scalar(3)), more(f))
		}); err != nil {
			t.Fatal(err)
		}
	}
	x := nd.Zeros([]int{2})
	state := archive.Func(func(a *archive.Archive) { a.Sub("a").Array("x", x) })
	create(func(*nd.HDF5Writer) error { return nil })
	if err := archive.Load(path, state); err != nil || x.Float(1) != 2 {
		t.Errorf("%v, %v", x, err)
	}
	create(func(f *nd.HDF5Writer) error {
		return f.WriteStrings("names", nd.Strings{Shape: []int{2}, Values: []string{"a", "b"}})
	})
	if err := archive.Load(path, state); err == nil || !strings.Contains(err.Error(), `"names": is 2 texts`) {
		t.Errorf("two texts: error %v", err)
	}
}

// FuzzLoad checks that a file is restored completely, or refused with everything unchanged; Load never panics.
func FuzzLoad(f *testing.F) {
	for i, extension := range extensions {
		path := filepath.Join(f.TempDir(), "seed"+extension)
		if err := archive.Save(path, moved()); err != nil {
			f.Fatal(err)
		}
		whole, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		for _, n := range []int{len(whole), len(whole) / 2, 0} {
			f.Add(whole[:n], uint(i))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, format uint) {
		path := filepath.Join(t.TempDir(), "a"+extensions[format%uint(len(extensions))])
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		s := newState()
		if archive.Load(path, s) != nil {
			s.equals(t, newState())
		}
	})
}
