package torch

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"unicode/utf8"
)

// Numbers, texts, and the containers of values.

func (u *unpickler) number(op byte) error {
	switch op {
	case opLong1, opLong4:
		digits, err := u.counted(widthOf(op))
		if err != nil {
			return err
		}
		return u.push(integer(digits))
	case opBinFloat:
		b, err := u.take(8)
		if err != nil {
			return err
		}
		return u.push(math.Float64frombits(binary.BigEndian.Uint64(b)))
	}
	v, err := u.uint(widthOf(op))
	switch {
	case err != nil:
		return err
	case op == opBinInt:
		return u.push(int64(int32(v)))
	}
	return u.push(int64(v))
}

// integer returns an integer in two's complement, little-endian: an int64, or a *big.Int if it is larger.
func integer(digits []byte) any {
	b := slices.Clone(digits)
	slices.Reverse(b)
	v := new(big.Int).SetBytes(b)
	if len(b) > 0 && b[0] >= 0x80 {
		v.Sub(v, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
	}
	if v.IsInt64() {
		return v.Int64()
	}
	return v
}

func (u *unpickler) string(op byte) error {
	b, err := u.counted(widthOf(op))
	if err != nil {
		return err
	}
	if !utf8.Valid(b) {
		return fmt.Errorf("the text %q is not UTF-8", b)
	}
	return u.push(string(b))
}

// tuple makes a tuple of n values, or of those above the last mark if n is negative.
func (u *unpickler) tuple(n int) error {
	items, err := u.popItems(n)
	if err != nil {
		return err
	}
	return u.pushContainer(&List{slices.Clone(items)})
}

// appendItems appends n values, or those above the last mark, to the list below them.
func (u *unpickler) appendItems(n int) error {
	items, err := u.popItems(n)
	if err != nil {
		return err
	}
	if len(u.stack) == 0 {
		return errEmptyStack
	}
	list, ok := u.stack[len(u.stack)-1].(*List)
	if !ok {
		return errors.New("items are appended to a value that is not a list")
	}
	list.Items = append(list.Items, items...)
	return nil
}

// setItems sets entries of the dict below them.
func (u *unpickler) setItems(n int) error {
	items, err := u.popItems(n)
	switch {
	case err != nil:
		return err
	case len(u.stack) == 0:
		return errEmptyStack
	case len(items)%2 != 0:
		return errors.New("a key without a value")
	}
	d, ok := u.stack[len(u.stack)-1].(*Dict)
	if !ok {
		return errors.New("entries are set in a value that is not a dict")
	}
	for i := 0; i < len(items); i += 2 {
		if err := d.set(items[i], items[i+1]); err != nil {
			return err
		}
	}
	return u.budget.spend(len(items))
}
