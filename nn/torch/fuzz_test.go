package torch_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn/torch"
)

// FuzzLoad checks that no file makes the functions panic, and that a refused file changes nothing.
func FuzzLoad(f *testing.F) {
	whole, err := os.ReadFile(checkpoint)
	if err != nil {
		f.Fatal(err)
	}
	dir := f.TempDir()
	s := newNetwork()
	if err := torch.Save(filepath.Join(dir, "a.safetensors"), s, torch.Options{Prefix: "model", Modules: modules}); err != nil {
		f.Fatal(err)
	}
	second, err := os.ReadFile(filepath.Join(dir, "a.safetensors"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole, false)
	f.Add(whole[:len(whole)/2], false)
	f.Add(second, true)
	f.Fuzz(func(t *testing.T, data []byte, safetensors bool) {
		path := filepath.Join(t.TempDir(), "a.pt")
		if safetensors {
			path = filepath.Join(t.TempDir(), "a.safetensors")
		}
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		s := newNetwork()
		bias := s.Get("fc/affine/b")
		bias.Assign(nd.Scalar(5))
		if torch.Load(path, s, torch.Options{Prefix: "model", Modules: modules}) != nil && bias.Float(0) != 5 {
			t.Error("a refused file has changed the scope")
		}
		if opt, err := torch.LoadOptimizer(path, s, torch.Options{Prefix: "optimizer", Modules: modules, Model: "model"}); (opt == nil) == (err == nil) {
			t.Errorf("%v, %v", opt, err)
		}
	})
}
