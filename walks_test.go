package ndgrad_test

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestWalksAreTrue compares the four walks through the code in docs/architecture.md with the code: every file exists, and contains
// the names that follow it in its line.
func TestWalksAreTrue(t *testing.T) {
	text, err := os.ReadFile("docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	_, walks, _ := strings.Cut(string(text), "\n## Four walks through the code\n")
	walks, _, _ = strings.Cut(walks, "\n## ")
	step := regexp.MustCompile(`(?m)^\d+\. .*$`)
	quoted := regexp.MustCompile("`([^`]+)`")
	steps := step.FindAllString(walks, -1)
	if len(steps) != 48 {
		t.Errorf("%d steps, want four times twelve", len(steps))
	}
	for _, line := range steps {
		var file, content string
		for _, m := range quoted.FindAllStringSubmatch(line, -1) {
			if strings.Contains(m[1], "/") {
				source, err := os.ReadFile(m[1])
				if err != nil {
					t.Errorf("%v in: %s", err, line)
				}
				file, content = m[1], string(source)
			} else if !regexp.MustCompile(`\b` + regexp.QuoteMeta(m[1][strings.LastIndexByte(m[1], '.')+1:]) + `\b`).MatchString(content) {
				t.Errorf("%s has no %s, which this line names: %s", file, m[1], line)
			}
		}
	}
}
