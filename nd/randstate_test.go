package nd_test

import (
	"testing"

	"github.com/ndgrad/ndgrad/nd"
)

func TestStateOfAStream(t *testing.T) {
	r := nd.NewRand(1 << 40)
	r.Perm(7)
	r.Split()
	state, err := r.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	var s nd.Rand
	if err := s.UnmarshalBinary(state); err != nil {
		t.Fatal(err)
	}
	if r.Uint64() != s.Uint64() || r.Split().Uint64() != s.Split().Uint64() {
		t.Error("the restored stream draws something else")
	}
	next := s
	for _, bad := range [][]byte{nil, state[1:], append([]byte{2}, state[1:]...), append(state, 0)} {
		if s.UnmarshalBinary(bad) == nil || s != next {
			t.Errorf("%d bytes were accepted as a state", len(bad))
		}
	}
}
