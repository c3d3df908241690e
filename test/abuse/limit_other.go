//go:build !linux

package main

import (
	"context"
	"errors"
)

func (t *target) limitMemory(context.Context) error {
	return errors.New("the memory of processes is limited on Linux only")
}

func (t *target) memory() int { return 0 }

func (t *target) peakMemory() int { return 0 }
