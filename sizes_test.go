package ndgrad_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// mostLines is the maximum length of a Go file written by hand. A longer file contains more than one topic.
const mostLines = 400

var generatedFile = regexp.MustCompile(`(?m)^// Code generated .* DO NOT EDIT\.$`)

// TestFilesAreShort finds Go files that have grown too long.
func TestFilesAreShort(t *testing.T) {
	files := 0
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && strings.HasPrefix(entry.Name(), ".") && path != "." {
			return filepath.SkipDir
		}
		if filepath.Ext(path) != ".go" {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		files++
		if n := bytes.Count(text, []byte("\n")); n > mostLines && !generatedFile.Match(text) {
			t.Errorf("%s has %d lines: split it by topic, the maximum is %d", path, n, mostLines)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files == 0 {
		t.Error("found no files")
	}
}
