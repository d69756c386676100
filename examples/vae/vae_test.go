package main

import (
	"image/png"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/examples/internal/digits"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn"
)

func TestItLearnsAndDraws(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "a", "b")
	var out strings.Builder
	if err := run([]string{"-epochs", "6", "-out", folder}, &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	var losses []float64
	for _, m := range regexp.MustCompile(`loss (\d+\.\d+)`).FindAllStringSubmatch(out.String(), -1) {
		v, _ := strconv.ParseFloat(m[1], 64)
		losses = append(losses, v)
	}
	if len(losses) != 6 || losses[5] > losses[0]-5 || losses[5] > 32 {
		t.Errorf("losses %v", losses)
	}
	for _, name := range []string{"samples.png", "retold.png"} {
		f, err := os.Open(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		if picture, err := png.Decode(f); err != nil || picture.Bounds().Dx() != 16*(digits.Side+2)*5 {
			t.Errorf("%s: %v", name, err)
		}
		f.Close()
	}
	params := nn.NewScope()
	if err := nn.Load(filepath.Join(folder, "vae.npz"), params); err != nil {
		t.Fatal(err)
	}
	_, test, err := digits.Load()
	if err != nil {
		t.Fatal(err)
	}
	if far := ops.Mean(ops.Absolute(ops.Subtract(reconstructed(params, test.X), test.X))).Float(); far > 0.2 {
		t.Errorf("the pixels of decoded images differ by %v", far)
	}
	if made := samples(params, 3, nd.NewRand(2), nil); !(ops.All(ops.Less(ops.Absolute(ops.Subtract(made, 0.5)), 0.501)).Float() == 1) {
		t.Errorf("samples have pixels outside 0 to 1: %v", made)
	}
}

func TestRefusals(t *testing.T) {
	for _, args := range [][]string{{"-epochs", "0"}, {"what"}, {"-unknown"}} {
		if err := run(args, io.Discard, io.Discard); err == nil {
			t.Errorf("%q was accepted", args)
		}
	}
}
