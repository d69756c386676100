package main

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/ndgrad/ndgrad/bench"
)

// columns of the comparison with the peers.
var columns = []string{"case", "ours", "unreleased", "numpy", "torch", "ratio", "from–to", "of limit"}

// saved is a printed comparison.
type saved struct {
	command string // that printed it, if it is named
	facts   []string
	cases   []savedCase
}

// savedCase has the time of the better peer divided by ours, with released results and with results that are never
// released; 0 means not measured.
type savedCase struct {
	name              string
	released, dropped float64
}

var (
	commands = regexp.MustCompile("go run \\./bench/compare[^`\n]*")
	versions = []*regexp.Regexp{
		regexp.MustCompile(`(?i)\b(go) ?(1\.\d+\.\d+)`), regexp.MustCompile(`(?i)\b(numpy) (\d+\.\d+\.\d+)`), regexp.MustCompile(`(?i)\b(?:py)?(torch) (\d+\.\d+\.\d+)`),
	}
	spelling = map[string]string{"go": "Go", "numpy": "NumPy", "torch": "PyTorch"}
)

// readSaved reads the first comparison with the peers in what this command printed, or in a document that has the table.
func readSaved(r io.Reader) (s saved, err error) {
	found := map[string]string{}
	inside := false
	for lines := bufio.NewScanner(r); lines.Scan(); {
		line := lines.Text()
		cells := strings.Split(strings.TrimSuffix(strings.TrimPrefix(line, "|"), "|"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		switch {
		case !strings.HasPrefix(line, "|") || len(cells) != len(columns):
			if inside {
				return s.finish(found)
			}
			s.command = cmp.Or(commands.FindString(line), s.command)
			for _, version := range versions {
				if m := version.FindStringSubmatch(line); m != nil {
					found[strings.ToLower(m[1])] = m[2]
				}
			}
		case !inside:
			inside = strings.Join(cells, "|") == strings.Join(columns, "|")
		case cells[0] != "---":
			c, err := readCase(cells)
			if err != nil {
				return s, fmt.Errorf("%s: %w", cells[0], err)
			}
			if c.released > 0 || c.dropped > 0 {
				s.cases = append(s.cases, c)
			}
		}
	}
	return s.finish(found)
}

func (s saved) finish(found map[string]string) (saved, error) {
	if len(s.cases) == 0 {
		return s, fmt.Errorf("no table of a comparison with NumPy and torch")
	}
	for _, name := range []string{"go", "numpy", "torch"} {
		if found[name] != "" {
			s.facts = append(s.facts, spelling[name]+" "+found[name])
		}
	}
	return s, nil
}

// readCase reads a row; cases that are not counted have no numbers.
func readCase(cells []string) (c savedCase, err error) {
	c.name = cells[0]
	if cells[5] == "" || bench.Uncounted.MatchString(c.name) {
		return c, nil
	}
	ratio, _, _ := strings.Cut(cells[5], " ")
	if c.released, err = strconv.ParseFloat(ratio, 64); err != nil {
		return c, err
	}
	better := math.Inf(1)
	for _, cell := range cells[3:5] {
		if cell != "" {
			ns, err := nanoseconds(cell)
			if err != nil {
				return c, err
			}
			better = min(better, ns)
		}
	}
	if cells[2] != "" {
		ns, err := nanoseconds(cells[2])
		if err != nil {
			return c, err
		}
		c.dropped = better / ns
	}
	return c, nil
}

// nanoseconds reads what duration writes.
func nanoseconds(text string) (float64, error) {
	number, unit, _ := strings.Cut(text, " ")
	v, err := strconv.ParseFloat(number, 64)
	if err != nil {
		return 0, err
	}
	for _, u := range units {
		if u.name == unit {
			return v * u.size, nil
		}
	}
	return 0, fmt.Errorf("%q is not a time", text)
}
