package train

import (
	"strconv"
	"strings"

	"github.com/ndgrad/ndgrad/nn/report"
)

// filled is a file's name in which values stand for their names in braces: all digits of them, as the millionth update has seven.
func filled(name string, v *report.Values) string {
	for key, x := range v.All() {
		name = strings.ReplaceAll(name, "{"+key+"}", strconv.FormatFloat(x, 'f', -1, 64))
	}
	return name
}
