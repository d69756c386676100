package runner

import (
	"flag"
	"os"
	"path/filepath"
	"testing"
)

var filesGolden = flag.String("golden", "../testdata", "folder of the suites of files")

func TestHDF5Files(t *testing.T) {
	dir := filepath.Join(*filesGolden, "files", "hdf5")
	if _, err := os.Stat(dir); err != nil {
		t.Skip("no recorded files: ", err)
	}
	cases, err := hdf5Files(dir, nil)
	expectFiles(t, cases, err, 50)
}
