-- What a request with an Idempotency-Key was answered, written in the transaction of its effect and kept 24 hours.
-- scope: SHA-256 over workspace, book, method, path and key. fingerprint: SHA-256 over the body.
create table idempotent_replies (
  scope bytea primary key check (octet_length(scope) = 32),
  fingerprint bytea not null check (octet_length(fingerprint) = 32),
  status smallint not null check (status between 200 and 299),
  body bytea not null, -- sealed under the caller's own key where it holds a secret
  created_at timestamptz not null
);
create index idempotent_replies_by_age on idempotent_replies (created_at);
