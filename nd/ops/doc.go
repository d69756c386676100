// Package ops holds the functions of ndgrad on arrays, one chapter a file.
package ops
