package ndgrad_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// TestFewDependOnPurego lists what each package depends on: purego is a dependency of nn/comm/mpi, nn/comm/nccl, and programs
// that import them, and of no other package. So only such programs are linked dynamically.
func TestFewDependOnPurego(t *testing.T) {
	output, err := exec.Command("go", "list", "-f", "{{.ImportPath}} {{.Name}} {{join .Deps \" \"}}", "./...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	packages := 0
	for line := range strings.SplitSeq(strings.TrimSpace(string(output)), "\n") {
		fields := strings.Fields(line)
		path, name, deps := fields[0], fields[1], fields[2:]
		packages++
		if !slices.Contains(deps, "github.com/ebitengine/purego") {
			continue
		}
		through := slices.ContainsFunc(puregoFolders, func(folder string) bool { return slices.Contains(deps, module+folder) })
		own := slices.Contains(puregoFolders, strings.TrimPrefix(path, module))
		if !own && (name != "main" || !through) {
			t.Errorf("%s (package %s) depends on purego", path, name)
		}
	}
	if packages < 100 {
		t.Errorf("go list names %d packages", packages)
	}
}
