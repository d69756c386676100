package wholefile_test

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/internal/wholefile"
)

func TestWrite(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.txt")
	text := func(s string, err error) func(io.Writer) error {
		return func(w io.Writer) error {
			_, written := io.WriteString(w, s)
			return errors.Join(written, err)
		}
	}
	if err := wholefile.Write(path, text("whole", nil)); err != nil {
		t.Fatal(err)
	}
	broken := errors.New("broken")
	if err := wholefile.Write(path, text("half", broken)); !errors.Is(err, broken) {
		t.Errorf("%v, want what the function returned", err)
	}
	func() {
		defer func() {
			if got := recover(); got != broken {
				t.Errorf("panic %v, want that of the function", got)
			}
		}()
		wholefile.Write(path, func(io.Writer) error { panic(broken) })
	}()
	if got, err := os.ReadFile(path); err != nil || string(got) != "whole" {
		t.Errorf("the file has %q, %v", got, err)
	}
	if err := wholefile.Write(filepath.Join(dir, "nowhere", "b"), text("", nil)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%v, want an error about a missing folder", err)
	}
	if err := os.Mkdir(filepath.Join(dir, "folder"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := wholefile.Write(filepath.Join(dir, "folder"), text("x", nil)); err == nil {
		t.Error("a file replaced a folder")
	}
	if left, _ := os.ReadDir(dir); len(left) != 2 {
		t.Errorf("left over: %v", left)
	}
}

// Errors name the path that the caller gave, not the temporary file.
func TestErrorsNameThePath(t *testing.T) {
	dir := t.TempDir()
	folder := filepath.Join(dir, "folder")
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "a.txt")
	gone, err := wholefile.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := gone.Discard(); err != nil {
		t.Fatal(err)
	}
	nothing := func(io.Writer) error { return nil }
	missing, long := filepath.Join(dir, "nowhere", "b.txt"), filepath.Join(dir, strings.Repeat("n", 300))
	for _, c := range []struct {
		what, path string
		err        error
	}{
		{"a missing folder", missing, wholefile.Write(missing, nothing)},
		{"a long name", long, wholefile.Write(long, nothing)},
		{"a folder of that name", folder, wholefile.Write(folder, nothing)},
		{"writing after Discard", path, func() error { _, err := gone.Write(make([]byte, 1<<17)); return err }()},
		{"Commit after Discard", path, gone.Commit()},
		{"Discard after Discard", path, gone.Discard()},
	} {
		var about *fs.PathError
		switch text := strings.ReplaceAll(fmt.Sprint(c.err), c.path, "PATH"); {
		case !errors.As(c.err, &about) || about.Path != c.path:
			t.Errorf("%s: %v, want an error about %s", c.what, c.err, c.path)
		case strings.Contains(text, dir):
			t.Errorf("%s: %v names the temporary file", c.what, c.err)
		}
	}
}

func TestRewind(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.txt")
	f, err := wholefile.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []string{"?? and more", "ab"} {
		if _, err := f.WriteString(s); err != nil {
			t.Fatal(err)
		}
		if err := f.Rewind(); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.Commit(); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != "ab and more" {
		t.Errorf("the file has %q, %v", got, err)
	}
}
