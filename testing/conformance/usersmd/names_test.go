package main

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
)

// guides prepares all documents, once.
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

// TestEveryNameIsAnswered holds the documents to the lists: every name is something here, or absent, or excluded.
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
				t.Errorf("%s is here now, and said to be absent", full)
			case !found && g.absent[full] == "":
				t.Errorf("nothing says what %s is here: no doc comment, no idiom, no absence", full)
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
			t.Errorf("nothing says what %s is here: %v", full, err)
		}
	}
	if out*100 > all*15 {
		t.Errorf("%d of %d names are excluded, more than 15 %%", out, all)
	}
}

// TestTablesSpeakOfTheLists finds entries of the tables for names that there are not.
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
				t.Errorf("%s: a remark on %s, which is not in the lists", document, name)
			}
		}
		for name := range g.idioms {
			if !known[name] {
				t.Errorf("%s: an idiom for %s, which is not in the lists", document, name)
			}
		}
		for name := range g.absent {
			if !known[name] {
				t.Errorf("%s: %s is said to be absent, and is not in the lists", document, name)
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
			t.Errorf("no name is excluded by %s", e.pattern)
		}
	}
}

// isGo reports whether a text is written as Go: an expression, several with commas, or statements.
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
				if m[1] == "x" {
					name = "Array." + m[2]
				} else if !packages[m[1]] {
					continue
				}
				if !isGo(strings.ReplaceAll(strings.Trim(span, "`"), `\|`, "|")) {
					t.Errorf("docs/%s: %s is no Go", document, span)
				}
				if g.functions[name] == nil && !g.exported[name] && !(m[1] == "x" && m[2] == "T") {
					t.Errorf("docs/%s: %s: there is no %s", document, span, name)
				}
			}
		}
	}
}
