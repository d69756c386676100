package ndgrad_test

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestWalksAreTrue compares the two walks through the code in docs/architecture.md with the code: the files exist, and
// each contains the names that its line mentions.
func TestWalksAreTrue(t *testing.T) {
	text, err := os.ReadFile("docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	_, walks, _ := strings.Cut(string(text), "\n## Two walks\n")
	walks, _, _ = strings.Cut(walks, "\n## ")
	step := regexp.MustCompile(`(?m)^\d+\. .*$`)
	quoted := regexp.MustCompile("`([^`]+)`")
	steps := step.FindAllString(walks, -1)
	if len(steps) != 24 {
		t.Errorf("%d steps, want two times twelve", len(steps))
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
