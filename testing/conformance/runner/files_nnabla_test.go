package runner

import (
	"path/filepath"
	"testing"

	"github.com/ndgrad/ndgrad/device"
)

func TestNNPFiles(t *testing.T) {
	for _, name := range device.Names() {
		dev, err := device.Get(name)
		if err != nil {
			t.Fatal(err)
		}
		all, err := nnpFiles(filepath.Join(*filesGolden, "files", "nnp"), dev)
		expectFiles(t, all, err, 2)
	}
}

func TestNNablaFiles(t *testing.T) {
	all, err := nnablaFiles(filepath.Join(*filesGolden, "nnabla_files"), nil)
	expectFiles(t, all, err, 11)
}

// expectFiles expects that so many cases or more pass.
func expectFiles(t *testing.T, all *FunctionOutcome, err error, least int) {
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range all.Cases {
		if o.Failed() {
			t.Errorf("%s: %v", o.ID, o.Forward)
		}
	}
	if len(all.Cases) < least {
		t.Errorf("%d cases, want %d", len(all.Cases), least)
	}
}
