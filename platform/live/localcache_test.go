package live_test

import (
	"testing"
	"testing/synctest"
	"time"

	"rostrum/platform/live"
)

func TestLocalCache(t *testing.T) {
	t.Run("a_value_expires", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			cache := live.NewLocalCache[string, int](2, time.Minute)
			cache.Add("a", 1)
			time.Sleep(time.Minute) // of the bubble's clock
			if value, ok := cache.Get("a"); !ok || value != 1 {
				t.Errorf("%d %t before it expires", value, ok)
			}
			time.Sleep(time.Second)
			if _, ok := cache.Get("a"); ok {
				t.Error("an expired value is found")
			}
			cache.Add("a", 2)
			if value, ok := cache.Get("a"); !ok || value != 2 {
				t.Errorf("%d %t after it was added again", value, ok)
			}
		})
	})
	t.Run("evicts_the_least_recently_used", func(t *testing.T) {
		cache := live.NewLocalCache[string, int](2, time.Minute)
		cache.Add("a", 1)
		cache.Add("b", 2)
		cache.Get("a")
		cache.Add("c", 3)
		_, hasA := cache.Get("a")
		_, hasB := cache.Get("b")
		if !hasA || hasB {
			t.Errorf("a %t, b %t", hasA, hasB)
		}
	})
	t.Run("removed_and_purged", func(t *testing.T) {
		cache := live.NewLocalCache[string, int](2, time.Minute)
		cache.Add("a", 1)
		cache.Add("b", 2)
		cache.Remove("a")
		if _, ok := cache.Get("a"); ok {
			t.Error("a removed key is found")
		}
		cache.Purge()
		if _, ok := cache.Get("b"); ok {
			t.Error("a purged key is found")
		}
	})
}
