// Package safetensors reads and writes the safetensors format at the level of bytes: a JSON header that says where which array
// lies, and the elements. It knows element types and no arrays.
//
// What a header says is not trusted: memory is taken as data arrive, and a file is refused where arrays overlap, gaps or other
// data lie between or behind them, or two have one name. The same arrays always make the same file.
//
// Errors carry no package prefix: the caller names its function and the file.
package safetensors
