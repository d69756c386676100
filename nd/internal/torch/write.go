package torch

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"math/big"
	"slices"
	"strconv"

	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Write writes a file that torch.load reads with weights_only=True. The tensors in value have the storages 0 to n-1; Write
// calls data for each in that order; data returns its bytes, little-endian.
func Write(w io.Writer, value any, n int, data func(i int) []byte) error {
	p := pickler{out: []byte{opProto, 2}}
	if err := p.value(value, 0); err != nil {
		return err
	}
	z := &zipWriter{counted: &countingWriter{w: w}}
	z.zip = zip.NewWriter(z.counted)
	const version = "3\n"
	z.member(pickleName, append(p.out, opStop))
	z.member(orderName, []byte("little"))
	for i := range n {
		z.member(dataFolder+strconv.Itoa(i), data(i))
	}
	z.member("version", []byte(version))
	if z.err != nil {
		return z.err
	}
	return z.zip.Close()
}

// zipWriter writes members that are not compressed, whose data are aligned as PyTorch aligns them.
type zipWriter struct {
	zip     *zip.Writer
	counted *countingWriter
	err     error
}

type countingWriter struct {
	w io.Writer
	n int64
}

func (c *countingWriter) Write(b []byte) (int, error) {
	n, err := c.w.Write(b)
	c.n += int64(n)
	return n, err
}

func (z *zipWriter) member(name string, data []byte) {
	const (
		folder      = "archive/"
		headerBytes = 30 // of a member, without its name
		extraBytes  = 4  // of an extra field, without its content
		align       = 64
	)
	if z.err != nil {
		return
	}
	if z.err = z.zip.Flush(); z.err != nil {
		return
	}
	name = folder + name
	start := z.counted.n + headerBytes + int64(len(name)) + extraBytes
	pad := int(-start & (align - 1))
	extra := append([]byte("FB"), binary.LittleEndian.AppendUint16(nil, uint16(pad))...)
	m, err := z.zip.CreateRaw(&zip.FileHeader{
		Name: name, Method: zip.Store, CRC32: crc32.ChecksumIEEE(data), Extra: append(extra, bytes.Repeat([]byte("Z"), pad)...),
		CompressedSize64: uint64(len(data)), UncompressedSize64: uint64(len(data)),
	})
	if err == nil {
		_, err = m.Write(data)
	}
	z.err = err
}

// pickler writes a pickle of protocol 2.
type pickler struct{ out []byte }

func (p *pickler) value(v any, depth int) error {
	const deepest = 200
	if depth > deepest {
		return fmt.Errorf("values are nested too deeply, or contain themselves")
	}
	switch v := v.(type) {
	case nil:
		p.op(opNone)
	case bool:
		if v {
			p.op(opNewTrue)
		} else {
			p.op(opNewFalse)
		}
	case int64:
		p.int(v)
	case *big.Int:
		return p.long(v)
	case float64:
		p.op(opBinFloat)
		p.out = binary.BigEndian.AppendUint64(p.out, math.Float64bits(v))
	case string:
		p.text(v)
	case *List:
		p.op(opEmptyList, opMark)
		for _, item := range v.Items {
			if err := p.value(item, depth+1); err != nil {
				return err
			}
		}
		p.op(opAppends)
	case *Dict:
		p.op(opEmptyDict, opMark)
		for i, key := range v.Keys {
			for _, part := range []any{key, v.Values[i]} {
				if err := p.value(part, depth+1); err != nil {
					return err
				}
			}
		}
		p.op(opSetItems)
	case *Tensor:
		p.tensor(v)
	default:
		return fmt.Errorf("a %T cannot be written", v)
	}
	return nil
}

func (p *pickler) op(ops ...byte) { p.out = append(p.out, ops...) }

func (p *pickler) int(v int64) {
	if v == int64(int32(v)) {
		p.op(opBinInt)
		p.out = binary.LittleEndian.AppendUint32(p.out, uint32(v))
		return
	}
	_ = p.long(big.NewInt(v)) // 9 bytes at most
}

// long writes an integer in two's complement, little-endian, with as few bytes as it needs.
func (p *pickler) long(v *big.Int) error {
	n := v.BitLen()/8 + 1
	if n > math.MaxUint8 { // torch.load with weights_only knows no instruction for longer ones
		return fmt.Errorf("an integer of %d bits cannot be written, at most %d", v.BitLen(), 8*math.MaxUint8-1)
	}
	unsigned := new(big.Int).Set(v)
	if v.Sign() < 0 {
		unsigned.Add(unsigned, new(big.Int).Lsh(big.NewInt(1), uint(8*n)))
	}
	digits := unsigned.FillBytes(make([]byte, n))
	slices.Reverse(digits)
	p.op(opLong1, byte(n))
	p.out = append(p.out, digits...)
	return nil
}

func (p *pickler) text(s string) {
	p.op(opBinUnicode)
	p.out = binary.LittleEndian.AppendUint32(p.out, uint32(len(s)))
	p.out = append(p.out, s...)
}

func (p *pickler) global(module, name string) {
	p.op(opGlobal)
	p.out = append(p.out, module+"\n"+name+"\n"...)
}

func (p *pickler) ints(list []int) {
	p.op(opMark)
	for _, n := range list {
		p.int(int64(n))
	}
	p.op(opTuple)
}

// tensor writes a call of torch._utils._rebuild_tensor_v2, or of _rebuild_tensor_v3 for dtypes without a class of
// storages.
func (p *pickler) tensor(t *Tensor) {
	class, module, function, count := storageClass(t.DType), "torch", "_rebuild_tensor_v2", t.Count
	if class == "" {
		class, module, function, count = untyped, "torch.storage", "_rebuild_tensor_v3", t.Count*t.DType.Size()
	}
	p.global("torch._utils", function)
	p.op(opMark)
	p.op(opMark)
	p.text("storage")
	p.global(module, class)
	p.text(t.Storage)
	p.text("cpu")
	p.int(int64(count))
	p.op(opTuple, opBinPersID)
	p.int(int64(t.Offset))
	p.ints(t.Shape)
	p.ints(t.Strides)
	p.op(opNewFalse)
	p.global("collections", "OrderedDict")
	p.op(opEmptyTuple, opReduce)
	if class == untyped {
		p.global("torch", t.DType.String())
	}
	p.op(opTuple, opReduce)
}

// NewDict returns a dict with entries. Keys may be nil, bool, int64, float64 or string, each once.
func NewDict(keys, values []any) (*Dict, error) {
	d := &Dict{}
	for i, key := range keys {
		if _, twice := d.lookup(key); twice {
			return nil, fmt.Errorf("the key %v is taken", key)
		}
		if err := d.set(key, values[i]); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// Contiguous returns the tensor of all elements of storage number i.
func Contiguous(i int, dt dtype.DType, shape []int) *Tensor {
	return &Tensor{DType: dt, Storage: strconv.Itoa(i), Count: broadcast.Size(shape), Shape: shape, Strides: broadcast.Strides(shape)}
}
