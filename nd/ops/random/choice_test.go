package random_test

import (
	"math"
	"slices"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/random"
)

func TestChoiceWithoutReplacement(t *testing.T) {
	once := random.ChoiceOptions{Replace: new(false)}
	for _, c := range []struct{ n, count int }{{6, 6}, {6, 2}, {1000, 3}, {1000, 999}, {math.MaxInt32, 50}, {5, 0}} {
		x := nd.ToSlice[int64](random.Choice(nd.NewRand(2), c.n, []int{c.count}, once))
		slices.Sort(x)
		if len(slices.Compact(x)) != c.count || c.count > 0 && (x[0] < 0 || x[c.count-1] >= int64(c.n)) {
			t.Errorf("%d of %d: %v", c.count, c.n, x)
		}
	}
	if got := random.Choice(nd.NewRand(2), 6, []int{2, 3}, once).Shape(); !slices.Equal(got, []int{2, 3}) {
		t.Errorf("shape %v", got)
	}
}

// Of three numbers with weights 1, 2 and 3, the pair that leaves out the last comes with probability 1/6·2/5 + 2/6·1/4.
func TestChoiceWithoutReplacementIsOneAfterTheOther(t *testing.T) {
	const n = 4000
	rng, p := nd.NewRand(5), nd.FromSlice([]float64{1. / 6, 2. / 6, 3. / 6})
	without := make([]float64, 3)
	first := make([]float64, 3)
	for range n {
		x := nd.ToSlice[int64](random.Choice(rng, 3, []int{2}, random.ChoiceOptions{Replace: new(false), P: p}))
		without[3-x[0]-x[1]]++
		first[x[0]]++
	}
	for k, want := range []float64{2./6*3/4 + 3./6*2/3, 1./6*3/5 + 3./6*1/3, 1./6*2/5 + 2./6*1/4} {
		if math.Abs(without[k]/n-want) > 5*math.Sqrt(want*(1-want)/n) {
			t.Errorf("without %d: %v, want %v", k, without[k]/n, want)
		}
		if share := float64(k+1) / 6; math.Abs(first[k]/n-share) > 5*math.Sqrt(share*(1-share)/n) {
			t.Errorf("%d comes first: %v, want %v", k, first[k]/n, share)
		}
	}
}

func TestFewOfManyAreEachAsLikely(t *testing.T) {
	const n, trials = 100, 6000
	rng, counts := nd.NewRand(8), make([]float64, n)
	for range trials {
		for _, v := range nd.ToSlice[int64](random.Choice(rng, n, []int{2}, random.ChoiceOptions{Replace: new(false)})) {
			counts[v]++
		}
	}
	for v, count := range counts {
		if math.Abs(count-2*trials/n) > 5*math.Sqrt(2*trials/n) {
			t.Errorf("%d was drawn %v times of %d", v, count, 2*trials)
		}
	}
}

func TestChoiceOf(t *testing.T) {
	x := nd.FromSlice([]float32{1, 2, 3, 4, 5, 6}, 3, 2)
	y := random.ChoiceOf(nd.NewRand(1), x, []int{4, 5}, random.ChoiceOptions{P: nd.FromSlice([]float32{0, 1, 0})})
	if !slices.Equal(y.Shape(), []int{4, 5, 2}) || y.DType() != dtype.Float32 || nd.Value[float64](ops.Sum(y)) != 20*7 {
		t.Errorf("drew %v", y)
	}
}

func TestChoiceOfRows(t *testing.T) {
	x := nd.FromSlice([]float64{1, 2, 3, 4, 5, 6}, 2, 3)
	w := nd.FromSlice([]float32{0, 2, 0, 1, 0, 3}, 2, 3)
	tape := grad.NewTape()
	defer tape.Release()
	watched := tape.Watch(x)
	y := random.ChoiceOfRows(nd.NewRand(3), watched, w, []int{10, 40})
	if !slices.Equal(y.Shape(), []int{2, 10, 40}) {
		t.Fatalf("shape %v", y.Shape())
	}
	g := nd.ToSlice[float64](tape.Gradient(y, watched)[0]) // how often each was drawn
	if g[0] != 0 || g[1] != 400 || g[2] != 0 || g[4] != 0 || g[3]+g[5] != 400 || math.Abs(g[3]-100) > 5*math.Sqrt(75) {
		t.Errorf("drawn %v times", g)
	}
	pair := random.ChoiceOfRows(nd.NewRand(3), x.Index(nd.At(1)), w.Index(nd.At(1)), []int{2}, random.RowOptions{Replace: new(false)})
	if nd.Value[float64](ops.Sum(pair)) != 10 {
		t.Errorf("drew %v, want 4 and 6", pair)
	}
	if one := random.ChoiceOfRows(nd.NewRand(3), x, w, nil); !slices.Equal(one.Shape(), []int{2, 1}) {
		t.Errorf("shape %v", one.Shape())
	}
}

func TestOrders(t *testing.T) {
	p := nd.ToSlice[int64](random.Permutation(nd.NewRand(3), 50))
	if slices.IsSorted(p) {
		t.Error("Permutation leaves the order")
	}
	slices.Sort(p)
	for i, v := range p {
		if int64(i) != v {
			t.Fatalf("%v is no permutation", p)
		}
	}
	x := nd.ArangeInt(0, 24, 1).Reshape(12, 2)
	y := random.Shuffled(nd.NewRand(4), x)
	random.Shuffle(nd.NewRand(4), x)
	if x.String() != y.String() {
		t.Errorf("in place %v, else %v", x, y)
	}
	rows := nd.ToSlice[int64](x)
	for k := 0; k < 24; k += 2 {
		if rows[k]%2 != 0 || rows[k+1] != rows[k]+1 {
			t.Errorf("a row was torn: %v", x)
		}
	}
	if columns := random.Shuffled(nd.NewRand(1), x, ops.Over(-1)); nd.Value[int](ops.Sum(columns)) != 276 {
		t.Errorf("columns %v", columns)
	}
	orders := map[[3]int64]float64{}
	rng := nd.NewRand(9)
	for range 3000 {
		orders[[3]int64(nd.ToSlice[int64](random.Permutation(rng, 3)))]++
	}
	for order, count := range orders {
		if len(orders) != 6 || math.Abs(count-500) > 5*math.Sqrt(500) {
			t.Errorf("order %v came %v times of 3000", order, count)
		}
	}
}
