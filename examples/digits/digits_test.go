package main

import (
	"image/png"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/examples/internal/digits"
	"github.com/ndgrad/ndgrad/nd"
)

func TestTrainingRaisesTheAccuracy(t *testing.T) {
	train, test, err := digits.Load()
	if err != nil {
		t.Fatal(err)
	}
	params := newParams(1, nil)
	before := evaluate(params, test)
	losses := fit(params, train, test, settings{epochs: 5, seed: 1}, io.Discard, io.Discard)
	after := evaluate(params, test)
	if before.accuracy > 0.3 || after.accuracy < 0.85 {
		t.Errorf("accuracy went from %.3f to %.3f", before.accuracy, after.accuracy)
	}
	if n := len(losses.train); n != 5 || losses.train[4] > losses.train[0]/1.5 || losses.test[4] != after.loss {
		t.Errorf("losses %v", losses)
	}
	total := 0
	for _, digit := range after.confusion {
		for _, n := range digit {
			total += n
		}
	}
	if total != test.Count() {
		t.Errorf("the confusion table counts %d of %d images", total, test.Count())
	}
}

func TestRunWritesAndLoads(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "a", "b")
	var trained, loaded strings.Builder
	if err := run([]string{"-epochs", "2", "-seed", "3", "-out", folder}, &trained, io.Discard); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"loss.png", "confusion.png"} {
		f, err := os.Open(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := png.Decode(f); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		f.Close()
	}
	if entries, err := os.ReadDir(folder); len(entries) != 3 {
		t.Errorf("the folder holds %v, %v", entries, err)
	}
	if err := run([]string{"-load", filepath.Join(folder, "digits.npz")}, &loaded, io.Discard); err != nil {
		t.Fatal(err)
	}
	lastLine := regexp.MustCompile(`(?m)^digits: test accuracy (\d\.\d{3}) in \d+\.\d s\n\z`)
	a, b := lastLine.FindStringSubmatch(trained.String()), lastLine.FindStringSubmatch(loaded.String())
	if a == nil || b == nil || a[1] != b[1] {
		t.Errorf("the last lines differ:\n%s\nand\n%s", &trained, &loaded)
	}
	if n := strings.Count(trained.String(), "\n"); n != 3 {
		t.Errorf("%d lines:\n%s", n, &trained)
	}
}

func TestRunRefuses(t *testing.T) {
	folder := t.TempDir()
	garbage := filepath.Join(folder, "garbage.npz")
	if err := os.WriteFile(garbage, []byte("PK\x03\x04 nothing"), 0o644); err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(folder, "other.npz")
	if err := nd.SaveNpz(other, []nd.Named{{Name: "fc1/affine/W", Array: nd.FromSlice([]float32{1})}}, false); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"-epochs", "0"},
		{"-epochs", "many"},
		{"-seed", "-1"},
		{"-unknown"},
		{"something"},
		{"-load", filepath.Join(folder, "nowhere.npz")},
		{"-load", garbage},
		{"-load", other},
		{"-epochs", "1", "-out", garbage},
	} {
		if err := run(args, io.Discard, io.Discard); err == nil {
			t.Errorf("%q was accepted", args)
		}
	}
}

func TestPicturesOfOddResults(t *testing.T) {
	for _, c := range []curves{{train: []float64{0}, test: []float64{0}}, {train: []float64{2, 1, 1e-12}, test: []float64{3, 2, 1}}} {
		if err := c.picture().Save(filepath.Join(t.TempDir(), "loss.png")); err != nil {
			t.Error(err)
		}
	}
	if err := (confusion{3: {4: 1000}}).picture().Save(filepath.Join(t.TempDir(), "confusion.png")); err != nil {
		t.Error(err)
	}
}
