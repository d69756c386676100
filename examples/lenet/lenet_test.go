package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/nnabla"
	"github.com/ndgrad/ndgrad/nn/torch"
	"github.com/ndgrad/ndgrad/testing/assert"
)

// start runs the program, and returns what it printed.
func start(t *testing.T, args ...string) string {
	t.Helper()
	var out strings.Builder
	if err := run(context.Background(), args, &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestItLearns(t *testing.T) {
	printed := start(t, "-epochs", "8")
	all := regexp.MustCompile(`test accuracy (\d\.\d+)`).FindAllStringSubmatch(printed, -1)
	if len(all) != 8 {
		t.Fatalf("it printed\n%s", printed)
	}
	if last, _ := strconv.ParseFloat(all[7][1], 64); last < 0.975 {
		t.Errorf("test accuracy %v after 8 epochs", last)
	}
}

// A run that is stopped in the middle of an epoch resumes: it prints the remaining lines, and its last checkpoint has
// the same bytes.
func TestItResumes(t *testing.T) {
	folder := t.TempDir()
	whole, parts := filepath.Join(folder, "whole.npz"), filepath.Join(folder, "new", "parts.npz")
	want := start(t, "-epochs", "3", "-checkpoint", whole)
	got := start(t, "-epochs", "3", "-checkpoint", parts, "-stop", "30")
	got += start(t, "-epochs", "3", "-checkpoint", parts)
	if got != want {
		t.Errorf("two runs printed\n%s\none run printed\n%s", got, want)
	}
	a, _ := os.ReadFile(whole)
	if b, err := os.ReadFile(parts); err != nil || !bytes.Equal(a, b) {
		t.Errorf("the checkpoints differ: %v", err)
	}
}

func TestItSavesWhenItIsInterrupted(t *testing.T) {
	path := filepath.Join(t.TempDir(), "model.npz")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := run(ctx, []string{"-checkpoint", path}, io.Discard, io.Discard); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); err != nil {
		t.Error(err)
	}
	start(t, "-epochs", "1", "-checkpoint", path)
}

// TestExport reads every file that -export writes with the function for its system.
func TestExport(t *testing.T) {
	folder := t.TempDir()
	path := func(extension string) string { return filepath.Join(folder, "model"+extension) }
	start(t, "-stop", "2", "-export", path(".npz"))
	want := nn.NewScope()
	if err := nn.Load(path(".npz"), want); err != nil {
		t.Fatal(err)
	}
	fromTorch := func(path string, s *nn.Scope) error {
		lenet(s, nd.Zeros([]int{1, 1, 8, 8}, dtype.Float32))
		return torch.Load(path, s, torch.Options{Modules: modules})
	}
	for extension, load := range map[string]func(path string, s *nn.Scope) error{
		".h5": nnabla.LoadParameters, ".protobuf": nnabla.LoadParameters, ".nntxt": nnabla.LoadParameters, ".nnp": nnabla.LoadParameters,
		".pt": fromTorch, ".pth": fromTorch, ".safetensors": fromTorch,
		".params": func(path string, s *nn.Scope) error {
			all, err := nd.LoadMXNet(path)
			for _, n := range all {
				s.Set(n.Name, n.Array)
			}
			return err
		},
	} {
		start(t, "-stop", "2", "-export", path(extension))
		got := nn.NewScope()
		if err := load(path(extension), got); err != nil {
			t.Errorf("%s: %v", extension, err)
			continue
		}
		if !slices.Equal(got.Names(), want.Names()) {
			t.Errorf("%s: parameters %q, want %q", extension, got.Names(), want.Names())
		}
		for name, p := range want.All() {
			assert.Equal(t, got.Get(name), p.Value())
		}
	}
	names, err := nd.LoadTorch(path(".pt"))
	if want := "conv1.weight bn1.weight bn1.bias bn1.running_mean bn1.running_var conv2.weight conv2.bias fc3.weight fc3.bias fc4.weight fc4.bias"; err != nil || strings.Join(names.Names(), " ") != want {
		t.Errorf("tensors %q, %v, want %s", names.Names(), err, want)
	}
}

func TestRefusals(t *testing.T) {
	garbage := filepath.Join(t.TempDir(), "garbage.npz")
	if err := os.WriteFile(garbage, []byte("PK"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"-epochs", "-1"}, {"-stop", "-1"}, {"something"}, {"-unknown"}, {"-data", t.TempDir()}, {"-checkpoint", garbage},
		{"-export", "model.json"}, {"-stop", "1", "-export", filepath.Join(garbage, "model.h5")},
	} {
		if err := run(context.Background(), args, io.Discard, io.Discard); err == nil {
			t.Errorf("%q was accepted", args)
		}
	}
	if err := run(context.Background(), []string{"-h"}, io.Discard, io.Discard); err == nil || !strings.Contains(err.Error(), "help") {
		t.Error(errors.Join(err))
	}
}
