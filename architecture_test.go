package ndgrad_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/ndgrad/ndgrad/"

// packages are the folders of docs/architecture.md, and what each may import. A folder with a slash at the end includes its
// subfolders. The first entry that matches a folder counts.
var packages = []struct {
	folder string
	may    []string
}{
	{"internal/options", nil},
	{"internal/traced", []string{"nd/broadcast", "device"}},
	{"internal/lending", nil},
	{"internal/wholefile", nil},
	{"nd/dtype", nil},
	{"nd/broadcast", nil},
	{"nd/internal/caller", nil},
	{"nd/internal/npy", []string{"nd/dtype"}},
	{"nd/internal/hdf5", []string{"nd/dtype", "nd/broadcast", "nd/internal/npy"}},
	{"nd/internal/safetensors", []string{"nd/dtype", "nd/broadcast", "nd/internal/npy"}},
	{"nd/internal/mxnet", []string{"nd/dtype", "nd/broadcast", "nd/internal/npy"}},
	{"nd/internal/torch", []string{"nd/dtype", "nd/broadcast", "nd/internal/npy"}},
	{"nd/internal/text", []string{"nd/dtype"}},
	{"nd/internal/table", []string{"nd/dtype", "nd/internal/text"}},
	{"device/internal/scalar/cuda", []string{"device/internal/scalar"}},
	{"device/internal/scalar", []string{"device", "nd/dtype"}},
	{"device/ref", []string{"device", "device/internal/scalar", "nd/dtype", "nd/broadcast"}},
	{"device/cpu", []string{"device", "nd/dtype", "device/cpu/internal/"}},
	{"device/cpu/internal/simd/gen/", []string{"device/cpu/internal/simd/gen/"}},
	{"device/cpu/internal/simd/isa", nil},
	{"device/cpu/internal/simd/clamp", []string{"device", "nd/dtype"}},
	{"device/cpu/internal/simd/", []string{"device/cpu/internal/simd/isa", "device/cpu/internal/simd/clamp", "device", "device/internal/scalar", "nd/dtype"}},
	{"device/cpu/internal/workers", nil},
	{"device/cpu/internal/memory", []string{"internal/lending", "device", "device/internal/scalar"}},
	{"device/cpu/internal/launchtest", []string{"device", "nd/dtype", "nd/broadcast"}},
	{"device/cpu/internal/strided", cpuKernel("memory")},
	{"device/cpu/internal/copying", cpuKernel("memory", "strided", "workers")},
	{"device/cpu/internal/elementwise", cpuKernel("memory", "strided", "workers", "copying")},
	{"device/cpu/internal/reduce", cpuKernel("memory", "strided", "workers", "elementwise")},
	{"device/cpu/internal/scan", cpuKernel("memory", "strided", "workers", "elementwise")},
	{"device/cpu/internal/index", cpuKernel("memory", "strided", "workers", "copying", "elementwise")},
	{"device/cpu/internal/sample", cpuKernel("memory", "strided", "workers", "index")},
	{"device/cpu/internal/matmul", cpuKernel("memory", "strided", "workers", "copying", "elementwise")},
	{"device/cpu/internal/attention", cpuKernel("memory", "strided", "workers", "matmul", "rowops")},
	{"device/cpu/internal/conv", cpuKernel("memory", "strided", "workers", "copying", "elementwise", "matmul")},
	{"device/cpu/internal/blas", cpuKernel("memory", "strided", "workers", "matmul")},
	{"device/cpu/internal/eigen", cpuKernel("memory", "workers", "blas")},
	{"device/cpu/internal/lapack", cpuKernel("memory", "strided", "workers", "matmul", "blas", "eigen")},
	{"device/cpu/internal/", cpuKernel("memory", "strided", "workers")}, // fft, pooling, rng, rowops, sorting
	{"cudaops/internal/drv", nil},
	{"cudaops/kernels", []string{"cudaops/internal/drv", "device"}},
	{"cudaops/internal/gen/opcodes", []string{"cudaops/kernels", "device", "nd/dtype"}},
	{"cudaops/internal/gen/ptx", []string{"cudaops/internal/drv", "cudaops/kernels", "internal/wholefile"}},
	{"cudaops/gpu/figures", []string{"cudaops", "cudaops/internal/drv", "device", "nd", "nd/dtype", "nd/ops", "nd/ops/normalize"}},
	{"cudaops", []string{"cudaops/", "internal/options", "internal/lending", "internal/wholefile", "nd/dtype", "nd/broadcast", "device", "nd"}},
	{"device", []string{"nd/dtype", "nd/broadcast"}},
	{"nd/grad", []string{"nd/dtype", "nd/broadcast", "device", "nd", "nd/ops", "nd/internal/caller"}},
	{"nd/graph", []string{"internal/options", "nd/dtype", "nd", "nd/grad"}},
	{"nd/memvar", []string{"nd"}},
	{"nd/ndimage", []string{"internal/options", "nd/dtype", "device", "nd"}},
	{"nd/ndmat", []string{"nd/dtype", "device", "nd"}},
	{"nd/ndplot", []string{"internal/options", "internal/wholefile", "nd"}},
	{"nd/ops/internal/argument", []string{"nd/dtype", "nd/broadcast", "device", "nd", "nd/ops/internal/ufunc"}},
	{"nd/ops/internal/reduction", []string{"internal/traced", "nd/dtype", "nd/broadcast", "device", "nd", "nd/ops/internal/ufunc"}},
	{"nd/ops/internal/opstest", []string{"nd", "nd/dtype", "nd/grad", "nd/ops", "nd/ops/random"}},
	{"nd/ops/internal/", []string{"internal/traced", "nd/dtype", "nd/broadcast", "device", "nd"}},
	{"nd/ops", []string{"internal/options", "internal/traced", "nd/dtype", "nd/broadcast", "device", "nd", "nd/ops/internal/"}}, // not its other subfolders, which are leaves
	{"nd/ops/random", []string{"internal/options", "nd/dtype", "nd/broadcast", "device", "nd", "nd/ops", "nd/ops/internal/", "nd/ops/linalg", "nd/ops/image"}},
	{"nd/ops/conv", opsFamily("nd/ops/image")},
	{"nd/ops/normalize", opsFamily("nd/ops/conv")},
	{"nd/ops/quantize", opsFamily("nd/ops/conv")},
	{"nd/ops/poly", opsFamily("nd/ops/linalg", "nd/ops/conv")},
	{"nd/ops/", opsFamily()},
	{"nd", []string{"internal/options", "internal/traced", "internal/wholefile", "nd/dtype", "nd/broadcast", "device", "device/cpu", "nd/internal/"}},
	{"nn/archive", []string{"internal/options", "nd/dtype", "nd/broadcast", "nd"}},
	{"nn/data", []string{"internal/options", "nd/dtype", "nd/broadcast", "device", "nd", "nd/ops", "nd/ndimage", "nn/archive"}},
	{"nn/comm/mpi", []string{"internal/options", "nd/dtype", "device", "nd", "nn/comm"}},
	{"nn/comm/nccl", []string{"internal/options", "nd/dtype", "device", "nd", "cudaops", "nn/comm"}},
	{"nn/comm", []string{"internal/options", "nd/dtype", "nd/broadcast", "device", "nd", "nd/ops"}},
	{"nn/initializer", []string{"internal/options", "nd/dtype", "nd/broadcast", "nd", "nd/ops/"}},
	{"nn/internal/wire", nil},
	{"nn/internal/layer", []string{"nd/dtype", "nd/broadcast", "nd", "nd/ops", "nd/ops/conv", "nd/ops/normalize", "nn/initializer"}},
	{"nn/report", []string{"nd", "nn/archive"}},
	{"nn", []string{"internal/options", "nd/dtype", "nd/broadcast", "device", "nd", "nd/ops/", "nd/grad", "nn/archive", "nn/comm", "nn/initializer", "nn/internal/layer"}},
	{"nn/optim", []string{"internal/options", "nd/dtype", "nd/broadcast", "device", "nd", "nd/ops", "nn", "nn/archive", "nn/comm", "nn/internal/layer"}},
	{"nn/quant", []string{"internal/options", "nd/dtype", "nd/broadcast", "nd", "nd/ops/", "nn", "nn/initializer", "nn/archive", "nn/internal/layer"}},
	{"nn/link", []string{"internal/options", "nd/dtype", "nd/broadcast", "nd", "nd/ops/", "nn", "nn/initializer", "nn/report", "nn/internal/layer"}},
	{"nn/model", []string{"nd/dtype", "nd/broadcast", "nd", "nn"}},
	{"nn/nnabla", []string{"internal/options", "internal/wholefile", "nd/dtype", "nd/broadcast", "nd", "nd/ops/", "nn", "nn/initializer", "nn/archive", "nn/optim", "nn/model", "nn/internal/wire"}},
	{"nn/onnx", []string{"internal/options", "internal/traced", "device", "nd/dtype", "nd/broadcast", "nd", "nd/ops/", "nd/grad", "nn", "nn/internal/wire", "nn/model"}},
	{"nn/caffe", []string{"internal/options", "nd/dtype", "nd/broadcast", "nd", "nd/ops/", "nn", "nn/link", "nn/internal/wire", "nn/model"}},
	{"nn/torch", []string{"internal/options", "nd/dtype", "nd/broadcast", "nd", "nd/ops", "nn", "nn/archive", "nn/optim"}},
	{"nn/vision", []string{"internal/options", "nd/dtype", "nd/broadcast", "nd", "nd/ops/", "nd/ndimage", "nn", "nn/initializer", "nn/archive", "nn/link", "nn/caffe"}},
	{"nn/train", []string{"internal/options", "internal/wholefile", "nd/dtype", "nd/broadcast", "nd", "nd/ops/", "nd/grad", "nd/graph", "nd/ndplot", "nn", "nn/comm", "nn/optim", "nn/archive", "nn/data", "nn/report"}},
	{"testing/conformance/catalogue", []string{"cudaops", "internal/options", "nd/", "device/", "nn/", "testing/gradcheck", "testing/assert"}},
	{"testing/conformance/compare", []string{"nd/"}},
	{"testing/conformance/runner", []string{"nd/", "device/", "nn/", "testing/golden", "testing/conformance/catalogue", "testing/conformance/compare"}},
	{"testing/conformance/", []string{"*"}},
	{"testing/conform", []string{"*"}},
	{"testing/gradcheck", []string{"internal/options", "nd/", "device/", "testing/assert"}},
	{"testing/assert", []string{"internal/options", "nd/", "device/"}},
	{"testing/mpi/", []string{"nd/", "device/", "nn/", "testing/mpi/internal/"}},
	{"testing/", []string{"nd/", "device/", "nn/", "testing/golden", "testing/gradcheck", "testing/assert"}},
	{"bench/", []string{"*"}},
	{"examples/", []string{"*"}},
}

// opsFamily returns what a subpackage of nd/ops may import, with the given other subpackages.
func opsFamily(neighbours ...string) []string {
	return append(neighbours, "internal/options", "internal/traced", "nd/dtype", "nd/broadcast", "device", "nd", "nd/ops", "nd/ops/internal/")
}

// cpuKernel returns what a kernel package of device/cpu may import: the families of assembly, and the given neighbours.
func cpuKernel(packages ...string) []string {
	may := []string{"device", "device/internal/scalar", "device/cpu/internal/simd/", "nd/dtype", "nd/broadcast"}
	for _, name := range packages {
		may = append(may, "device/cpu/internal/"+name)
	}
	return may
}

// blankImportsOnly lists imports that are allowed only as blank imports, which register a device.
var blankImportsOnly = map[string]string{"nd": "device/cpu"}

// wireFolder is the only package that imports protobuf, so that programs without files of the formats that need it do not
// carry it.
const wireFolder = "nn/internal/wire"

// puregoFolders are the only packages that import purego, since programs with it are linked dynamically.
var puregoFolders = []string{"nn/comm/mpi", "nn/comm/nccl"}

// TestImportsGoUp reads every file's imports and compares them with the list above.
func TestImportsGoUp(t *testing.T) {
	err := filepath.WalkDir(".", func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && (strings.HasPrefix(entry.Name(), ".") && file != "." || entry.Name() == "testdata") {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return nil
		}
		source, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, source, parser.ImportsOnly)
		if err != nil {
			return err
		}
		folder := filepath.ToSlash(filepath.Dir(file))
		for _, spec := range parsed.Imports {
			imported, _ := strconv.Unquote(spec.Path.Value)
			if strings.HasPrefix(imported, "google.golang.org/protobuf/") && folder != wireFolder {
				t.Errorf("%s imports %s, which only %s may", file, imported, wireFolder)
			}
			if strings.HasPrefix(imported, "github.com/ebitengine/purego") && !slices.Contains(puregoFolders, folder) {
				t.Errorf("%s imports %s, which only %v may", file, imported, puregoFolders)
			}
			if to, ours := strings.CutPrefix(imported, module); ours {
				blank := spec.Name != nil && spec.Name.Name == "_"
				if !allowed(folder, to, blank) {
					t.Errorf("%s imports %s, which docs/architecture.md does not allow", file, to)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func allowed(folder, to string, blank bool) bool {
	if only, ok := blankImportsOnly[folder]; ok && to == only {
		return blank
	}
	if strings.HasPrefix(to, "testing/conformance/") && !strings.HasPrefix(folder, "testing/conform") {
		return false
	}
	for _, p := range packages {
		if !within(p.folder, folder) {
			continue
		}
		return slices.ContainsFunc(p.may, func(may string) bool { return may == "*" || within(may, to) })
	}
	return folder == "."
}

// within reports whether folder is the given one, or lies in it if the given one ends with a slash.
func within(given, folder string) bool {
	if parent, ok := strings.CutSuffix(given, "/"); ok {
		return folder == parent || strings.HasPrefix(folder, given)
	}
	return folder == given
}

// TestPackagesAreDocumented compares the list above with the table in docs/architecture.md: the folders of the table exist, each
// folder of the list is in a row or below one, and a row that ends with "/…" names all subfolders that have no row of their own.
func TestPackagesAreDocumented(t *testing.T) {
	text, err := os.ReadFile("docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "\n| folder | contains | may import |\n| --- | --- | --- |\n")
	table, _, _ = strings.Cut(table, "\n\n")
	rows := map[string]string{} // by the folder, with a slash at the end if it stands for its subfolders
	for row := range strings.SplitSeq(table, "\n") {
		first, _, _ := strings.Cut(strings.TrimPrefix(row, "|"), "|")
		for name := range strings.SplitSeq(first, ",") {
			rows[strings.TrimSuffix(strings.Trim(name, " `"), "…")] = row
		}
	}
	if len(rows) < 30 {
		t.Fatalf("found %d folders in the table", len(rows))
	}
	for folder, row := range rows {
		entries, err := os.ReadDir(filepath.FromSlash(folder))
		if err != nil {
			t.Errorf("docs/architecture.md: %v", err)
		}
		for _, entry := range entries {
			name := entry.Name()
			if !strings.HasSuffix(folder, "/") || !entry.IsDir() || name == "internal" || name == "testdata" || strings.Contains(row, "`"+name+"`") {
				continue
			}
			if rows[folder+name]+rows[folder+name+"/"] == "" {
				t.Errorf("docs/architecture.md: the row of %s… does not name %s", folder, name)
			}
		}
	}
	for _, p := range packages {
		folder := strings.TrimSuffix(p.folder, "/")
		for name := range rows {
			if name = strings.TrimSuffix(name, "/"); folder == name || strings.HasPrefix(folder, name+"/") {
				folder = ""
				break
			}
		}
		if folder != "" {
			t.Errorf("docs/architecture.md has no row for %s", folder)
		}
	}
}

// TestNoAliasesOfInternalTypes refuses exported aliases of internal types: go doc shows nothing of an internal type.
func TestNoAliasesOfInternalTypes(t *testing.T) {
	for _, folder := range []string{"nd", "nn", "device", "testing"} {
		err := filepath.WalkDir(folder, func(file string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") || strings.Contains(filepath.ToSlash(file), "/internal/") {
				return err
			}
			parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			internal := map[string]bool{}
			for _, i := range parsed.Imports {
				if p, _ := strconv.Unquote(i.Path.Value); strings.Contains(p, "/internal/") {
					internal[p[strings.LastIndexByte(p, '/')+1:]] = true
				}
			}
			ast.Inspect(parsed, func(n ast.Node) bool {
				if s, ok := n.(*ast.TypeSpec); ok && s.Assign.IsValid() && s.Name.IsExported() {
					if of, ok := s.Type.(*ast.SelectorExpr); ok && internal[of.X.(*ast.Ident).Name] {
						t.Errorf("%s: %s is an alias of an internal type: write the struct, and convert", file, s.Name)
					}
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
