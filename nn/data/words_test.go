package data_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nn/data"
)

func TestReadWords(t *testing.T) {
	var v data.Vocabulary
	ids, err := v.ReadWords(strings.NewReader(" the cat \n\nthe <unk> N"))
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "numbers", ids, []int{0, 1, 2, 2, 0, 3, 4, 2})
	equal(t, "words", v.IDs(), map[string]int{"the": 0, "cat": 1, data.EndOfSentence: 2, "<unk>": 3, "N": 4})
	if id, ok := v.ID("cat"); id != 1 || !ok || v.Word(4) != "N" || v.Len() != 5 || v.Add("N") != 4 || v.Add("new") != 5 {
		t.Errorf("%d, %v, %v", id, ok, v.IDs())
	}
	if _, ok := v.ID("dog"); ok {
		t.Error("a word that never appeared has a number")
	}
	refused(t, "index 6", func() { v.Word(6) })
	broken := iotest.ErrReader(errors.New("broken"))
	if _, err := v.ReadWords(broken); err == nil || !strings.Contains(err.Error(), "broken") {
		t.Errorf("error %v", err)
	}
}

func TestLoadPTB(t *testing.T) {
	folder := t.TempDir()
	if _, err := data.LoadPTB(folder); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "ptb.train.txt") {
		t.Errorf("error %v", err)
	}
	writeFile(t, folder, "ptb.train.txt", []byte(" a b \n c a \n"))
	writeFile(t, folder, "ptb.valid.txt", []byte(" c \n"))
	writeFile(t, folder, "ptb.test.txt", []byte(" d a \n"))
	p, err := data.LoadPTB(folder)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "train", nd.ToSlice[int](p.Train), []int{0, 1, 2, 3, 0, 2})
	equal(t, "valid", nd.ToSlice[int](p.Valid), []int{3, 2})
	equal(t, "test", nd.ToSlice[int](p.Test), []int{4, 0, 2})
	if p.Train.DType() != dtype.Int32 || p.Words.Len() != 5 {
		t.Errorf("%s, %v", p.Train.DType(), p.Words.IDs())
	}
	writeFile(t, folder, "ptb.test.txt")
	if _, err := data.LoadPTB(folder); err == nil || !strings.Contains(err.Error(), "ptb.test.txt has no words") {
		t.Errorf("error %v", err)
	}
}

// FuzzReadWords checks that every word of a text can be found by its number.
func FuzzReadWords(f *testing.F) {
	f.Add("a b\na")
	f.Add("\x00\xff \r\n\n")
	f.Fuzz(func(t *testing.T, text string) {
		var v data.Vocabulary
		ids, err := v.ReadWords(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		var back []string
		for _, id := range ids {
			back = append(back, v.Word(id))
		}
		if got, want := strings.Join(back, " "), strings.Join(strings.Fields(strings.ReplaceAll(ended(text), "\n", " "+data.EndOfSentence+" ")), " "); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	})
}

// ended returns a text with a line break at the end of its last line.
func ended(text string) string {
	if text == "" || strings.HasSuffix(text, "\n") {
		return text
	}
	return text + "\n"
}

// The errors name the path that the caller gave, not a temporary file.
func TestCacheOrLoadNamesThePath(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "nowhere", "a.txt")
	create := func(path string) (string, error) { return "", os.WriteFile(path, nil, 0o644) }
	load := func(string) (string, error) { return "", nil }
	if _, err := data.CacheOrLoad(path, create, load); !errors.Is(err, fs.ErrNotExist) || !strings.HasPrefix(err.Error(), "data.CacheOrLoad: create "+path+": ") {
		t.Error(err)
	}
	path = filepath.Join(folder, "b.txt")
	if _, err := data.CacheOrLoad(path, func(string) (string, error) { return "", nil }, load); err == nil || !strings.HasPrefix(err.Error(), "data.CacheOrLoad: create "+path+": ") {
		t.Errorf("create writes nothing: %v", err)
	}
}

func TestWordsBehindAByteOrderMark(t *testing.T) {
	var v data.Vocabulary
	if _, err := v.ReadWords(strings.NewReader("\ufeffthe cat")); err != nil || v.Word(0) != "the" {
		t.Errorf("the first word is %q, %v", v.Word(0), err)
	}
	path := filepath.Join(t.TempDir(), "list.txt")
	if err := os.WriteFile(path, []byte("\ufeffa.png\nb.png\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if paths, err := data.ListImages(path); err != nil || !slices.Equal(paths, []string{"a.png", "b.png"}) {
		t.Errorf("%q, %v", paths, err)
	}
}

func TestCacheOrLoad(t *testing.T) {
	folder := t.TempDir()
	path := folder + "/sum.txt"
	created := 0
	create := func(path string) (string, error) {
		created++
		return "made", os.WriteFile(path, []byte("kept"), 0o644)
	}
	load := func(path string) (string, error) {
		text, err := os.ReadFile(path)
		return string(text), err
	}
	failed := errors.New("no")
	if _, err := data.CacheOrLoad(path, func(path string) (string, error) {
		return "", errors.Join(failed, os.WriteFile(path, []byte("a part"), 0o644))
	}, load); !errors.Is(err, failed) {
		t.Errorf("error %v", err)
	}
	if _, err := data.CacheOrLoad(path, func(string) (string, error) { return "", nil }, load); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error %v of a function that writes nothing", err)
	}
	for _, want := range []string{"made", "kept", "kept"} {
		if got, err := data.CacheOrLoad(path, create, load); got != want || err != nil {
			t.Errorf("%q, %v, want %q", got, err, want)
		}
	}
	if entries, _ := os.ReadDir(folder); created != 1 || len(entries) != 1 {
		t.Errorf("created %d times, left %v", created, entries)
	}
	if _, err := data.CacheOrLoad(path+"/below/a file", create, load); err == nil {
		t.Error("a file was made below a file")
	}
}
