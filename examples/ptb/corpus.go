package main

import (
	"regexp"
	"strings"

	"github.com/ndgrad/ndgrad/examples/internal/opticks"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn/data"
)

// corpus is a text in three parts, as indices of its words in the vocabulary.
type corpus struct {
	train, valid, test []int
	words              int // number of different words
}

// load reads the files of the Penn Treebank in a folder, or takes Newton's Opticks if folder is empty.
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

// minOccurrences is the minimum number of occurrences of a word; rarer words become "<unk>", as in the Penn Treebank.
const minOccurrences = 3

var wordOrMark = regexp.MustCompile(`[a-z]+|[.,;:?!]`)

// prepare splits a text into words, in lower case, with punctuation marks as words. The last two tenths are for
// validation and test.
func prepare(text string) corpus {
	found := wordOrMark.FindAllString(strings.ToLower(text), -1)
	count := map[string]int{}
	for _, word := range found {
		count[word]++
	}
	var v data.Vocabulary
	all := make([]int, len(found))
	for i, word := range found {
		if count[word] < minOccurrences {
			word = "<unk>"
		}
		all[i] = v.Add(word)
	}
	tenth := len(all) / 10
	return corpus{all[:8*tenth], all[8*tenth : 9*tenth], all[9*tenth:], v.Len()}
}

// truncated returns the corpus with at most the given number of words in each part.
func (c corpus) truncated(most int) corpus {
	cut := func(words []int) []int { return words[:min(most, len(words))] }
	return corpus{cut(c.train), cut(c.valid), cut(c.test), c.words}
}
