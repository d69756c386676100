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
	all, err := hdf5Files(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Log(all)
	for _, o := range all.Cases {
		if o.Failed() {
			t.Errorf("%s: %v", o.ID, o.Forward)
		}
	}
	if len(all.Cases) < 50 {
		t.Errorf("%d cases", len(all.Cases))
	}
}
