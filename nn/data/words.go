package data

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// EndOfSentence is the word that stands for the end of a line.
const EndOfSentence = "<eos>"

// Vocabulary numbers words in the order in which they first appear. The zero value is empty.
type Vocabulary struct {
	words []string
	ids   map[string]int
}

// Len returns the number of words.
func (v *Vocabulary) Len() int { return len(v.words) }

// Word returns the word of a number.
func (v *Vocabulary) Word(id int) string {
	checkIndex("data.Vocabulary", id, len(v.words))
	return v.words[id]
}

// ID returns the number of a word, and whether the vocabulary has the word.
func (v *Vocabulary) ID(word string) (int, bool) {
	id, ok := v.ids[word]
	return id, ok
}

// IDs returns a map from all words to their numbers.
func (v *Vocabulary) IDs() map[string]int { return maps.Clone(v.ids) }

// Add returns the number of a word; it adds a new word to the vocabulary.
func (v *Vocabulary) Add(word string) int {
	id, ok := v.ids[word]
	if !ok {
		if v.ids == nil {
			v.ids = map[string]int{}
		}
		id, word = len(v.words), strings.Clone(word) // does not keep the text that contains the word
		v.ids[word] = id
		v.words = append(v.words, word)
	}
	return id
}

// ReadWords reads a text to its end and returns the numbers of its words. Spaces separate words, and [EndOfSentence]
// follows every line. New words are added to the vocabulary.
func (v *Vocabulary) ReadWords(r io.Reader) ([]int, error) {
	in := bufio.NewReader(r)
	var ids []int
	for number := 1; ; number++ {
		line, err := in.ReadString('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, fmt.Errorf("data.ReadWords: %w", err)
		}
		if number == 1 {
			line = strings.TrimPrefix(line, byteOrderMark)
		}
		if line != "" {
			for word := range strings.FieldsSeq(line) {
				ids = append(ids, v.Add(word))
			}
			ids = append(ids, v.Add(EndOfSentence))
		}
		if err != nil {
			return ids, nil
		}
	}
}

// PTB is the text of the Penn Treebank: the numbers of its words, int32 of shape (n,), and its vocabulary.
type PTB struct {
	Train, Valid, Test *nd.Array
	Words              *Vocabulary
}

// LoadPTB reads the words of the Penn Treebank from a folder with the files ptb.train.txt, ptb.valid.txt and
// ptb.test.txt, in this order.
// Chainer: datasets.get_ptb_words, datasets.get_ptb_words_vocabulary.
func LoadPTB(folder string) (*PTB, error) {
	p := &PTB{Words: &Vocabulary{}}
	for _, part := range []struct {
		name string
		ids  **nd.Array
	}{{"train", &p.Train}, {"valid", &p.Valid}, {"test", &p.Test}} {
		ids, err := p.Words.load(filepath.Join(folder, "ptb."+part.name+".txt"))
		if err != nil {
			return nil, fmt.Errorf("data.LoadPTB: %w", err)
		}
		*part.ids = nd.FromSlice(ids).AsType(dtype.Int32)
	}
	return p, nil
}

// load reads the words of a file.
func (v *Vocabulary) load(path string) ([]int, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: get ptb.train.txt, ptb.valid.txt and ptb.test.txt, the Penn Treebank as T. Mikolov prepared it, for example from "+
			"https://github.com/tomsercu/lstm, folder data", err)
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	ids, err := v.ReadWords(f)
	if err == nil && len(ids) == 0 {
		err = fmt.Errorf("%s has no words", path)
	}
	return slices.Clip(ids), err
}
