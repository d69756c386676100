package nd

import (
	"encoding/binary"
	"fmt"
)

// The bytes of a stream: a version, its key, its counter and its number of splits, in little-endian order.
const (
	randVersion = 1
	randBytes   = 1 + 3*8
)

// MarshalBinary returns the state of the stream. A stream with this state draws what r would draw next.
func (r *Rand) MarshalBinary() ([]byte, error) {
	if r == nil {
		panic(noStream("Rand.MarshalBinary"))
	}
	b := append(make([]byte, 0, randBytes), randVersion)
	b = binary.LittleEndian.AppendUint64(b, uint64(r.key[0])|uint64(r.key[1])<<32)
	b = binary.LittleEndian.AppendUint64(b, r.counter)
	return binary.LittleEndian.AppendUint64(b, r.splits), nil
}

// UnmarshalBinary sets r to a state that MarshalBinary returned. On an error r does not change.
func (r *Rand) UnmarshalBinary(state []byte) error {
	if r == nil {
		panic(noStream("Rand.UnmarshalBinary"))
	}
	if len(state) != randBytes || state[0] != randVersion {
		return fmt.Errorf("nd.Rand: not the state of a stream: want %d bytes that begin with %d", randBytes, randVersion)
	}
	key := binary.LittleEndian.Uint64(state[1:])
	*r = Rand{key: [2]uint32{uint32(key), uint32(key >> 32)}, counter: binary.LittleEndian.Uint64(state[9:]), splits: binary.LittleEndian.Uint64(state[17:])}
	return nil
}
