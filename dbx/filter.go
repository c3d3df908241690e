package dbx

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/schema"

	"rostrum/errs"
	"rostrum/model"
)

// Filter lists the conditions of a list. F is the GraphQL input with the values that a caller gave.
type Filter[F any] []Condition[F]

// Condition is one field of a filter.
type Condition[F any] struct {
	isSet func(*F) bool
	check func(*F, *errs.FieldErrors) // nil if every value is valid
	where func(*bun.SelectQuery, *F) *bun.SelectQuery
}

// Check returns an error with the code errs.ValidationFailed that names every invalid field.
func (c Filter[F]) Check(f *F) error {
	var invalid errs.FieldErrors
	for _, condition := range c {
		if f != nil && condition.check != nil && condition.isSet(f) {
			condition.check(f, &invalid)
		}
	}
	return invalid.Err()
}

// IsEmpty reports whether the filter matches every row.
func (c Filter[F]) IsEmpty(f *F) bool {
	for _, condition := range c {
		if f != nil && condition.isSet(f) {
			return false
		}
	}
	return true
}

// Apply adds a condition for every field that is set.
func (c Filter[F]) Apply(q *bun.SelectQuery, f *F) *bun.SelectQuery {
	for _, condition := range c {
		if f != nil && condition.isSet(f) {
			q = condition.where(q, f)
		}
	}
	return q
}

// MatchBy is a condition of its own: where adds it to a query.
func MatchBy[F, V any](get func(*F) *V, where func(q *bun.SelectQuery, value V) *bun.SelectQuery) Condition[F] {
	return Condition[F]{
		isSet: func(f *F) bool { return get(f) != nil },
		where: func(q *bun.SelectQuery, f *F) *bun.SelectQuery { return where(q, *get(f)) },
	}
}

// MatchValue selects the rows with the value in the column.
func MatchValue[F, V any](column string, get func(*F) *V) Condition[F] {
	return MatchBy(get, func(q *bun.SelectQuery, value V) *bun.SelectQuery {
		return q.Where("? = ?", bun.Ident(column), value)
	})
}

// MatchWords selects the rows that have every word in their indexed text. A blank text matches
// every row.
func MatchWords[F any](db *DB, table string, get func(*F) *string) Condition[F] {
	c := MatchBy(get, func(q *bun.SelectQuery, words string) *bun.SelectQuery { return db.Matching(q, table, words) })
	c.isSet = func(f *F) bool { return get(f) != nil && strings.TrimSpace(*get(f)) != "" }
	return c
}

// MatchQuery is MatchBy for a text that may be invalid: check returns what is wrong in it, or "". A
// blank text matches every row.
func MatchQuery[F any](get func(*F) *string, check func() string,
	where func(*bun.SelectQuery, string) *bun.SelectQuery) Condition[F] {
	c := MatchBy(get, where)
	c.isSet = func(f *F) bool { return get(f) != nil && strings.TrimSpace(*get(f)) != "" }
	c.check = func(_ *F, invalid *errs.FieldErrors) {
		if wrong := check(); wrong != "" {
			invalid.Body("bad_query", wrong, "filter", "q")
		}
	}
	return c
}

// maxChoices limits the values in a list of alternatives.
const maxChoices = 100

// MatchList is a condition on a list of values in the filter; where adds it to a query. An empty
// list matches every row. A list longer than most is invalid.
func MatchList[F, V any](name string, most int, get func(*F) []V,
	where func(q *bun.SelectQuery, values []V) *bun.SelectQuery) Condition[F] {
	return Condition[F]{
		isSet: func(f *F) bool { return len(get(f)) > 0 },
		check: func(f *F, invalid *errs.FieldErrors) {
			if n := len(get(f)); n > most {
				invalid.Body("too_long", fmt.Sprintf("has %d values, more than the %d that it may have", n, most),
					"filter", name)
			}
		},
		where: func(q *bun.SelectQuery, f *F) *bun.SelectQuery { return where(q, get(f)) },
	}
}

// MatchAny selects the rows with one of the values in the column.
func MatchAny[F, V any](name, column string, get func(*F) []V) Condition[F] {
	return MatchList(name, maxChoices, get, func(q *bun.SelectQuery, values []V) *bun.SelectQuery {
		return q.Where("? IN ?", bun.Ident(column), bun.Tuple(values))
	})
}

// MatchAnyText selects the rows that have one of the texts in the column, ignoring case. A blank
// text is invalid.
func MatchAnyText[F any](name, column string, get func(*F) []string) Condition[F] {
	return MatchAnyName(name, get, func(q *bun.SelectQuery, texts []string) *bun.SelectQuery {
		lower := make([]any, len(texts))
		for i, text := range texts {
			lower[i] = strings.TrimSpace(text)
		}
		return q.Where("lower(?) IN ("+strings.TrimSuffix(strings.Repeat("lower(?), ", len(texts)), ", ")+")",
			append([]any{bun.Ident(column)}, lower...)...)
	})
}

// MatchAnyName is MatchList for texts, up to maxChoices. A blank text is invalid.
func MatchAnyName[F any](name string, get func(*F) []string,
	where func(q *bun.SelectQuery, texts []string) *bun.SelectQuery) Condition[F] {
	c := MatchList(name, maxChoices, get, where)
	checkLength := c.check
	c.check = func(f *F, invalid *errs.FieldErrors) {
		checkLength(f, invalid)
		for i, text := range get(f) {
			if strings.TrimSpace(text) == "" {
				invalid.Body("empty", "must not be empty", "filter", name, i)
			}
		}
	}
	return c
}

// MatchTime selects the rows with a time in the range: from included, to excluded. The column may
// be an expression. A range is invalid unless it starts before it ends.
func MatchTime[F any](name, column string, get func(*F) *model.TimeRange) Condition[F] {
	return Condition[F]{
		isSet: func(f *F) bool { return get(f) != nil && (get(f).From != nil || get(f).To != nil) },
		check: func(f *F, invalid *errs.FieldErrors) {
			if r := get(f); r.From != nil && r.To != nil && !r.From.Before(*r.To) {
				invalid.Body("bad_range", "must be before to", "filter", name, "from")
			}
		},
		where: func(q *bun.SelectQuery, f *F) *bun.SelectQuery {
			r := get(f)
			return whereBound(whereBound(q, column, " >= ?", r.From), column, " < ?", r.To)
		},
	}
}

// MatchNumber selects the rows with a number in the range, both ends included. A range that starts
// after its end is invalid.
func MatchNumber[F any, N cmp.Ordered](name, column string, get func(*F) (from, to *N)) Condition[F] {
	return Condition[F]{
		isSet: func(f *F) bool { from, to := get(f); return from != nil || to != nil },
		check: func(f *F, invalid *errs.FieldErrors) {
			if from, to := get(f); from != nil && to != nil && *from > *to {
				invalid.Body("bad_range", "must not be greater than to", "filter", name, "from")
			}
		},
		where: func(q *bun.SelectQuery, f *F) *bun.SelectQuery {
			from, to := get(f)
			return whereBound(whereBound(q, column, " >= ?", from), column, " <= ?", to)
		},
	}
}

// whereBound compares the column with one end of a range, if it has this end.
func whereBound[V any](q *bun.SelectQuery, column, comparison string, bound *V) *bun.SelectQuery {
	if bound == nil {
		return q
	}
	return q.Where(column+comparison, *bound)
}

// Choices are what callers can choose in a list of T: a filter F and an order O.
type Choices[T, F any, O comparable] struct {
	Filter Filter[F]
	Orders Orders[O, T]
}

// Apply returns the list with the filter's conditions and the chosen order. It returns
// errs.ValidationFailed naming every invalid field of the filter.
func (c Choices[T, F, O]) Apply(l List[T], f *F, by *model.ListOrder[O]) (List[T], error) {
	if where := l.Where; !c.Filter.IsEmpty(f) {
		l.Where = func(q *bun.SelectQuery) *bun.SelectQuery { return c.Filter.Apply(where(q), f) }
	}
	return c.Orders.Sort(l, by), c.Filter.Check(f)
}

// MatchPart selects the rows that contain the text in the column, ignoring case: for example "ban"
// finds "Urban".
func MatchPart[F any](column string, get func(*F) *string) Condition[F] {
	return MatchBy(get, func(q *bun.SelectQuery, part string) *bun.SelectQuery {
		return whereLike(q, strings.TrimSpace(part), column)
	})
}

// MatchParts selects the rows that contain each word in one of the columns, ignoring case. For
// example, "ann lee" finds "Lee, Anna".
func MatchParts[F any](get func(*F) *string, columns ...string) Condition[F] {
	return MatchBy(get, func(q *bun.SelectQuery, words string) *bun.SelectQuery {
		for _, word := range strings.Fields(words) {
			q = whereLike(q, word, columns...)
		}
		return q
	})
}

var likeEscaper = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)

// whereLike selects the rows that contain the part in one of the columns.
func whereLike(q *bun.SelectQuery, part string, columns ...string) *bun.SelectQuery {
	terms, args := make([]string, len(columns)), make([]any, len(columns))
	for i, column := range columns {
		terms[i], args[i] = "?", Contains(column, part)
	}
	return q.Where("("+strings.Join(terms, " OR ")+")", args...)
}

// Contains returns the condition that the column contains the part, ignoring case.
func Contains(column, part string) schema.QueryWithArgs {
	return bun.SafeQuery(`lower(?) LIKE ? ESCAPE '\'`, bun.Ident(column),
		"%"+likeEscaper.Replace(strings.ToLower(part))+"%")
}
