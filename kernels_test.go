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

// TestKernelsHaveTheirFiles: what there is of one kernel is in files of its name, which one find shows. A kernel for gradients
// may have a file of its own, or be in that of the kernel whose gradients they are.
func TestKernelsHaveTheirFiles(t *testing.T) {
	for _, place := range []struct {
		folder string // and those in it
		has    string // what is in the file
	}{
		{"device/ref", "func (d *Device) %s(l *device.Launch)"},
		{"testing/compliance", "func test%s(s *suite)"},
		{"device/cpu/internal", "func %s(l *device.Launch)"},
		{"nd", "(device.Device.%s)"},
	} {
		files := filesByName(t, place.folder)
		for _, s := range device.Signatures {
			name, of := strings.ToLower(s.Kernel)+".go", strings.ToLower(strings.TrimSuffix(s.Kernel, "Grad"))+".go"
			if has := fmt.Sprintf(place.has, s.Kernel); !strings.Contains(files[name]+files[of], has) {
				t.Errorf("no file %s or %s in %s has %q", of, name, place.folder, has)
			}
		}
	}
}

// filesByName returns what the files in a folder hold, those of the same name one after the other.
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
