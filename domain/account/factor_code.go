package account

import (
	"context"
	"crypto/rand"
	"regexp"
	"strings"
	"time"

	"github.com/go-redis/redis_rate/v10"
	"github.com/pquerna/otp"
	"github.com/pquerna/otp/hotp"
	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
)

// perCode limits the codes that are tried for a user from all addresses. Who tries knows the
// password already; a code of six digits would else be found by trying.
var perCode = redis_rate.Limit{Rate: 10, Burst: 10, Period: time.Hour}

const (
	// codePeriod is how many seconds a code of an authenticator app is shown.
	codePeriod = 30
	// codeDrift is how many periods the clocks may differ by.
	codeDrift = 1
	// recoveryCodes is how many recovery codes a user has, and recoveryLength that of each in
	// characters of base 32: 80 random bits.
	recoveryCodes  = 10
	recoveryLength = 16
)

var (
	errNoFactor  = errs.New(errs.InvalidState, "the second factor is off")
	errWrongCode = errs.Invalid(errs.BodyField("value_error",
		"is not the present code of your app or an unused recovery code; a code works once", "code"))
	// errNeedsCode is returned for the right password of a user with a second factor.
	errNeedsCode = errs.New(errs.SecondFactorRequired, "send the code of the authenticator app too, or a recovery code, as code")
)

// recoveryCode is a code that stands for one of the authenticator app, once.
type recoveryCode struct {
	bun.BaseModel `bun:"table:recovery_code"`

	UserID string `bun:"user_id,pk"`
	Hash   []byte `bun:"hash,pk"` // SHA-256; a code is random enough
}

// checkCode checks the code of a user who has sent the right password. It accepts any for a user
// without a second factor. It returns errs.SecondFactorRequired without a code,
// errs.ValidationFailed for a wrong one, and errs.RateLimited after too many.
func (s *Service) checkCode(ctx context.Context, user *model.User, code string) error {
	factor, err := s.readFactor(ctx, user.ID)
	if err != nil || factor.ConfirmedAt == nil {
		return err
	}
	if code == "" {
		return errNeedsCode
	}
	return s.tryCode(ctx, user, func(ctx context.Context, tx dbx.Tx) error { return s.useCode(ctx, tx, factor, code) })
}

// useOwnCode runs work in the transaction that uses a code of the signed-in user. It returns
// passwordUser's errors, errs.InvalidState without a second factor, errs.ValidationFailed for a wrong
// code, and errs.RateLimited after too many.
func (s *Service) useOwnCode(ctx context.Context, code string,
	work func(ctx context.Context, tx dbx.Tx, user *model.User) error) (*model.User, error) {
	user, err := s.passwordUser(ctx)
	if err != nil {
		return nil, err
	}
	factor, err := s.readFactor(ctx, user.ID)
	if err == nil && factor.ConfirmedAt == nil {
		err = errNoFactor
	}
	if err != nil {
		return nil, err
	}
	err = s.tryCode(ctx, user, func(ctx context.Context, tx dbx.Tx) error {
		if err := s.useCode(ctx, tx, factor, code); err != nil {
			return err
		}
		return work(ctx, tx, user)
	})
	return user, err
}

// tryCode runs use in a transaction, and counts the attempt of the user. A wrong code is in the audit
// log.
func (s *Service) tryCode(ctx context.Context, user *model.User, use func(ctx context.Context, tx dbx.Tx) error) error {
	attempts := s.pairKey("code", user.ID, "")
	if err := s.takeAttempt(ctx, attempts, perCode); err != nil {
		return err
	}
	err := s.db.InTx(ctx, use)
	switch {
	case errs.Is(err, errs.ValidationFailed):
		s.auditRefusal(ctx, user, "code")
	case err == nil:
		limited, cancel := s.limitSession(ctx)
		defer cancel()
		_ = s.limiter.Reset(limited, attempts) // else they expire
	}
	return err
}

var appCode = regexp.MustCompile(`^[0-9]{6}$`)

// useCode uses up a code of the app, or a recovery code. Spaces and hyphens do not count.
func (s *Service) useCode(ctx context.Context, tx dbx.Tx, factor *model.SecondFactor, code string) error {
	code = strings.NewReplacer(" ", "", "-", "").Replace(code)
	if !appCode.MatchString(code) {
		used, err := tx.NewDelete().Model((*recoveryCode)(nil)).
			Where("user_id = ? AND hash = ?", factor.UserID, hashOf(strings.ToLower(code))).Exec(ctx)
		return oneOrWrong(used, err)
	}
	step, err := s.stepOf(factor.UserID, factor.Secret, code)
	if err != nil {
		return err
	}
	used, err := tx.NewUpdate().Model((*model.SecondFactor)(nil)).Set("last_step = ?", step).
		Where("user_id = ? AND last_step < ?", factor.UserID, step).Exec(ctx)
	return oneOrWrong(used, err)
}

// oneOrWrong returns errWrongCode unless a statement has changed a row.
func oneOrWrong(result interface{ RowsAffected() (int64, error) }, err error) error {
	if err != nil {
		return dbx.Err(err)
	}
	if n, err := result.RowsAffected(); err != nil || n == 0 {
		return errWrongCode
	}
	return nil
}

// stepOf returns the period of a code of the app. It returns errWrongCode, or errs.Unavailable if the
// secret cannot be decrypted.
func (s *Service) stepOf(userID string, sealed []byte, code string) (int64, error) {
	secret, err := s.sealer.Open(userID, sealed)
	if err != nil {
		return 0, errs.Wrap(err, errs.Unavailable, "this server has lost the secret of your app: use a recovery code, or ask an owner to reset your second factor")
	}
	now := model.Now().Unix() / codePeriod
	for step := now - codeDrift; step <= now+codeDrift; step++ {
		same, err := hotp.ValidateCustom(code, uint64(step), secret, hotp.ValidateOpts{Digits: otp.DigitsSix, Algorithm: otp.AlgorithmSHA1})
		if err == nil && same {
			return step, nil
		}
	}
	return 0, errWrongCode
}

// newRecoveryCodes returns codes in groups of four characters.
func newRecoveryCodes() []string {
	codes := make([]string, recoveryCodes)
	for i := range codes {
		code := strings.ToLower(rand.Text()[:recoveryLength])
		codes[i] = code[:4] + "-" + code[4:8] + "-" + code[8:12] + "-" + code[12:]
	}
	return codes
}

// storeRecoveryCodes stores the codes of a user in the place of the former ones.
func storeRecoveryCodes(ctx context.Context, tx dbx.Tx, userID string, codes []string) error {
	if _, err := tx.NewDelete().Model((*recoveryCode)(nil)).Where("user_id = ?", userID).Exec(ctx); err != nil {
		return dbx.Err(err)
	}
	rows := make([]*recoveryCode, len(codes))
	for i, code := range codes {
		rows[i] = &recoveryCode{UserID: userID, Hash: hashOf(strings.ReplaceAll(code, "-", ""))}
	}
	_, err := tx.NewInsert().Model(&rows).Exec(ctx)
	return dbx.Err(err)
}
