package main

import "testing"

// TestRewrite checks the documented figures.
func TestRewrite(t *testing.T) {
	s, err := measure()
	if err != nil || s.changed.Total < 20 || s.changed.Ratio() < 0.6 || s.kept.Right != s.kept.Total {
		t.Errorf("%+v, %v", s, err)
	}
}
