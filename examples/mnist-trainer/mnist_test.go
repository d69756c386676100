package main

import (
	"context"
	"image"
	_ "image/png"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/ndgrad/ndgrad/nn/comm"
)

// start runs the program, and returns what it printed.
func start(t *testing.T, ctx context.Context, args ...string) string {
	t.Helper()
	var out strings.Builder
	if err := run(ctx, args, &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// rows returns the rows of the printed table, without the time.
func rows(printed string) (all [][]string) {
	for _, m := range regexp.MustCompile(`\x1b\[J(\d.*)\n`).FindAllStringSubmatch(printed, -1) {
		fields := strings.Fields(m[1])
		all = append(all, fields[:len(fields)-1])
	}
	return all
}

func TestItLearnsAndDraws(t *testing.T) {
	folder := t.TempDir()
	printed := start(t, context.Background(), "-e", "4", "-b", "20", "-u", "50", "-o", folder)
	table := rows(printed)
	if len(table) != 4 || len(table[3]) != 5 {
		t.Fatalf("it printed\n%s", printed)
	}
	if last, _ := strconv.ParseFloat(table[3][4], 64); last < 0.9 {
		t.Errorf("test accuracy %v", last)
	}
	for _, name := range []string{"loss.png", "accuracy.png"} {
		f, err := os.Open(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := image.Decode(f); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		f.Close()
	}
	for _, name := range []string{"log", "cg.dot"} {
		if _, err := os.Stat(filepath.Join(folder, name)); err != nil {
			t.Error(err)
		}
	}
}

// snapshot finds the one snapshot in a folder.
func snapshot(t *testing.T, folder string) string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(folder, "snapshot_iter_*"))
	if err != nil || len(found) != 1 {
		t.Fatal(found, err)
	}
	return found[0]
}

// A training run that resumes from a snapshot prints the same rows as one that was never stopped.
func TestItResumes(t *testing.T) {
	args := []string{"-u", "20", "-o"}
	want := rows(start(t, context.Background(), append(args, t.TempDir(), "-e", "3")...))
	folder := t.TempDir()
	start(t, context.Background(), append(args, folder, "-e", "1")...)
	got := rows(start(t, context.Background(), append(args, t.TempDir(), "-e", "3", "-r", snapshot(t, folder))...))
	if len(want) != 3 || len(got) != 3 {
		t.Fatalf("%v\n%v", want, got)
	}
	for i := range want {
		if strings.Join(got[i], " ") != strings.Join(want[i], " ") {
			t.Errorf("two runs printed %v, one run printed %v", got[i], want[i])
		}
	}
}

func TestItSavesWhenItIsInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	folder := t.TempDir()
	if printed := start(t, ctx, "-u", "5", "-o", folder); !strings.Contains(printed, "interrupted") {
		t.Errorf("it printed\n%s", printed)
	}
	start(t, context.Background(), "-u", "5", "-e", "1", "-o", t.TempDir(), "-r", snapshot(t, folder))
}

func TestRefusals(t *testing.T) {
	for _, args := range [][]string{
		{"-epoch", "0"}, {"-b", "0"}, {"-u", "-1"}, {"-f", "0"}, {"-gpu", "-2"}, {"-o", ""}, {"something"}, {"-unknown"}, {"-data", t.TempDir()},
		{"-u", "5", "-o", t.TempDir(), "-r", filepath.Join(t.TempDir(), "nowhere.npz")},
	} {
		if err := run(context.Background(), args, io.Discard, io.Discard); err == nil {
			t.Errorf("%q was accepted", args)
		}
	}
	if err := run(context.Background(), []string{"-g", "7"}, io.Discard, io.Discard); err == nil || !strings.Contains(err.Error(), "-1 is the CPU") {
		t.Errorf("%v, want an error that says what to do", err)
	}
}

// Four processes print the same rows as one process with four goroutines, and continue from its snapshot.
func TestProcesses(t *testing.T) {
	table := func(ranks int, folder, resume string, epochs int) [][]string {
		s, err := parseFlags([]string{"-u", "20", "-p", "4", "-b", "25", "-o", folder, "-r", resume, "-e", strconv.Itoa(epochs)}, io.Discard)
		if err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		var running sync.WaitGroup
		for r, c := range comm.Local(ranks) {
			running.Go(func() {
				defer c.Close()
				if err := s.train(t.Context(), c, pick(r == 0, io.Writer(&out), io.Discard)); err != nil {
					t.Error(err)
				}
			})
		}
		running.Wait()
		return rows(out.String())
	}
	folder := t.TempDir()
	want := table(1, folder, "", 2)
	one := t.TempDir()
	table(4, one, "", 1)
	for ranks, got := range map[int][][]string{4: table(4, t.TempDir(), "", 2), 2: table(2, t.TempDir(), snapshot(t, one), 2)} {
		if len(want) != 2 || !reflect.DeepEqual(got, want) {
			t.Errorf("%d processes print %q, one prints %q", ranks, got, want)
		}
	}
}

func pick[T any](first bool, a, b T) T {
	if first {
		return a
	}
	return b
}
