//go:build !amd64 || purego

package threaded

// Without assembly there is no code: package cpu runs programs in plain Go.

func (c *Code) target() bool                         { return false }
func (c *Code) slotSize() int                        { return 0 }
func (c *Code) handlers(string) (main, tail uintptr) { return 0, 0 }
func limitOf(string) (limit [2]float64, ok bool)     { return limit, false }
func (r *Runner) enter()                             {}
func (r *Runner) resume()                            {}
