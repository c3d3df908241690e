package dbx

import (
	"reflect"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/uptrace/bun"
	"github.com/uptrace/bun/schema"
)

// Joined describes the row that an edge of other rows leads to, such as the persona of a reaction. Its columns are named with the edge, as "persona.name",
// and are read into the field of the row's struct for bun's relation of that name, which rows with the same key share; its id is empty if no row was
// found. Only a server reads them: see InProcess.
type Joined struct {
	// Key is the column with the joined row's id.
	Key string
	// Rows selects the rows that may be joined, without columns.
	Rows func() *bun.SelectQuery
}

// SelectWith adds the columns to the query. Those of joined rows are added with their joins, and left out in process.
func SelectWith(db *DB, q *bun.SelectQuery, joined map[string]Joined, columns ...string) *bun.SelectQuery {
	own, others := splitColumns(columns)
	return selectJoined(db, q.Column(own...), joined, others)
}

// splitColumns returns the columns of the rows themselves, and those of joined rows by edge.
func splitColumns(columns []string) (own []string, joined map[string][]string) {
	at := slices.IndexFunc(columns, isJoined)
	if at < 0 {
		return columns, nil
	}
	joined = map[string][]string{}
	for _, column := range columns[at:] {
		if edge, name, ok := strings.Cut(column, "."); ok {
			joined[edge] = append(joined[edge], name)
		} else {
			own = append(own, column)
		}
	}
	return append(slices.Clone(columns[:at]), own...), joined
}

func isJoined(column string) bool { return strings.Contains(column, ".") }

// selectJoined joins the rows of each edge and selects their columns, the id first. Their names hold the edge, so that the query can name its own columns
// without a table.
func selectJoined(db *DB, q *bun.SelectQuery, joined map[string]Joined, columns map[string][]string) *bun.SelectQuery {
	if db.InProcess() {
		return q
	}
	for edge, names := range columns {
		rows := joined[edge].Rows().ColumnExpr("id AS ?", joinedIdent(edge, "id"))
		for _, name := range names {
			if name != "id" {
				rows = rows.ColumnExpr("? AS ?", bun.Ident(name), joinedIdent(edge, name))
			}
		}
		alias := bun.Ident("joined_" + edge)
		q = q.Join("LEFT JOIN (?) AS ? ON ? = ?", rows, alias, joinedIdent(edge, "id"), bun.Ident(joined[edge].Key)).ColumnExpr("?.*", alias)
	}
	return q
}

// joinedMark separates the edge from the column in the name of a joined column.
const joinedMark = "__"

func joinedIdent(edge, column string) bun.Ident { return bun.Ident(edge + joinedMark + column) }

// joinedTarget is where the columns of joined rows are decoded to.
type joinedTarget struct {
	edge    string
	field   []int         // of the row's struct, a pointer
	row     reflect.Type  // of the joined row
	table   *schema.Table // of the joined row
	first   int           // the place of its first column, the id
	columns []columnTarget
	known   map[string]reflect.Value // pointers to rows by id
}

// addJoined adds a column of a joined row to the target of its edge, which it adds to targets if it is the edge's first column. It returns the targets
// unchanged for a column that belongs to no relation of the table.
func addJoined(targets []*joinedTarget, found pgx.Rows, table *schema.Table, place int) []*joinedTarget {
	described := found.FieldDescriptions()[place]
	edge, column, isJoined := strings.Cut(described.Name, joinedMark)
	relation := table.StructMap[edge]
	if !isJoined || relation == nil {
		return targets
	}
	if n := len(targets); n == 0 || targets[n-1].edge != edge {
		row := table.Type.FieldByIndex(relation.Index).Type.Elem()
		targets = append(targets, &joinedTarget{
			edge: edge, field: relation.Index, row: row, table: table.Dialect().Tables().Get(row), first: place, known: map[string]reflect.Value{},
		})
	}
	target := targets[len(targets)-1]
	var into columnTarget
	if field := target.table.LookupField(column); field != nil {
		into = targetOf(found.Conn().TypeMap(), described, field.StructField.Type)
		into.field = field.Index
	}
	target.columns = append(target.columns, into)
	return targets
}

// decode stores the joined row of a row with the bytes of its columns.
func (j *joinedTarget) decode(raws [][]byte, row reflect.Value) error {
	id := raws[j.first]
	joined, isKnown := j.known[string(id)]
	if !isKnown {
		joined = reflect.New(j.row)
		for i := range j.columns {
			if id == nil || j.columns[i].field == nil {
				continue
			}
			if err := j.columns[i].decode(raws[j.first+i], joined.Elem().FieldByIndex(j.columns[i].field)); err != nil {
				return err
			}
		}
		j.known[string(id)] = joined
	}
	row.FieldByIndex(j.field).Set(joined)
	return nil
}
