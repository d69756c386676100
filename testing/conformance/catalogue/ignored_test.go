package catalogue

import "testing"

// TestIgnoredArgumentsHaveReasons checks that there is a reason for each argument that a row ignores or lacks, and that no reason is
// unused.
func TestIgnoredArgumentsHaveReasons(t *testing.T) {
	used := map[IgnoredArgument]bool{}
	use := func(name, argument string) {
		a, ok := ignoredArgument(name, argument)
		if used[a] = true; !ok {
			t.Errorf("%s ignores or lacks %s: ignored.go has no reason", name, argument)
		}
	}
	printed := printedSignatures(t)
	for _, row := range Rows() {
		s, err := parseSignature(row.Signature)
		if err != nil {
			t.Fatal(err)
		}
		has := map[string]bool{}
		for _, p := range s.params {
			has[p.Name] = true
		}
		for _, argument := range row.Ignores {
			use(s.name, argument)
		}
		if documented, ok := PrintedParams(s.name, printed[s.name]); ok && !misprinted[s.name] {
			for _, p := range documented {
				if !has[p.Name] {
					use(s.name, p.Name)
				}
			}
		}
	}
	for _, a := range ignoredArguments {
		if !used[a] {
			t.Errorf("no row ignores or lacks %s among %q", a.Argument, a.Names)
		}
	}
}
