package main

import (
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
	"github.com/ndgrad/ndgrad/nn/archive"
)

func start(t *testing.T, args ...string) string {
	t.Helper()
	var out strings.Builder
	if err := run(context.Background(), args, &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestItLearns(t *testing.T) {
	printed := start(t, "-test", "-epoch", "6", "-unit", "24", "-bproplen", "10", "-out", t.TempDir())
	last := regexp.MustCompile(`test perplexity: (\d+\.\d+)`).FindStringSubmatch(printed)
	if last == nil {
		t.Fatalf("it printed\n%s", printed)
	}
	if perplexity, _ := strconv.ParseFloat(last[1], 64); perplexity > 500 { // for some 4,000 words
		t.Errorf("test perplexity %v", perplexity)
	}
}

// A run that is stopped after an epoch resumes: it prints the same rows for the last epoch.
func TestItResumes(t *testing.T) {
	folder := t.TempDir()
	args := []string{"-test", "-unit", "8", "-bproplen", "7", "-out", folder}
	whole := start(t, append(args, "-epoch", "2")...)
	snapshots, err := filepath.Glob(filepath.Join(folder, "snapshot_iter_*"))
	if err != nil || len(snapshots) != 2 {
		t.Fatal(snapshots, err)
	}
	slices.SortFunc(snapshots, func(a, b string) int { return len(a) - len(b) })
	parts := start(t, append(args, "-epoch", "2", "-resume", snapshots[0])...)
	end := func(s string) string { return s[strings.LastIndex(s, "test perplexity"):] }
	if end(parts) != end(whole) {
		t.Errorf("two runs end with\n%s\none run ends with\n%s", end(parts), end(whole))
	}
}

func TestColumns(t *testing.T) {
	c, err := newColumns([]int{0, 1, 2, 3, 4, 5, 6}, 2, 3, false)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range [][2][]int{
		{{0, 3, 1, 4, 2, 5}, {1, 4, 2, 5, 3, 6}}, {{3, 6, 4, 0, 5, 1}, {4, 0, 5, 1, 6, 2}},
	} {
		p, err := c.Next()
		if err != nil || !slices.Equal(nd.ToSlice[int](p.words), want[0]) || !slices.Equal(nd.ToSlice[int](p.next), want[1]) {
			t.Errorf("%v %v %v, want %v", p.words, p.next, err, want)
		}
	}
	if at := c.Position(); at.Epoch != 1 || at.Detail != 12.0/7 || at.Previous != 6.0/7 || !at.NewEpoch {
		t.Errorf("%+v", at)
	}
	path := filepath.Join(t.TempDir(), "c.npz")
	if err := archive.Save(path, c); err != nil {
		t.Fatal(err)
	}
	again, _ := newColumns(c.text, 2, 3, false)
	if err := archive.Load(path, again); err != nil || again.Position() != c.Position() {
		t.Errorf("%+v, %v", again.Position(), err)
	}
	once, _ := newColumns(c.text, 2, 3, true)
	for _, want := range []int{3, 1} {
		if p, err := once.Next(); err != nil || p.words.Dim(0) != want {
			t.Errorf("a piece of %v, %v: want %d words", p.words, err, want)
		}
	}
	if _, err := once.Next(); !errors.Is(err, io.EOF) {
		t.Errorf("%v after the last piece", err)
	}
	if _, err := newColumns(c.text, 8, 3, false); err == nil {
		t.Error("more columns than words were accepted")
	}
}

func TestItReadsFiles(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"train", "valid", "test"} {
		text := strings.Repeat(" the cat sat on the mat \n", 20)
		if err := os.WriteFile(filepath.Join(folder, "ptb."+name+".txt"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if c, err := load(folder); err != nil || c.words != 6 || len(c.train) != 140 {
		t.Errorf("%+v, %v", c, err)
	}
}

func TestRefusals(t *testing.T) {
	for _, args := range [][]string{
		{"-epoch", "0"}, {"-unit", "0"}, {"-gradclip", "-1"}, {"-out", ""}, {"something"}, {"-unknown"}, {"-data", t.TempDir()}, {"-batchsize", "100000000"},
		{"-test", "-unit", "2", "-out", t.TempDir(), "-resume", filepath.Join(t.TempDir(), "nowhere.npz")},
	} {
		if err := run(context.Background(), args, io.Discard, io.Discard); err == nil {
			t.Errorf("%q was accepted", args)
		}
	}
}
