package onnx

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/ndgrad/ndgrad/nn/model"
)

// tokenizer cuts texts into tokens: those that an expression matches, what lies between separators, or single characters.
// The rows of the last axis are filled up with the attribute pad_value.
func tokenizer(n *node) run {
	mark, least, pad := n.flag("mark"), n.int("mincharnum", 1), n.text("pad_value", "")
	separators, expression, stops := n.texts("separators"), n.text("tokenexp", ""), n.texts("stopwords")
	var cut func(text string) []string
	switch {
	case expression != "":
		e, err := regexp.Compile(expression)
		if err != nil {
			n.refuse("attribute tokenexp: %v", err)
			return nil
		}
		cut = func(text string) []string { return e.FindAllString(text, -1) }
	case len(separators) == 1 && separators[0] == "":
		cut = func(text string) []string { return strings.Split(text, "") }
	default:
		var all []*regexp.Regexp
		for _, s := range separators {
			e, err := regexp.Compile(s)
			if err != nil || s == "" {
				n.refuse("attribute separators contains %q", s)
				return nil
			}
			all = append(all, e)
		}
		cut = func(text string) []string {
			tokens := []string{text}
			for _, e := range all {
				var finer []string
				for _, t := range tokens {
					finer = append(finer, e.Split(t, -1)...)
				}
				tokens = finer
			}
			return tokens
		}
	}
	return func(c *call) []model.Value {
		t := c.text(0)
		rows, longest := make([][]string, len(t.Values)), 0
		for i, text := range t.Values {
			rows[i] = slices.DeleteFunc(cut(text), func(token string) bool {
				return token == "" || utf8.RuneCountInString(token) < least || slices.Contains(stops, token)
			})
			if mark {
				rows[i] = slices.Concat([]string{"\x02"}, rows[i], []string{"\x03"})
			}
			longest = max(longest, len(rows[i]))
		}
		y := Texts{Shape: append(slices.Clone(t.Shape), longest)}
		for _, row := range rows {
			y.Values = append(append(y.Values, row...), slices.Repeat([]string{pad}, longest-len(row))...)
		}
		return []model.Value{y}
	}
}
