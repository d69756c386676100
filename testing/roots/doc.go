// Package roots is a test: it holds what the garbage collector has to go through in every cycle because a program imports the
// library, which is variables with pointers, and what is made when the program starts.
package roots
