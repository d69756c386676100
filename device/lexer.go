package device

import (
	"fmt"
	"strconv"
	"strings"
)

// SyntaxError says what is wrong with the source text of a program, and where.
type SyntaxError struct {
	Source string
	Offset int
	Msg    string
}

// Error says what is wrong, where, and in which text.
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("%s (at %d in %q)", e.Msg, e.Offset, e.Source)
}

type tokenKind uint8

const (
	tokenEnd tokenKind = iota
	tokenName
	tokenNumber
	tokenSymbol
)

type token struct {
	kind tokenKind
	text string
	at   int
}

// symbolAt returns the longest symbol of the language at the start of a text: << is not two times <. It returns the
// empty string if there is no symbol.
func symbolAt(src string) string {
	for n := min(3, len(src)); n > 0; n-- {
		switch symbol := src[:n]; symbol {
		case "<<=", ">>=", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=",
			"+", "-", "*", "/", "%", "<", ">", "=", "!", "~", "&", "|", "^", "?", ":", ";", ",", "(", ")", "[", "]", ".":
			return symbol
		}
	}
	return ""
}

// tokens splits source text. The language has no comments.
func tokens(src string) ([]token, error) {
	var all []token
	for at := 0; at < len(src); {
		c := src[at]
		switch {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			at++
			continue
		case letter(c):
			end := at + 1
			for end < len(src) && (letter(src[end]) || digit(src[end])) {
				end++
			}
			all = append(all, token{tokenName, src[at:end], at})
			at = end
			continue
		case digit(c), c == '.' && at+1 < len(src) && digit(src[at+1]):
			end := numberEnd(src, at)
			all = append(all, token{tokenNumber, src[at:end], at})
			at = end
			continue
		}
		symbol := symbolAt(src[at:])
		if symbol == "" {
			return nil, &SyntaxError{src, at, fmt.Sprintf("unexpected character %q", c)}
		}
		all = append(all, token{tokenSymbol, symbol, at})
		at += len(symbol)
	}
	return append(all, token{tokenEnd, "end of text", len(src)}), nil
}

func letter(c byte) bool { return c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }
func digit(c byte) bool  { return '0' <= c && c <= '9' }

// numberEnd returns the end of the number that begins at a position of the text: hexadecimal, or decimal with point and
// exponent, with C's suffixes.
func numberEnd(src string, at int) int {
	end := at
	if strings.HasPrefix(src[at:], "0x") || strings.HasPrefix(src[at:], "0X") {
		for end += 2; end < len(src) && (digit(src[end]) || 'a' <= src[end]|32 && src[end]|32 <= 'f'); end++ {
		}
		return end
	}
	for end < len(src) {
		c := src[end]
		exponentSign := (c == '+' || c == '-') && src[end-1]|32 == 'e' && end > at
		if !digit(c) && c != '.' && c|32 != 'e' && !exponentSign {
			break
		}
		end++
	}
	if end < len(src) && (src[end]|32 == 'f' || src[end]|32 == 'l' || src[end]|32 == 'u') {
		end++ // a C suffix: it does nothing, since literals take the type of the operand that they are combined with
	}
	return end
}

// literal reads the text of a number. integer says that the number has no point, no exponent and no suffix f.
func literal(text string) (value Scalar, integer bool, err error) {
	text = strings.ToLower(text)
	if !strings.HasPrefix(text, "0x") {
		float := strings.HasSuffix(text, "f") || strings.ContainsAny(text, ".e")
		text = strings.TrimRight(text, "flu")
		if float {
			value.Re, err = strconv.ParseFloat(text, 64)
			if err != nil && value.Re != 0 && value.Re == value.Re { // a number out of range is an infinity, as in C
				err = nil
			}
			return value, false, err
		}
	}
	u, err := strconv.ParseUint(text, 0, 64)
	return Scalar{Int: int64(u), Re: float64(u)}, true, err
}
