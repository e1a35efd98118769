-- Revoked by somebody, whatever time it is: the clocks of two API processes may differ, and a revocation waits for none.
-- `revoked_at` alone (a rotation) is a moment that is waited for.
alter table keys add column is_revoked boolean not null default false;
