-- Which entries an export holds, besides their time. An export that was requested earlier, or by an earlier version of the
-- API, holds changes alone, as it did then.
alter table audit_exports add column filter jsonb not null default '{"kind": "changes", "withReads": false}';
