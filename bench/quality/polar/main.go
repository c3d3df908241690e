// Command polar scores the built-in reading of texts against what opposed personas must make of them.
package main

import (
	"fmt"
	"rostrum/domain/persona"
	"rostrum/llm/text"
	"os"
)

func main() {
	all, _ := set()
	want := len(os.Args) > 1 && os.Args[1] == "hold"
	verbose := !want
	n, right, sum := 0, 0, 0.0
	for _, r := range all {
		if r.hold != want { continue }
		s := text.NewStudy(r.text)
		a, b := s.Opinion(persona.Cares(r.more, nil)), s.Opinion(persona.Cares(r.less, nil))
		n++
		if a.Score > b.Score { right++ }
		sum += 2 * (a.Score - b.Score)
		if verbose {
			fmt.Printf("%5.2f %5.2f %s: %s > %s\n", a.Score, b.Score, r.title, r.more.Name, r.less.Name)
			if a.Score-b.Score < 1.1 {
				for _, o := range []text.Opinion{a, b} {
					for _, p := range append(o.Likes, o.Dislikes...) { fmt.Printf("      %5.2f %-22s %s\n", p.Value, p.About, p.Text) }
					fmt.Println("      --")
				}
			}
		}
	}
	fmt.Println(n, right, sum/float64(n))
}
