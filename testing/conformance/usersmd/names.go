package main

import (
	"bufio"
	"cmp"
	"embed"
	"fmt"
	"regexp"
	"strings"
)

//go:embed names/*.txt
var lists embed.FS

// publicNames are the public names of a system, as written by names/list.py.
type publicNames struct {
	of    string            // the system and its version
	all   []string          // full names: "numpy.linalg.svd"
	alias map[string]string // name -> the other name of the same object
}

func readNames(system string) (publicNames, error) {
	p := publicNames{alias: map[string]string{}}
	file, err := lists.Open("names/" + system + ".txt")
	if err != nil {
		return p, err
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		if of, ok := strings.CutPrefix(lines.Text(), "# "); ok {
			p.of, _, _ = strings.Cut(of, ";")
			continue
		}
		name, other, same := strings.Cut(lines.Text(), " = ")
		if p.all = append(p.all, name); same {
			p.alias[name] = other
		}
	}
	if len(p.all) == 0 || p.of == "" {
		return p, fmt.Errorf("names/%s.txt has no names", system)
	}
	return p, lines.Err()
}

// sameObject lists the other names of the object that full names.
func (g *guide) sameObject(full string) []string {
	var list []string
	target := cmp.Or(g.names.alias[full], full)
	for _, name := range g.names.all {
		if name != full && (name == target || g.names.alias[name] == target) {
			list = append(list, name)
		}
	}
	return list
}

// exclusion gives the reason why the names that match a pattern are no functions that a user could look for.
type exclusion struct {
	pattern *regexp.Regexp
	reason  string
}

func exclude(pattern, reason string) exclusion {
	return exclusion{regexp.MustCompile("^(" + pattern + ")$"), reason}
}

// excluded returns the first exclusion of a name, or nil.
func excluded(name string) *exclusion {
	for i := range exclusions {
		if exclusions[i].pattern.MatchString(name) {
			return &exclusions[i]
		}
	}
	return nil
}
