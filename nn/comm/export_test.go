package comm

// SetPackBytes sets the size of the largest pack of several arrays.
func (c *Communicator) SetPackBytes(n int) { c.packBytes = n }
