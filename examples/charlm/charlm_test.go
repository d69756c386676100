package main

import (
	"bytes"
	"context"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn/comm"
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

// Both models learn, and print the same lines at any number of threads.
func TestItLearnsTheSameOnAnyNumberOfThreads(t *testing.T) {
	for name := range models {
		args := []string{"-model", name, "-updates", "6", "-every", "3", "-letters", "20"}
		want := start(t, args...)
		threads := runtime.GOMAXPROCS(1)
		alone := start(t, args...)
		runtime.GOMAXPROCS(threads)
		if alone != want {
			t.Errorf("%s: on one thread it prints\n%s\non %d threads\n%s", name, alone, threads, want)
		}
		if lines := strings.Split(want, "\n"); len(lines) < 3 || !strings.HasPrefix(lines[1], "update 6/6  loss ") {
			t.Errorf("%s: it printed\n%s", name, want)
		}
		tx, err := read("")
		if err != nil {
			t.Fatal(err)
		}
		train, test := tx.split()
		tr := newTraining(comm.Local(1)[0], models[name], train, len(tx.alphabet), 2, 1)
		before := tr.bits(test)
		for range 10 {
			if err := tr.update(t.Context(), rate); err != nil {
				t.Fatal(err)
			}
		}
		if after := tr.bits(test); math.Abs(before-math.Log2(float64(len(tx.alphabet)))) > 1 || after > before-1 {
			t.Errorf("%s: %.2f bits per character became %.2f", name, before, after)
		}
	}
}

// A run that is stopped at any update resumes: it prints the remaining lines, and its last checkpoint has the same
// bytes.
func TestItResumes(t *testing.T) {
	folder := t.TempDir()
	for name := range models {
		whole, parts := filepath.Join(folder, name+"1.npz"), filepath.Join(folder, name+"2.npz")
		args := []string{"-model", name, "-updates", "6", "-every", "3", "-letters", "0", "-checkpoint"}
		want := start(t, append(args, whole)...)
		got := start(t, append(args, parts, "-stop", "4")...)
		got += start(t, append(args, parts)...)
		if got != want {
			t.Errorf("%s: two runs printed\n%s\none run printed\n%s", name, got, want)
		}
		a, _ := os.ReadFile(whole)
		if b, err := os.ReadFile(parts); err != nil || !bytes.Equal(a, b) {
			t.Errorf("%s: the checkpoints differ: %v", name, err)
		}
	}
	if err := run(context.Background(), []string{"-model", "lstm", "-checkpoint", filepath.Join(folder, "transformer1.npz")}, io.Discard, io.Discard); err == nil {
		t.Error("another model's checkpoint was accepted")
	}
}

// Four processes with a goroutine each, two with two and one with four print the same, and save the same bytes, also from the checkpoint
// of another number of processes.
func TestProcesses(t *testing.T) {
	train := func(name string, ranks int, checkpoint string, stop int) (printed string, saved []byte) {
		s, err := parseFlags([]string{"-model", name, "-parts", "4", "-updates", "4", "-every", "2", "-letters", "0", "-checkpoint", checkpoint,
			"-stop", strconv.Itoa(stop)}, io.Discard)
		if err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		var running sync.WaitGroup
		for _, c := range comm.Local(ranks) {
			running.Go(func() {
				defer c.Close()
				if err := s.train(t.Context(), c, &out); err != nil {
					t.Error(err)
				}
			})
		}
		running.Wait()
		saved, err = os.ReadFile(checkpoint)
		if err != nil {
			t.Fatal(err)
		}
		return out.String(), saved
	}
	for name := range models {
		want, end := train(name, 1, filepath.Join(t.TempDir(), "one.npz"), 0)
		for _, ranks := range map[string][]int{"lstm": {2, 4}, "transformer": {4}}[name] {
			path := filepath.Join(t.TempDir(), "several.npz")
			got, _ := train(name, ranks, path, 3)
			more, last := train(name, 6-ranks, path, 0)
			if got+more != want || !bytes.Equal(last, end) {
				t.Errorf("%s: %d processes print\n%s\none prints\n%s", name, ranks, got+more, want)
			}
		}
	}
}

func TestOtherTexts(t *testing.T) {
	path := filepath.Join(t.TempDir(), "text.txt")
	if err := os.WriteFile(path, bytes.Repeat([]byte("ab c"), 20_000), 0o644); err != nil {
		t.Fatal(err)
	}
	if got := start(t, "-text", path, "-updates", "1", "-begin", "ab", "-letters", "5"); len(strings.Split(got, "\n")[1]) != 7 {
		t.Errorf("it printed\n%s", got)
	}
	if err := os.WriteFile(path, []byte("short"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"-text", path}, {"-text", path + "x"}, {"-model", "n-gram"}, {"-every", "0"}, {"-temperature", "0"}, {"-begin", ""}, {"what"}, {"-parts", "3"},
	} {
		if err := run(context.Background(), args, io.Discard, io.Discard); err == nil {
			t.Errorf("%q was accepted", args)
		}
	}
}

func TestDraw(t *testing.T) {
	rng := nd.NewRand(1)
	counts := make([]int, 3)
	for range 1000 {
		counts[draw([]float64{0.2, 0, 0.8}, rng)]++
	}
	if counts[1] != 0 || counts[0] < 150 || counts[0] > 250 {
		t.Errorf("%v", counts)
	}
}
