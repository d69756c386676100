package report

import (
	"encoding/json"
	"fmt"
	"iter"
	"math"

	"github.com/ndgrad/ndgrad/nn/archive"
)

// Summary is what remains of numbers when they are added up. chainer.Summary.
type Summary struct {
	n           int
	sum, square float64
}

// Add adds a number.
func (s *Summary) Add(x float64) {
	s.n++
	s.sum += x
	s.square += x * x
}

// Count returns how many numbers were added.
func (s *Summary) Count() int { return s.n }

// Mean returns their mean, not-a-number where there were none.
func (s *Summary) Mean() float64 { return s.sum / float64(s.n) }

// Statistics returns the mean, and the standard deviation of the numbers as of a whole population.
func (s *Summary) Statistics() (mean, std float64) {
	mean = s.Mean()
	return mean, math.Sqrt(max(0, s.square/float64(s.n)-mean*mean))
}

// Archive saves or restores the sums.
func (s *Summary) Archive(a *archive.Archive) {
	a.Int("_n", &s.n)
	a.Float("_x", &s.sum)
	a.Float("_x2", &s.square)
}

// Summaries are those of several names, in the order in which they first came. chainer.DictSummary.
type Summaries struct {
	names []string
	at    map[string]*Summary
}

// Add adds the values of all names.
func (s *Summaries) Add(v *Values) {
	for name, x := range v.All() {
		s.AddValue(name, x)
	}
}

// AddValue adds a number to those of a name.
func (s *Summaries) AddValue(name string, x float64) { s.of(name).Add(x) }

// of returns the summary of a name, which it makes if there is none.
func (s *Summaries) of(name string) *Summary {
	if s.at[name] == nil {
		if s.at == nil {
			s.at = map[string]*Summary{}
		}
		s.at[name] = &Summary{}
		s.names = append(s.names, name)
	}
	return s.at[name]
}

// All yields the summaries in the order of their names.
func (s *Summaries) All() iter.Seq2[string, *Summary] {
	return func(yield func(string, *Summary) bool) {
		for _, name := range s.names {
			if !yield(name, s.at[name]) {
				return
			}
		}
	}
}

// Means returns the mean of each name over the times that it came.
func (s *Summaries) Means() *Values {
	v := &Values{}
	for name, sum := range s.All() {
		v.Set(name, sum.Mean())
	}
	return v
}

// Statistics returns the mean of each name, and its standard deviation as NAME.std. chainer.DictSummary.make_statistics.
func (s *Summaries) Statistics() *Values {
	v := s.Means()
	for name, sum := range s.All() {
		_, std := sum.Statistics()
		v.Set(name+".std", std)
	}
	return v
}

// Clear forgets all numbers.
func (s *Summaries) Clear() { s.names, s.at = nil, nil }

// Archive saves or restores the sums of all names, in their order, as Chainer does: names are a list of JSON.
func (s *Summaries) Archive(a *archive.Archive) {
	raw, err := json.Marshal(append([]string{}, s.names...)) // a list without names is one, too
	if err != nil {
		a.Fail(err)
		return
	}
	text, restored := string(raw), s
	a.Immediate().Text("_names", &text)
	names := s.names
	if a.Loading() {
		restored, names = &Summaries{}, nil
		if err := json.Unmarshal([]byte(text), &names); err != nil {
			a.Fail(fmt.Errorf("\"_names\" is no list of texts: %w", err))
			return
		}
	}
	for i, name := range names {
		a.Object(fmt.Sprint("_summaries/", i), restored.of(name))
	}
	a.AfterLoad(func() { *s = *restored })
}
