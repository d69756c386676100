package train

import (
	"strconv"
	"strings"

	"github.com/ndgrad/ndgrad/nn/report"
)

// fillFileName returns a file name with the names in braces replaced by their values, with all digits: the millionth
// update has seven.
func fillFileName(name string, v *report.Values) string {
	for key, x := range v.All() {
		name = strings.ReplaceAll(name, "{"+key+"}", strconv.FormatFloat(x, 'f', -1, 64))
	}
	return name
}
