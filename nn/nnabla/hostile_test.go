package nnabla_test

import (
	"archive/zip"
	"bytes"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/nnabla"
	"github.com/ndgrad/ndgrad/nn/optim"
)

// zipOf makes an .nnp of the given members, in turn a name and its bytes.
func zipOf(t testing.TB, members ...string) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(members); i += 2 {
		w, err := z.Create(members[i])
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, members[i+1]); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestMalformedFilesNeedLittleMemory reads files that claim to be larger than they are.
func TestMalformedFilesNeedLittleMemory(t *testing.T) {
	const fields = 1 << 20
	overlapping := zipOf(t, "parameter.protobuf", "", "rest.bin", strings.Repeat("a", 1<<10))
	for name, data := range map[string][]byte{
		"swollen.nnp":         zipOf(t, "parameter.protobuf", strings.Repeat("\x00", 64<<20)),
		"swollen_text.nnp":    zipOf(t, "network.nntxt", strings.Repeat("a:1 ", 2<<20)),
		"many_fields.nntxt":   bytes.Repeat([]byte("a:1 "), fields),
		"many_messages.nntxt": bytes.Repeat([]byte("a{}"), fields),
		"nested.nntxt":        bytes.Repeat([]byte("a{"), fields),
		"parameters.protobuf": bytes.Repeat([]byte{0xc2, 0x0c, 0x00}, fields),
		"length.protobuf":     {0xc2, 0x0c, 0xff, 0xff, 0xff, 0xff, 0x07},
		"cut.nnp":             overlapping[:len(overlapping)-5],
	} {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		s := nn.NewScope()
		err := nnabla.LoadParameters(path, s)
		runtime.ReadMemStats(&after)
		if err == nil || len(s.Names()) > 0 {
			t.Errorf("%s was read: %q", name, s.Names())
		}
		// All allocations together, so that the peak is lower.
		if used, limit := after.TotalAlloc-before.TotalAlloc, uint64(64<<20+40*len(data)); used > limit {
			t.Errorf("%s of %d bytes: %d bytes were allocated, more than %d", name, len(data), used, limit)
		}
	}
}

// TestDamagedFiles changes bytes of good files: whatever comes out, nothing panics.
func TestDamagedFiles(t *testing.T) {
	folder := t.TempDir()
	s := example()
	opt := optim.NewAdam()
	states := trainedBy(opt)
	for _, format := range formats {
		path := filepath.Join(folder, "p"+format)
		if err := nnabla.SaveParameters(path, s); err != nil {
			t.Fatal(err)
		}
		damage(t, path, func() error { return nnabla.LoadParameters(path, nn.NewScope()) })
	}
	for _, format := range []string{".h5", ".protobuf"} {
		path := filepath.Join(folder, "s"+format)
		if err := nnabla.SaveStates(path, opt, states); err != nil {
			t.Fatal(err)
		}
		damage(t, path, func() error { return nnabla.LoadStates(path, optim.NewAdam(), states) })
	}
}

func damage(t *testing.T, path string, load func() error) {
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for k := range 100 {
		data := bytes.Clone(good)
		if k%3 == 0 {
			data = data[:rng.IntN(len(data))]
		} else {
			for range 1 + rng.IntN(4) {
				data[rng.IntN(len(data))] = byte(rng.Uint32())
			}
		}
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		_ = load()
	}
}

// fuzzed loads bytes as a file of an extension, by every reader that takes it.
func fuzzed(f *testing.F, extension string) {
	path := filepath.Join(f.TempDir(), "fuzz"+extension)
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		s := nn.NewScope()
		if nnabla.LoadParameters(path, s) == nil {
			again := filepath.Join(t.TempDir(), "again.protobuf")
			if err := nnabla.SaveParameters(again, s); err != nil && !strings.Contains(err.Error(), "complex") {
				t.Fatal(err)
			}
			if err := nnabla.LoadParameters(again, nn.NewScope()); err != nil {
				t.Fatal(err)
			}
		}
		if extension == ".protobuf" {
			_ = nnabla.LoadStates(path, optim.NewAdam(), nn.NewScope())
		}
		m, err := nnabla.Load(path)
		if err != nil {
			return
		}
		inputs := map[string]*nd.Array{}
		for _, in := range m.Inputs() {
			size := 1
			for _, n := range in.Shape {
				if size *= max(n, 1); size > 1<<10 {
					return
				}
			}
			shape := make([]int, len(in.Shape))
			for k, n := range in.Shape {
				if shape[k] = n; n < 0 {
					shape[k] = 2
				}
			}
			inputs[in.Name] = nd.Ones(shape)
		}
		for _, n := range m.Nodes() {
			switch n.Type { // their results may be as large as they want
			case "Constant", "Arange", "Linspace", "Broadcast", "Tile", "Pad", "OneHot", "ScatterNd", "Interpolate", "Unpooling", "AffineGrid", "Meshgrid",
				"MatrixDiag", "FFT", "IFFT", "STFT", "ISTFT", "RoiAlign", "PadPackedSequence", "Deconvolution", "DepthwiseDeconvolution", "Convolution",
				"PatchCorrelation", "MaxPooling", "AveragePooling", "SumPooling", "Stack", "Concatenate", "SpectralNorm", "Shift":
				return
			}
		}
		_ = nd.Catch(func() { m.Call(inputs) })
	})
}

func FuzzText(f *testing.F) {
	for _, text := range []string{batchOfAnySize, two, trained, of("Slice", "slice_param { start: 0 stop: 1 step: 1 }", 1, 1)} {
		f.Add([]byte(text))
	}
	fuzzed(f, ".nntxt")
}

func FuzzBinary(f *testing.F) {
	for _, name := range []string{"model.protobuf", "adam_states.protobuf"} {
		if data, err := os.ReadFile(filepath.Join(*goldenDir, "nnabla_files", name)); err == nil {
			f.Add(data)
		}
	}
	fuzzed(f, ".protobuf")
}

func FuzzNNP(f *testing.F) {
	f.Add(zipOf(f, "network.nntxt", trained, "parameter.protobuf", "\xc2\x0c\x0d\x0a\x01v\xa2\x06\x04\x00\x00\x80\x3f\xa8\x06\x01"))
	for _, name := range []string{"lenet.nnp", "mlp_batch.nnp"} {
		if data, err := os.ReadFile(filepath.Join(*goldenDir, "files", "nnp", name)); err == nil {
			f.Add(data)
		}
	}
	fuzzed(f, ".nnp")
}
