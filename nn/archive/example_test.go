package archive_test

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn/archive"
)

// A game saves its score, its board, and its stream of random numbers.
type game struct {
	score int
	board *nd.Array
	dice  *nd.Rand
}

func (g *game) Archive(a *archive.Archive) {
	a.Int("score", &g.score)
	a.Array("board", g.board)
	a.Object("dice", archive.Stream(g.dice))
}

func Example() {
	dir, err := os.MkdirTemp("", "game")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "game.npz")

	g := &game{score: 7, board: nd.FromSlice([]int{1, 0, 2}), dice: nd.NewRand(1)}
	fmt.Println(archive.Save(path, g))

	other := &game{board: nd.FromSlice([]int{0, 0, 0}), dice: nd.NewRand(2)}
	fmt.Println(archive.Load(path, other))
	fmt.Println(other.score, other.board, other.dice.IntN(6) == g.dice.IntN(6))
	// Output:
	// <nil>
	// <nil>
	// 7 [1 0 2] true
}
