package quality

import (
	"fmt"
	"io"
	"text/tabwriter"

	"rostrum/model"
)

// worstShown is the number of lowest pages that a printed report lists.
const worstShown = 10

// Print writes the report as aligned plain text.
func (r Report) Print(w io.Writer) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, section := range []func(io.Writer){
		func(w io.Writer) { printGroups(w, "body text", r.Text) },
		func(w io.Writer) { printGroups(w, "\nkind", r.ByKind...) },
		func(w io.Writer) { printGroups(w, "\nlanguage", r.ByLanguage...) },
		r.printWorst,
		r.printShares,
		r.printWrong,
	} {
		section(table)
		if err := table.Flush(); err != nil {
			return err
		}
	}
	return nil
}

func (r Report) printWorst(w io.Writer) {
	fmt.Fprintf(w, "\nworst %d\tprecision\trecall\tF1\n", worstShown)
	for _, o := range r.Worst(worstShown) {
		fmt.Fprintf(w, "%s\t%.3f\t%.3f\t%.3f\n", o.Page.Name, o.Overlap.Precision, o.Overlap.Recall, o.Overlap.F1)
	}
}

func (r Report) printShares(w io.Writer) {
	fmt.Fprintln(w, "\nright")
	for _, line := range []struct {
		name string
		Share
	}{
		{"reason, all pages", r.Reasons},
		{"reason, traps", r.Traps},
		{"title", r.Title},
		{"author", r.Author},
		{"published", r.Published},
		{"language", r.Language},
	} {
		fmt.Fprintf(w, "%s\t%d of %d\t%.3f\n", line.name, line.Right, line.Total, line.Ratio())
	}
}

func (r Report) printWrong(w io.Writer) {
	fmt.Fprintln(w, "\nwrong reason\twant\tgot")
	for _, o := range r.Wrong() {
		fmt.Fprintf(w, "%s\t%s\t%s\n", o.Page.Name, reasonName(o.Page.Reason), reasonName(o.Got.Reason))
	}
}

func printGroups(w io.Writer, title string, groups ...Group) {
	fmt.Fprintf(w, "%s\tpages\tprecision\trecall\tF1\n", title)
	for _, g := range groups {
		fmt.Fprintf(w, "%s\t%d\t%.3f\t%.3f\t%.3f\n", g.Name, g.Pages, g.Mean.Precision, g.Mean.Recall, g.Mean.F1)
	}
}

func reasonName(reason model.ProcessingErrorCode) string {
	if reason == "" {
		return "text"
	}
	return string(reason)
}
