package main

import (
	"regexp"
	"strings"

	"github.com/ndgrad/ndgrad/examples/internal/opticks"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn/data"
)

// corpus is a text in three parts, as numbers of its words.
type corpus struct {
	train, valid, test []int
	words              int // how many different ones there are
}

// load reads the files of the Penn Treebank in a folder, or takes Newton's Opticks where that is empty.
func load(folder string) (corpus, error) {
	if folder == "" {
		text, err := opticks.Text()
		if err != nil {
			return corpus{}, err
		}
		return prepare(string(text)), nil
	}
	ptb, err := data.LoadPTB(folder)
	if err != nil {
		return corpus{}, err
	}
	return corpus{nd.ToSlice[int](ptb.Train), nd.ToSlice[int](ptb.Valid), nd.ToSlice[int](ptb.Test), ptb.Words.Len()}, nil
}

// seldom is how often a word has to appear to count as one; others are "<unk>", as in the Penn Treebank.
const seldom = 3

var wordOrMark = regexp.MustCompile(`[a-z]+|[.,;:?!]`)

// prepare makes words of a text: in small letters, with marks as words of their own. The last two tenths are to test with.
func prepare(text string) corpus {
	found := wordOrMark.FindAllString(strings.ToLower(text), -1)
	count := map[string]int{}
	for _, word := range found {
		count[word]++
	}
	var v data.Vocabulary
	all := make([]int, len(found))
	for i, word := range found {
		if count[word] < seldom {
			word = "<unk>"
		}
		all[i] = v.Add(word)
	}
	tenth := len(all) / 10
	return corpus{all[:8*tenth], all[8*tenth : 9*tenth], all[9*tenth:], v.Len()}
}

// shortened is the corpus with so many words in each part at most.
func (c corpus) shortened(most int) corpus {
	cut := func(words []int) []int { return words[:min(most, len(words))] }
	return corpus{cut(c.train), cut(c.valid), cut(c.test), c.words}
}
