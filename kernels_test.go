package ndgrad_test

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/device"
)

// TestKernelsHaveTheirFiles checks that the code of a kernel is in files of its name, so that one find shows it. A
// kernel for gradients may have its own file, or be in the file of the kernel whose gradients it computes.
func TestKernelsHaveTheirFiles(t *testing.T) {
	for _, want := range []struct {
		folder string // including its subfolders
		has    string // text that the file must contain
	}{
		{"device/ref", "func (d *Device) %s(l *device.Launch)"},
		{"testing/compliance", "func test%s(s *suite)"},
		{"device/cpu/internal", "func %s(l *device.Launch)"},
		{"nd", "(device.Device.%s)"},
	} {
		files := filesByName(t, want.folder)
		for _, s := range device.Signatures {
			name, of := strings.ToLower(s.Kernel)+".go", strings.ToLower(strings.TrimSuffix(s.Kernel, "Grad"))+".go"
			if has := fmt.Sprintf(want.has, s.Kernel); !strings.Contains(files[name]+files[of], has) {
				t.Errorf("no file %s or %s in %s contains %q", of, name, want.folder, has)
			}
		}
	}
}

// filesByName returns the contents of the files in a folder by their names; files with the same name are concatenated.
func filesByName(t *testing.T, folder string) map[string]string {
	files := map[string]string{}
	err := filepath.WalkDir(folder, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(file)
		files[path.Base(file)] += string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
