package main

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
)

// guides builds all guides, once.
var guides = sync.OnceValues(func() (map[string]*guide, error) {
	l, err := readLibrary(root)
	if err != nil {
		return nil, err
	}
	numpy, err := l.numpyGuide()
	if err != nil {
		return nil, err
	}
	torch, err := l.torchGuide(numpy)
	return map[string]*guide{"numpy.md": numpy, "torch.md": torch}, err
})

func allGuides(t *testing.T) map[string]*guide {
	t.Helper()
	all, err := guides()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestEveryNameIsAnswered checks that every name of the lists has an equivalent, or is absent or excluded.
func TestEveryNameIsAnswered(t *testing.T) {
	all, out := 0, 0
	for _, g := range allGuides(t) {
		for _, full := range g.names.all {
			all++
			if excluded(full) != nil {
				out++
				continue
			}
			switch _, found, err := g.answer(full); {
			case err != nil:
				t.Error(err)
			case found && g.absent[full] != "":
				t.Errorf("%s has an equivalent, but is listed as absent", full)
			case !found && g.absent[full] == "":
				t.Errorf("%s has no doc comment, idiom or absence", full)
			}
		}
	}
	arrays, err := readNames("arrayapi")
	if err != nil {
		t.Fatal(err)
	}
	numpy := allGuides(t)["numpy.md"]
	for _, full := range arrays.all {
		name := "numpy." + strings.TrimPrefix(full, "array_api.")
		if _, found, err := numpy.answer(name); err != nil || !found && numpy.absent[name] == "" {
			t.Errorf("%s has no equivalent: %v", full, err)
		}
	}
	if out*100 > all*15 {
		t.Errorf("%d of %d names are excluded: want at most 15 %%", out, all)
	}
}

// TestTablesSpeakOfTheLists fails for table entries whose names are not in the lists.
func TestTablesSpeakOfTheLists(t *testing.T) {
	for document, g := range allGuides(t) {
		known := map[string]bool{}
		for _, name := range g.names.all {
			known[name] = true
		}
		for name := range g.words {
			known[name] = true
		}
		for name := range g.rows {
			known[name], known[strings.Replace(name, "cupy.", "numpy.", 1)] = true, true
		}
		for name := range g.remarks {
			if !known[name] {
				t.Errorf("%s: the remark on %s names nothing in the lists", document, name)
			}
		}
		for name := range g.idioms {
			if !known[name] {
				t.Errorf("%s: the idiom for %s names nothing in the lists", document, name)
			}
		}
		for name := range g.absent {
			if !known[name] {
				t.Errorf("%s: the absent name %s is not in the lists", document, name)
			}
			if excluded(name) != nil {
				t.Errorf("%s: %s is both absent and excluded", document, name)
			}
		}
	}
	for i := range exclusions {
		e := &exclusions[i]
		found := false
		for _, g := range allGuides(t) {
			for _, name := range g.names.all {
				found = found || e.pattern.MatchString(name)
			}
		}
		if !found {
			t.Errorf("the exclusion %s matches no name", e.pattern)
		}
	}
}

// isGo reports whether text is Go: an expression, several expressions separated by commas, or statements.
func isGo(text string) bool {
	for _, body := range []string{text, "_ = []any{" + text + "}"} {
		if _, err := parser.ParseFile(token.NewFileSet(), "", "package p\nfunc _() {\n"+body+"\n}", 0); err == nil {
			return true
		}
	}
	return false
}

var (
	goBlock    = regexp.MustCompile("(?s)```go.*?```")
	codeSpan   = regexp.MustCompile("`[^`]+`")
	identifier = regexp.MustCompile(`(?:^|[^.\w])([a-z]\w*)\.([A-Z]\w*)`)
)

// TestDocumentsNameWhatThereIs finds functions, types and methods in the documents that the library does not have.
func TestDocumentsNameWhatThereIs(t *testing.T) {
	for document, g := range allGuides(t) {
		text, err := os.ReadFile(filepath.Join(root, "docs", document))
		if err != nil {
			t.Fatal(err)
		}
		packages := map[string]bool{}
		for name := range g.exported {
			pkg, _, _ := strings.Cut(name, ".")
			packages[pkg] = true
		}
		for name := range g.functions {
			pkg, _, _ := strings.Cut(name, ".")
			packages[pkg] = true
		}
		tables := goBlock.ReplaceAllString(string(text), "")
		for _, span := range codeSpan.FindAllString(tables, -1) {
			for _, m := range identifier.FindAllStringSubmatch(span, -1) {
				name := m[1] + "." + m[2]
				if m[1] == "torch" && (slices.Contains(g.names.all, name) || m[2] == "Tensor") {
					continue // PyTorch's, not that of package nn/torch
				}
				if m[1] == "x" {
					name = "Array." + m[2]
				} else if !packages[m[1]] {
					continue
				}
				if !isGo(strings.ReplaceAll(strings.Trim(span, "`"), `\|`, "|")) {
					t.Errorf("docs/%s: %s is not Go", document, span)
				}
				if g.functions[name] == nil && !g.exported[name] && !(m[1] == "x" && m[2] == "T") {
					t.Errorf("docs/%s: %s: %s does not exist", document, span, name)
				}
			}
		}
	}
}
