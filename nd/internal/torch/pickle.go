package torch

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Instructions of a pickle, of protocols 2 to 5.
const (
	opMark           = '('
	opStop           = '.'
	opPop            = '0'
	opPopMark        = '1'
	opDup            = '2'
	opBinFloat       = 'G'
	opBinInt         = 'J'
	opBinInt1        = 'K'
	opBinInt2        = 'M'
	opNone           = 'N'
	opBinPersID      = 'Q'
	opReduce         = 'R'
	opBinString      = 'T'
	opShortBinString = 'U'
	opBinUnicode     = 'X'
	opEmptyList      = ']'
	opAppend         = 'a'
	opBuild          = 'b'
	opGlobal         = 'c'
	opAppends        = 'e'
	opBinGet         = 'h'
	opLongBinGet     = 'j'
	opBinPut         = 'q'
	opLongBinPut     = 'r'
	opSetItem        = 's'
	opTuple          = 't'
	opEmptyTuple     = ')'
	opSetItems       = 'u'
	opEmptyDict      = '}'
	opBinBytes       = 'B'
	opShortBinBytes  = 'C'
	opProto          = 0x80
	opNewObj         = 0x81
	opTuple1         = 0x85
	opTuple2         = 0x86
	opTuple3         = 0x87
	opNewTrue        = 0x88
	opNewFalse       = 0x89
	opLong1          = 0x8a
	opLong4          = 0x8b
	opShortUnicode   = 0x8c
	opBinUnicode8    = 0x8d
	opBinBytes8      = 0x8e
	opEmptySet       = 0x8f
	opAddItems       = 0x90
	opStackGlobal    = 0x93
	opMemoize        = 0x94
	opFrame          = 0x95
)

// Values that only the unpickler meets.
type (
	mark   struct{}
	global struct{ module, name string }
)

func (g global) String() string { return g.module + "." + g.name }

// storage is what a persistent id refers to: the memory of tensors.
type storage struct {
	class string
	key   string
	count int
}

// budget bounds the values that pickles may make, so that a small file cannot fill the memory.
type budget struct{ left int }

// newBudget returns the budget of a file of the given size.
func newBudget(size int64) *budget {
	const spare = 1 << 20
	return &budget{spare + int(size/2)}
}

// spend accounts for n values.
func (b *budget) spend(n int) error {
	if b.left -= n; b.left < 0 {
		return errors.New("the pickle makes more values than a file of this size may hold")
	}
	return nil
}

// unpickler reads one pickle.
type unpickler struct {
	text   []byte
	at     int
	stack  []any
	memo   map[uint32]any
	budget *budget

	classes map[string]string // of the storages, by their keys
}

// unpickle reads the pickle at the beginning of text, and returns its value and its length. It notes the classes of the
// storages.
func unpickle(text []byte, b *budget, classes map[string]string) (value any, length int, err error) {
	u := &unpickler{text: text, memo: map[uint32]any{}, budget: b, classes: classes}
	for {
		op, err := u.byte()
		if err != nil {
			return nil, 0, err
		}
		if op == opStop {
			value, err = u.pop()
			return value, u.at, err
		}
		start := u.at - 1
		if err := u.run(op); err != nil {
			return nil, 0, fmt.Errorf("byte %d of the pickle: %w", start, err)
		}
	}
}

// run carries out one instruction.
func (u *unpickler) run(op byte) error {
	switch op {
	case opProto:
		_, err := u.byte()
		return err
	case opFrame:
		_, err := u.take(8)
		return err
	case opMark:
		return u.push(mark{})
	case opPop:
		_, err := u.pop()
		return err
	case opPopMark:
		_, err := u.popMark()
		return err
	case opDup:
		if len(u.stack) == 0 {
			return errEmptyStack
		}
		return u.push(u.stack[len(u.stack)-1])
	case opNone:
		return u.push(nil)
	case opNewTrue:
		return u.push(true)
	case opNewFalse:
		return u.push(false)
	case opBinInt, opBinInt1, opBinInt2, opBinFloat, opLong1, opLong4:
		return u.number(op)
	case opBinUnicode, opShortUnicode, opBinUnicode8, opBinString, opShortBinString:
		return u.string(op)
	case opBinBytes, opShortBinBytes, opBinBytes8:
		b, err := u.counted(widthOf(op))
		if err != nil {
			return err
		}
		return u.push(b)
	case opEmptyList, opEmptyTuple, opEmptySet:
		return u.pushContainer(&List{})
	case opEmptyDict:
		return u.pushContainer(&Dict{})
	case opTuple:
		return u.tuple(-1)
	case opTuple1, opTuple2, opTuple3:
		return u.tuple(int(op-opTuple1) + 1)
	case opAppend:
		return u.appendItems(1)
	case opAppends, opAddItems:
		return u.appendItems(-1)
	case opSetItem:
		return u.setItems(2)
	case opSetItems:
		return u.setItems(-1)
	case opBinPut, opLongBinPut, opMemoize, opBinGet, opLongBinGet:
		return u.memorize(op)
	case opGlobal, opStackGlobal:
		return u.global(op)
	case opBinPersID:
		return u.persistent()
	case opReduce, opNewObj:
		return u.reduce()
	case opBuild:
		return u.build()
	}
	return fmt.Errorf("the instruction %q (%#x) is not one that tensors need", op, op)
}

// widthOf returns the number of bytes of the number behind an instruction: a value, a key of the memo, or the length of
// what follows. Others have none.
func widthOf(op byte) int {
	switch op {
	case opBinInt1, opLong1, opShortUnicode, opShortBinString, opShortBinBytes, opBinPut, opBinGet:
		return 1
	case opBinInt2:
		return 2
	case opBinInt, opLong4, opBinUnicode, opBinString, opBinBytes, opLongBinPut, opLongBinGet:
		return 4
	case opBinUnicode8, opBinBytes8:
		return 8
	}
	return 0
}

var errEmptyStack = errors.New("nothing is on the stack")

func (u *unpickler) byte() (byte, error) {
	b, err := u.take(1)
	if err != nil {
		return 0, err
	}
	return b[0], nil
}

// take returns the next n bytes.
func (u *unpickler) take(n int) ([]byte, error) {
	if n < 0 || n > len(u.text)-u.at {
		return nil, fmt.Errorf("the pickle ends early: %w", io.ErrUnexpectedEOF)
	}
	u.at += n
	return u.text[u.at-n : u.at : u.at], nil
}

// uint reads a number of the given width, little-endian.
func (u *unpickler) uint(width int) (uint64, error) {
	b, err := u.take(width)
	if err != nil {
		return 0, err
	}
	var wide [8]byte
	copy(wide[:], b)
	return binary.LittleEndian.Uint64(wide[:]), nil
}

// counted returns bytes whose number precedes them in the given width.
func (u *unpickler) counted(width int) ([]byte, error) {
	n, err := u.uint(width)
	if err != nil {
		return nil, err
	}
	if n > uint64(len(u.text)) {
		return nil, fmt.Errorf("%d bytes are more than the pickle has: %w", n, io.ErrUnexpectedEOF)
	}
	return u.take(int(n))
}

// line returns the bytes up to the end of the line.
func (u *unpickler) line() (string, error) {
	n := slices.Index(u.text[u.at:], '\n')
	if n < 0 {
		return "", fmt.Errorf("a line does not end: %w", io.ErrUnexpectedEOF)
	}
	b, err := u.take(n + 1)
	if err != nil {
		return "", err
	}
	return string(b[:n]), nil
}

func (u *unpickler) push(v any) error {
	u.stack = append(u.stack, v)
	return u.budget.spend(1)
}

func (u *unpickler) pushContainer(v any) error {
	const cost = 4
	u.stack = append(u.stack, v)
	return u.budget.spend(cost)
}

func (u *unpickler) pop() (any, error) {
	n := len(u.stack)
	if n == 0 {
		return nil, errEmptyStack
	}
	v := u.stack[n-1]
	u.stack = u.stack[:n-1]
	if v == (mark{}) {
		return nil, errors.New("a mark is not a value")
	}
	return v, nil
}

// popMark removes the values above the last mark, and the mark. They are valid until the next push.
func (u *unpickler) popMark() ([]any, error) {
	for i := len(u.stack) - 1; i >= 0; i-- {
		if u.stack[i] == (mark{}) {
			items := u.stack[i+1:]
			u.stack = u.stack[:i]
			return items, nil
		}
	}
	return nil, errors.New("there is no mark on the stack")
}

// popItems removes n values, or those above the last mark if n is negative.
func (u *unpickler) popItems(n int) ([]any, error) {
	if n < 0 {
		return u.popMark()
	}
	if n > len(u.stack) {
		return nil, errEmptyStack
	}
	items := u.stack[len(u.stack)-n:]
	if slices.Contains(items, any(mark{})) {
		return nil, errors.New("a mark is not a value")
	}
	u.stack = u.stack[:len(u.stack)-n]
	return items, nil
}

// memorize stores the top of the stack under a number, or pushes what is stored.
func (u *unpickler) memorize(op byte) error {
	wide, err := u.uint(widthOf(op))
	n := uint32(wide)
	if op == opMemoize {
		n = uint32(len(u.memo))
	}
	switch {
	case err != nil:
		return err
	case op == opBinGet || op == opLongBinGet:
		v, ok := u.memo[n]
		if !ok {
			return fmt.Errorf("nothing is stored under %d", n)
		}
		return u.push(v)
	case len(u.stack) == 0:
		return errEmptyStack
	}
	u.memo[n] = u.stack[len(u.stack)-1]
	return u.budget.spend(1)
}

func (u *unpickler) global(op byte) error {
	var g global
	if op == opGlobal {
		var errs [2]error
		g.module, errs[0] = u.line()
		g.name, errs[1] = u.line()
		if err := errors.Join(errs[:]...); err != nil {
			return err
		}
	} else {
		items, err := u.popItems(2)
		if err != nil {
			return err
		}
		var module, name bool
		g.module, module = items[0].(string)
		g.name, name = items[1].(string)
		if !module || !name {
			return errors.New("the name of a class is not a text")
		}
	}
	v, err := resolve(g)
	if err != nil {
		return err
	}
	return u.push(v)
}

// persistent replaces a persistent id: ('storage', class, key, device, number of elements[, view]).
func (u *unpickler) persistent() error {
	id, err := u.pop()
	if err != nil {
		return err
	}
	var s storage
	list, ok := id.(*List)
	if ok = ok && len(list.Items) >= 5 && list.Items[0] == "storage"; ok {
		class, isClass := list.Items[1].(global)
		key, isText := list.Items[2].(string)
		count, isNumber := list.Items[4].(int64)
		s = storage{class.name, key, int(count)}
		ok = isClass && strings.HasSuffix(class.name, "Storage") && isText && isNumber && count >= 0
		if len(list.Items) > 5 && list.Items[5] != nil {
			return errors.New("storages that are parts of others: want a file of PyTorch 0.4 or later")
		}
	}
	if !ok {
		return fmt.Errorf("the persistent id %v is not that of a storage", id)
	}
	u.classes[s.key] = s.class
	return u.pushContainer(&s)
}
