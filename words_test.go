package ndgrad_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestGlossary refuses the words that the glossary in CONTRIBUTING.md bans: in documents, comments, and strings that are sentences.
func TestGlossary(t *testing.T) {
	banned := bannedWords(t)
	out, err := exec.Command("git", "ls-files", "*.go", "*.md", "*.cu", "*.cuh", "*.cpp", "*.h").Output()
	if err != nil {
		t.Skip("not a git checkout: ", err)
	}
	found := 0
	for _, file := range strings.Fields(string(out)) {
		source, err := os.ReadFile(filepath.FromSlash(file))
		if err != nil || file == "CONTRIBUTING.md" {
			continue // deleted, but still in the index
		}
		for line, text := range prose(t, file, string(source)) {
			text = standardPhrases.ReplaceAllString(text, "$1")
			if word := banned.FindString(text); word != "" {
				if found++; found <= 40 {
					t.Errorf("%s:%d: %q: see the glossary in CONTRIBUTING.md", file, line, word)
				}
			}
		}
	}
	if found > 40 {
		t.Errorf("and %d more", found-40)
	}
}

// standardPhrases are standard phrases that contain a banned word: the first list below, names of NumPy's functions, and code.
// The first group, a banned phrase that contains a standard one, stays.
var standardPhrases = regexp.MustCompile(`(?i)(\bin place of\b)|` + strings.Join([]string{
	`\bin[- ]place\b`, `\bdecimal places?\b`, `\blast place\b`,
	`\bNumPy: place\b`, `\bnumpy\.place\(`, `(?-i:\bPlace writes\b)`,
	"`[^`]*`",
}, "|"))

// bannedWords reads the second column of the glossary's table: phrases in backquotes.
func bannedWords(t *testing.T) *regexp.Regexp {
	text, err := os.ReadFile("CONTRIBUTING.md")
	if err != nil {
		t.Fatal(err)
	}
	_, glossary, _ := strings.Cut(string(text), "\n| write | never |\n")
	glossary, _, _ = strings.Cut(glossary, "\n\n")
	var phrases []string
	for _, row := range strings.Split(glossary, "\n") {
		columns := strings.Split(row, "|")
		if len(columns) < 3 {
			continue
		}
		for _, phrase := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(columns[2], -1) {
			phrases = append(phrases, regexp.QuoteMeta(phrase[1]))
		}
	}
	if len(phrases) < 20 {
		t.Fatalf("the glossary bans %d phrases, want at least 20", len(phrases))
	}
	return regexp.MustCompile(`(?i)\b(` + strings.Join(phrases, "|") + `)\b`)
}

// prose returns the lines of a file that people read: all of a document; comments and strings with several words of Go; comments
// of C++.
func prose(t *testing.T, file, source string) map[int]string {
	lines := map[int]string{}
	add := func(first int, text string) {
		for k, line := range strings.Split(text, "\n") {
			lines[first+k] += " " + line
		}
	}
	switch {
	case strings.HasPrefix(source, "// Code generated"):
	case strings.HasSuffix(file, ".md"):
		add(1, source)
	case strings.HasSuffix(file, ".go"):
		set := token.NewFileSet()
		parsed, err := parser.ParseFile(set, file, source, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			if strings.Contains(file, "testdata") {
				return nil
			}
			t.Fatal(err)
		}
		for _, group := range parsed.Comments {
			for _, comment := range group.List {
				add(set.Position(comment.Pos()).Line, comment.Text)
			}
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			if s, ok := n.(*ast.BasicLit); ok && s.Kind == token.STRING && len(strings.Fields(s.Value)) >= 3 && !strings.ContainsAny(s.Value, ";{") {
				add(set.Position(s.Pos()).Line, s.Value)
			}
			return true
		})
	default:
		for k, line := range strings.Split(source, "\n") {
			if _, comment, ok := strings.Cut(line, "//"); ok {
				add(k+1, comment)
			}
		}
	}
	return lines
}
