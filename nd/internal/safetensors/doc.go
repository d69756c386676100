// Package safetensors reads and writes the safetensors format at the level of bytes: a JSON header with the location of
// each array, and the elements. It knows element types but not arrays.
//
// The package does not trust the header: it allocates memory as data arrive. It refuses a file if arrays overlap, if
// gaps or other data lie between or after them, or if two have the same name. The same arrays always make the same
// file.
//
// Errors carry no package prefix: the caller names its function and the file.
package safetensors
