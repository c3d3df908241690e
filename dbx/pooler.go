package dbx

import (
	"cmp"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// poolerParam is the parameter of an address that says that a pooler answers there, for example
// PgBouncer, and poolerTransaction its only value: each transaction may have another session.
const poolerParam, poolerTransaction = "pooler", "transaction"

// adaptSession sets what the program needs of a session. Behind a pooler, which refuses most settings
// of a session, the role has to have them, and no statement is prepared under a name. It returns an
// error for an unknown pooler.
func adaptSession(config *pgx.ConnConfig) (isPooled bool, err error) {
	config.ConnectTimeout = cmp.Or(config.ConnectTimeout, connectTimeout)
	params := config.RuntimeParams
	params["timezone"] = "UTC"
	pooler, isPooled := params[poolerParam]
	if !isPooled {
		config.StatementCacheCapacity = min(config.StatementCacheCapacity, preparedTexts)
		params[idleTimeoutParam] = cmp.Or(params[idleTimeoutParam], idleTimeout)
		return false, nil
	}
	if pooler != poolerTransaction {
		return false, fmt.Errorf("%s is %q: the only value is %s", poolerParam, pooler, poolerTransaction)
	}
	delete(params, poolerParam)
	config.StatementCacheCapacity = 0
	config.DefaultQueryExecMode = pgx.QueryExecModeCacheDescribe
	return true, nil
}
