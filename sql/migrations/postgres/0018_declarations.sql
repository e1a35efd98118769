-- What the law asks of a creative that a machine made or changed: its plays carry a label (EU AI Act, Article 50).
alter table creatives add column synthetic boolean not null default false;
