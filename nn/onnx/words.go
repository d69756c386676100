package onnx

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nn/model"
)

// words are the operators on texts.
func words() map[string]operator {
	return map[string]operator{
		"StringConcat": plain(stringConcat), "StringNormalizer": stringNormalizer, "StringSplit": stringSplit,
		"RegexFullMatch": regexFullMatch, "TfIdfVectorizer": tfIdfVectorizer,
	}
}

func stringConcat(c *call) []model.Value {
	a, b := c.text(0), c.text(1)
	shape, err := broadcast.Shapes(a.Shape, b.Shape)
	if err != nil {
		c.refuse("%v", err)
	}
	y := Texts{Shape: shape, Values: make([]string, 0, broadcast.Size(shape))}
	index := make([]int, len(shape))
	for range broadcast.Size(shape) {
		y.Values = append(y.Values, a.at(index)+b.at(index))
		broadcast.Next(index, shape)
	}
	return []model.Value{y}
}

// at returns the element that broadcasting puts at an index of a larger shape.
func (t Texts) at(index []int) string {
	own := slices.Clone(index[len(index)-len(t.Shape):])
	for i, n := range t.Shape {
		if n == 1 {
			own[i] = 0
		}
	}
	return t.Values[broadcast.Ravel(own, t.Shape)]
}

func stringNormalizer(n *node) run {
	action, exact := n.text("case_change_action", "NONE", "NONE", "LOWER", "UPPER"), n.flag("is_case_sensitive")
	stops := map[string]bool{}
	fold := func(s string) string {
		if exact {
			return s
		}
		return strings.ToLower(s)
	}
	for _, s := range n.texts("stopwords") {
		stops[fold(s)] = true
	}
	n.text("locale", "")
	return func(c *call) []model.Value {
		t := c.text(0)
		if len(t.Shape) != 1 && (len(t.Shape) != 2 || t.Shape[0] != 1) {
			c.refuse("a tensor of texts of shape %s: want [C] or [1, C]", broadcast.FormatShape(t.Shape))
		}
		var kept []string
		for _, s := range t.Values {
			if stops[fold(s)] {
				continue
			}
			switch action {
			case "LOWER":
				s = strings.ToLower(s)
			case "UPPER":
				s = strings.ToUpper(s)
			}
			kept = append(kept, s)
		}
		if len(kept) == 0 {
			kept = []string{""}
		}
		shape := slices.Clone(t.Shape)
		shape[len(shape)-1] = len(kept)
		return []model.Value{Texts{Shape: shape, Values: kept}}
	}
}

func stringSplit(n *node) run {
	delimiter, most := n.text("delimiter", ""), -1
	if n.has("maxsplit") {
		most = n.int("maxsplit", -1)
	}
	return func(c *call) []model.Value {
		t := c.text(0)
		parts, longest := make([][]string, len(t.Values)), 0
		counts := make([]int, len(t.Values))
		for i, s := range t.Values {
			parts[i] = pieces(s, delimiter, most)
			counts[i] = len(parts[i])
			longest = max(longest, counts[i])
		}
		y := Texts{Shape: append(slices.Clone(t.Shape), longest)}
		for _, p := range parts {
			y.Values = append(y.Values, p...)
			y.Values = append(y.Values, make([]string, longest-len(p))...)
		}
		return []model.Value{y, nd.FromSlice(counts, t.Shape...)}
	}
}

// pieces splits a text at a delimiter, or at white space, at most so many times.
func pieces(s, delimiter string, most int) []string {
	if delimiter != "" {
		if s == "" {
			return nil
		}
		if most >= 0 {
			return strings.SplitN(s, delimiter, most+1)
		}
		return strings.Split(s, delimiter)
	}
	var parts []string
	rest := strings.TrimSpace(s)
	for rest != "" {
		end := strings.IndexAny(rest, " \t\n\v\f\r")
		if end < 0 || most >= 0 && len(parts) == most {
			return append(parts, rest)
		}
		parts = append(parts, rest[:end])
		rest = strings.TrimSpace(rest[end:])
	}
	return parts
}

func regexFullMatch(n *node) run {
	pattern, err := regexp.Compile("^(?:" + n.text("pattern", "") + ")$")
	if err != nil {
		n.refuse("attribute pattern: %v", err)
		return nil
	}
	return func(c *call) []model.Value {
		t := c.text(0)
		matches := make([]bool, len(t.Values))
		for i, s := range t.Values {
			matches[i] = pattern.MatchString(s)
		}
		return one(nd.FromSlice(matches, t.Shape...))
	}
}

// vectorizer counts runs of words or numbers.
type vectorizer struct {
	shortest, longest, skips int
	columns                  map[string]int // by the key of a run
	weights                  map[string]float32
	width                    int
	mode                     string
}

func tfIdfVectorizer(n *node) run {
	v := vectorizer{shortest: n.int("min_gram_length", 1), longest: n.int("max_gram_length", 1), skips: n.int("max_skip_count", 0),
		mode: n.text("mode", "TF", "TF", "IDF", "TFIDF"), columns: map[string]int{}, weights: map[string]float32{}}
	var pool []string
	for _, k := range n.ints("pool_int64s") {
		pool = append(pool, strconv.Itoa(k))
	}
	pool = append(pool, n.texts("pool_strings")...)
	starts, columns, weights := n.ints("ngram_counts"), n.ints("ngram_indexes"), n.floats("weights")
	at := 0
	for i, start := range starts {
		end := len(pool)
		if i+1 < len(starts) {
			end = starts[i+1]
		}
		size := i + 1
		if start < 0 || end < start || end > len(pool) || (end-start)%size != 0 {
			n.refuse("attribute ngram_counts is %d", starts)
			return nil
		}
		for k := start; k < end; k += size {
			if at >= len(columns) || columns[at] < 0 || weights != nil && at >= len(weights) {
				n.refuse("fewer ngram_indexes or weights than runs in the pool")
				return nil
			}
			key := keyOf(pool[k : k+size])
			v.columns[key], v.weights[key] = columns[at], 1
			if weights != nil {
				v.weights[key] = weights[at]
			}
			at++
		}
	}
	for _, column := range columns {
		v.width = max(v.width, column+1)
	}
	n.graph.spare -= 8 * v.width
	if n.graph.spare < 0 || v.longest > len(starts)+1<<10 || v.skips > 1<<20 {
		n.refuse("attributes that need more memory than a file of this size may")
	}
	return func(c *call) []model.Value {
		items, shape := v.items(c)
		rows := 1
		if len(shape) == 2 {
			rows = shape[0]
		}
		y := make([]float32, rows*v.width)
		for r := range rows {
			v.count(items[r*len(items)/max(rows, 1):(r+1)*len(items)/max(rows, 1)], y[r*v.width:(r+1)*v.width])
		}
		if len(shape) == 2 {
			return one(nd.FromSlice(y, rows, v.width))
		}
		return one(nd.FromSlice(y))
	}
}

func keyOf(items []string) string { return strings.Join(items, "\x00") }

// items returns the words or numbers of the input.
func (v vectorizer) items(c *call) (items []string, shape []int) {
	if t, ok := c.value(0).(Texts); ok {
		return t.Values, t.Shape
	}
	x := c.x(0)
	for _, k := range nd.ToSlice[int64](x.AsType(dtype.Int64)) {
		items = append(items, fmt.Sprint(k))
	}
	return items, x.Shape()
}

// count adds up the runs in a row of items. Runs of one item have no skips.
func (v vectorizer) count(items []string, y []float32) {
	counts := map[string]float32{}
	for size := v.shortest; size <= v.longest; size++ {
		for step := 1; step <= v.skips+1; step++ {
			for from := 0; from+(size-1)*step < len(items); from++ {
				run := make([]string, size)
				for k := range run {
					run[k] = items[from+k*step]
				}
				if key := keyOf(run); v.weights[key] != 0 || v.has(key) {
					counts[key]++
				}
			}
			if size == 1 {
				break
			}
		}
	}
	for key, n := range counts {
		if v.mode == "IDF" {
			n = min(n, 1)
		}
		if v.mode != "TF" {
			n *= v.weights[key]
		}
		y[v.columns[key]] += n
	}
}

func (v vectorizer) has(key string) bool {
	_, ok := v.columns[key]
	return ok
}
