package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
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

func TestRefusals(t *testing.T) {
	garbage := filepath.Join(t.TempDir(), "garbage.npz")
	if err := os.WriteFile(garbage, []byte("PK"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"-epochs", "-1"}, {"-stop", "-1"}, {"something"}, {"-unknown"}, {"-data", t.TempDir()}, {"-checkpoint", garbage},
	} {
		if err := run(context.Background(), args, io.Discard, io.Discard); err == nil {
			t.Errorf("%q was accepted", args)
		}
	}
	if err := run(context.Background(), []string{"-h"}, io.Discard, io.Discard); err == nil || !strings.Contains(err.Error(), "help") {
		t.Error(errors.Join(err))
	}
}
