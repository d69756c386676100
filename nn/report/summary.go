package report

import (
	"encoding/json"
	"fmt"
	"iter"
	"math"

	"github.com/ndgrad/ndgrad/nn/archive"
)

// Summary holds the sums of added numbers.
// Chainer: Summary.
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

// Count returns the number of added numbers.
func (s *Summary) Count() int { return s.n }

// Mean returns the mean, or NaN without numbers.
func (s *Summary) Mean() float64 { return s.sum / float64(s.n) }

// Statistics returns the mean and the population standard deviation of the numbers.
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

// Summaries are the summaries of several names, in the order in which the names first appeared.
// Chainer: DictSummary.
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

// AddValue adds a number to the summary of a name.
func (s *Summaries) AddValue(name string, x float64) { s.of(name).Add(x) }

// of returns the summary of a name; it creates a missing one.
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

// Means returns the mean of each name over the times that it was added.
func (s *Summaries) Means() *Values {
	v := &Values{}
	for name, sum := range s.All() {
		v.Set(name, sum.Mean())
	}
	return v
}

// Statistics returns the mean of each name, and its standard deviation as NAME.std.
// Chainer: DictSummary.make_statistics.
func (s *Summaries) Statistics() *Values {
	v := s.Means()
	for name, sum := range s.All() {
		_, std := sum.Statistics()
		v.Set(name+".std", std)
	}
	return v
}

// Clear removes all numbers.
func (s *Summaries) Clear() { s.names, s.at = nil, nil }

// Archive saves or restores the sums of all names, in their order, as Chainer does: names are a JSON list.
func (s *Summaries) Archive(a *archive.Archive) {
	raw, err := json.Marshal(append([]string{}, s.names...)) // an empty list, not null
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
			a.Fail(fmt.Errorf("\"_names\" is not a list of texts: %w", err))
			return
		}
	}
	for i, name := range names {
		a.Object(fmt.Sprint("_summaries/", i), restored.of(name))
	}
	a.AfterLoad(func() { *s = *restored })
}
