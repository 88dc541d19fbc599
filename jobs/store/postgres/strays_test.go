package postgres

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestDoctorTellsOfTriggers: and of rules, that no migration made.
func TestDoctorTellsOfTriggers(t *testing.T) {
	t.Parallel()
	s := openTest(t)
	h, err := s.Examine(t.Context(), false)
	require.NoError(t, err)
	require.True(t, h.Sound(), "%+v", h.Findings)
	for _, statement := range []string{
		`CREATE FUNCTION again() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.state := 'planned'; RETURN NEW; END $$`,
		`CREATE TRIGGER again BEFORE UPDATE ON jobs FOR EACH ROW EXECUTE FUNCTION again()`,
		`CREATE RULE never AS ON DELETE TO pauses DO INSTEAD NOTHING`,
	} {
		_, err := s.pool.Exec(t.Context(), statement)
		require.NoError(t, err)
	}
	h, err = s.Examine(t.Context(), false)
	require.NoError(t, err)
	require.Len(t, h.Findings, 1)
	assert.Equal(t, []string{"the rule never on pauses", "the trigger again on jobs"}, h.Findings[0].Named)
	assert.False(t, h.Sound())
}
