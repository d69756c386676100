package ndgrad_test

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestWalksAreTrue holds the three walks through the code in docs/architecture.md to the code: the files are there, and in each
// are the names that its line says after it.
func TestWalksAreTrue(t *testing.T) {
	text, err := os.ReadFile("docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	_, walks, _ := strings.Cut(string(text), "\n## Three walks\n")
	walks, _, _ = strings.Cut(walks, "\n## ")
	step := regexp.MustCompile(`(?m)^\d+\. .*$`)
	quoted := regexp.MustCompile("`([^`]+)`")
	steps := step.FindAllString(walks, -1)
	if len(steps) != 36 {
		t.Errorf("%d steps, want three times twelve", len(steps))
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
			} else if !strings.Contains(content, m[1]) {
				t.Errorf("%s has no %s, as it should in: %s", file, m[1], line)
			}
		}
	}
}
