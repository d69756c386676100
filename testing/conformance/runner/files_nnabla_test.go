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
		cases, err := nnpFiles(filepath.Join(*filesGolden, "files", "nnp"), dev)
		expectFiles(t, cases, err, 2)
	}
}

func TestNNablaFiles(t *testing.T) {
	cases, err := nnablaFiles(filepath.Join(*filesGolden, "nnabla_files"), nil)
	expectFiles(t, cases, err, 11)
}

// expectFiles expects that so many cases or more pass.
func expectFiles(t *testing.T, cases []Outcome, err error, least int) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range cases {
		if o.Failed() {
			t.Errorf("%s: %v", o.ID, o.Forward)
		}
	}
	if len(cases) < least {
		t.Errorf("%d cases, want %d", len(cases), least)
	}
}
