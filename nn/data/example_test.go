package data_test

import (
	"fmt"
	"strings"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn/data"
)

func Example() {
	x := nd.FromSlice([]float64{0, 10, 20, 30, 40}, 5, 1)
	labels := nd.FromSlice([]int{0, 1, 2, 3, 4})
	batches := data.NewLoader(data.NewSampler(5, 2), data.Rows(x, labels))
	for batches.Position().Epoch < 1 {
		batch, err := batches.Next()
		if err != nil {
			panic(err)
		}
		fmt.Println(batch[0].Reshape(-1), batch[1])
	}
	// Output:
	// [ 0. 10.] [0 1]
	// [20. 30.] [2 3]
	// [40.  0.] [4 0]
}

// Sentences of different lengths make batches with padding.
func ExampleExamples() {
	var words data.Vocabulary
	var sentences data.Slice[*nd.Array]
	for _, text := range []string{"the cat sat", "it sat", "the cat"} {
		ids, err := words.ReadWords(strings.NewReader(text))
		if err != nil {
			panic(err)
		}
		sentences = append(sentences, nd.FromSlice(ids))
	}
	load := data.Examples(sentences, data.Collate{Padding: new(-1.0)}.Arrays)
	batches := data.NewPrefetcher(data.NewSampler(len(sentences), 3), 2, 2, load)
	defer batches.Close()
	batch, err := batches.Next()
	fmt.Println(batch, err)
	fmt.Println(words.Word(1), words.Len())
	// Output:
	// [[ 0  1  2  3]
	//  [ 4  2  3 -1]
	//  [ 0  1  3 -1]] <nil>
	// cat 5
}

func ExampleSplit() {
	squares := data.Map(data.Slice[int]{1, 2, 3, 4, 5}, func(x int) (int, error) { return x * x, nil })
	train, test := data.Split(squares, 3)
	first, _ := train.At(0)
	last, err := data.Select(test, nd.At(-1))
	fmt.Println(train.Len(), test.Len(), first, last, err)
	// Output: 3 2 1 [25] <nil>
}
