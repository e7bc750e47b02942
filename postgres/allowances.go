package postgres

import (
	"context"
	"database/sql"
	"time"

	"github.com/ctx-mcp/ctx-mcp/serve/allowance"
)

var _ allowance.Store = allowances{}

// allowances are the messages of callers that all servers of a database count together.
type allowances struct{ db *sql.DB }

// TakeMessages implements allowance.Store.
func (c allowances) TakeMessages(ctx context.Context, a allowance.Ask) (granted int, wait time.Duration, err error) {
	var seconds float64
	err = c.db.QueryRowContext(ctx, `SELECT granted, wait FROM take_messages(?, ?, ?, ?, ?, ?)`, a.Tenant, a.User, 1/a.PerSecond, a.Burst, a.Want, a.Back).
		Scan(&granted, &seconds)
	return granted, time.Duration(min(seconds, longestWait.Seconds()) * float64(time.Second)), err
}

// longestWait bounds the time that a caller is told to wait, which a rate of next to nothing makes longer than a Duration is.
const longestWait = 365 * 24 * time.Hour

// ForgetIdle implements allowance.Store.
func (c allowances) ForgetIdle(ctx context.Context) error {
	_, err := c.db.ExecContext(ctx, `SELECT forget_allowances()`)
	return err
}
