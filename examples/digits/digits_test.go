package main

import (
	"bytes"
	"image/png"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ndgrad/ndgrad/nd"
)

func TestEmbeddedImages(t *testing.T) {
	train, test, err := embedded()
	if err != nil {
		t.Fatal(err)
	}
	if train.count() != 1797-testImages || test.count() != testImages {
		t.Errorf("%d and %d images", train.count(), test.count())
	}
	var seen [classes]int
	for _, label := range nd.ToSlice[int64](test.labels) {
		seen[label]++
	}
	for digit, n := range seen {
		if n < testImages/20 {
			t.Errorf("only %d of %d test images show a %d: are they shuffled?", n, testImages, digit)
		}
	}
	for _, v := range nd.ToSlice[float32](train.x) {
		if v < 0 || v > 1 {
			t.Fatalf("a pixel of brightness %v", v)
		}
	}
}

func row(pixel, label string) string { return strings.Repeat(pixel+",", pixels) + label + "\n" }

func TestParse(t *testing.T) {
	got, err := parse(strings.NewReader(row("16", "9") + "\n" + row("0", "0")))
	if err != nil {
		t.Fatal(err)
	}
	if x := nd.ToSlice[float32](got.x); got.count() != 2 || x[0] != 1 || x[pixels] != 0 {
		t.Errorf("parsed %v", got.x)
	}
	if labels := nd.ToSlice[int64](got.labels); !cmp.Equal(labels, []int64{9, 0}) {
		t.Errorf("labels %v", labels)
	}
}

func TestParseRefuses(t *testing.T) {
	good := row("3", "7")
	for name, text := range map[string]string{
		"nothing":         "",
		"blank lines":     "\n\n",
		"too few":         "1,2,3\n",
		"too many":        strings.Repeat("0,", pixels+1) + "0\n",
		"second too few":  good + "1,2,3\n",
		"too bright":      row("17", "1"),
		"dark":            row("-1", "1"),
		"label":           row("0", "10"),
		"negative label":  row("0", "-1"),
		"fraction":        row("1.5", "1"),
		"exponent":        row("1e1", "1"),
		"text":            row("x", "1"),
		"empty field":     row("", "1"),
		"space":           row(" 1", "1"),
		"not a number":    row("NaN", "1"),
		"huge":            row("99999999999999999999999999", "1"),
		"quote":           row("\"1", "1"),
		"zero bytes":      good + strings.Repeat("\x00", 100),
		"cut off":         good + good[:40],
		"a very long one": strings.Repeat("1", 1<<20),
		"too many rows":   strings.Repeat(row("0", "1"), maxRows+1),
	} {
		if got, err := parse(strings.NewReader(text)); err == nil {
			t.Errorf("%s: accepted as %d images", name, got.count())
		} else if len(err.Error()) > 200 {
			t.Errorf("%s: an error of %d characters", name, len(err.Error()))
		}
	}
}

func TestParseOfGarbage(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		text := []byte(row("3", "7") + row("0", "0"))
		for range 1 + rng.IntN(3) {
			text[rng.IntN(len(text))] = byte(rng.IntN(256))
		}
		_, _ = parse(bytes.NewReader(text)) // an error or images, never a panic
	}
}

func TestTrainingRaisesTheAccuracy(t *testing.T) {
	train, test, err := embedded()
	if err != nil {
		t.Fatal(err)
	}
	params := newParams(1)
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
	if total != test.count() {
		t.Errorf("the confusion table counts %d of %d images", total, test.count())
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
		t.Errorf("the last lines of\n%s\nand of\n%s", &trained, &loaded)
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
