package dbx

import (
	"reflect"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/uptrace/bun"
	"github.com/uptrace/bun/schema"
)

// Joined is the row that an edge leads to, for example the persona of a reaction. Columns are
// prefixed with the edge (persona.name) and scanned into the struct's relation of that name. Rows
// with the same key share one value; its ID is empty if the row does not exist. Only a server
// joins: see InProcess.
type Joined struct {
	// Key is the column with the joined row's id.
	Key string
	// Rows selects the rows that may be joined, without columns.
	Rows func() *bun.SelectQuery
}

// SelectWith adds the columns to the query, and joins the rows that columns such as persona.name
// come from. In process it adds the key of each joined row instead.
func SelectWith(db *DB, q *bun.SelectQuery, joined map[string]Joined, columns ...string) *bun.SelectQuery {
	own, edges := splitColumns(db, joined, columns)
	return selectJoined(q.Column(own...), edges)
}

// joinedEdge is an edge with its selected columns.
type joinedEdge struct {
	Joined
	name    string
	columns []string
}

// splitColumns separates the rows' own columns from the columns of joined rows. In process it
// returns no edges but adds their keys to own.
func splitColumns(db *DB, joined map[string]Joined, columns []string) (own []string, edges []joinedEdge) {
	at := slices.IndexFunc(columns, func(column string) bool { return strings.Contains(column, ".") })
	if at < 0 {
		return columns, nil
	}
	own = slices.Clone(columns[:at])
	for _, column := range columns[at:] {
		name, inner, isJoined := strings.Cut(column, ".")
		switch last := len(edges) - 1; {
		case !isJoined:
			own = append(own, column)
		case last >= 0 && edges[last].name == name:
			edges[last].columns = append(edges[last].columns, inner)
		default:
			edges = append(edges, joinedEdge{joined[name], name, []string{inner}})
		}
	}
	if !db.InProcess() {
		return own, edges
	}
	for _, edge := range edges {
		if !slices.Contains(own, edge.Key) {
			own = append(own, edge.Key)
		}
	}
	return own, nil
}

// selectJoined joins the rows of each edge and selects their columns, the id first. The names
// contain the edge, so the query can name its own columns without a table.
func selectJoined(q *bun.SelectQuery, edges []joinedEdge) *bun.SelectQuery {
	for _, edge := range edges {
		id, alias := joinedIdent(edge.name, "id"), bun.Ident("joined_"+edge.name)
		rows := edge.Rows().ColumnExpr("id AS ?", id)
		for _, column := range edge.columns {
			if column != "id" {
				rows = rows.ColumnExpr("? AS ?", bun.Ident(column), joinedIdent(edge.name, column))
			}
		}
		q = q.Join("LEFT JOIN (?) AS ? ON ? = ?", rows, alias, id, bun.Ident(edge.Key)).ColumnExpr("?.*", alias)
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

// addJoined adds a column of a joined row to the target of its edge, and first creates the target
// if needed. If the column belongs to no relation of the table, it returns targets unchanged.
func addJoined(targets []*joinedTarget, found pgx.Rows, table *schema.Table, texts *textList,
	place int) []*joinedTarget {
	described := found.FieldDescriptions()[place]
	edge, column, isJoined := strings.Cut(described.Name, joinedMark)
	relation := table.StructMap[edge]
	if !isJoined || relation == nil {
		return targets
	}
	if n := len(targets); n == 0 || targets[n-1].edge != edge {
		row := table.Type.FieldByIndex(relation.Index).Type.Elem()
		targets = append(targets, &joinedTarget{
			edge: edge, field: relation.Index, row: row, table: table.Dialect().Tables().Get(row), first: place,
			known: map[string]reflect.Value{},
		})
	}
	target := targets[len(targets)-1]
	var into columnTarget
	if field := target.table.LookupField(column); field != nil {
		into = targetOf(found.Conn().TypeMap(), texts, described, field.StructField.Type)
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
