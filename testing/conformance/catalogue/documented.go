package catalogue

import (
	"slices"
	"strings"
)

// Documented returns the names that the four documents define, sorted.
func Documented() []string { return slices.Clone(documented) }

// Missing returns the documented names with a prefix that have neither a row nor an entry in the list of left-out
// names.
func Missing(prefix string) []string {
	known := map[string]bool{}
	for _, row := range Rows() {
		known[row.Name()] = true
	}
	for _, l := range LeftOutNames() {
		known[l.Name] = true
	}
	var missing []string
	for _, name := range documented {
		if strings.HasPrefix(name, prefix) && !known[name] {
			missing = append(missing, name)
		}
	}
	return missing
}
