-- A draft has no file yet, so nothing that a file's name says. What was uploaded waits in storage under the creative's id
-- until a worker has checked it; only then do `renditions` and `poster` name objects of storage.
-- media: what the file was found to be. renditions: {profile: {object, bytes}}, by the names of domain/rendition.
-- check_starts: checks that were begun and came to no end; a file that kills whoever looks at it is rejected in the end.
alter table creatives
  alter column filename drop not null,
  alter column content_type drop not null,
  alter column kind drop not null,
  add column audio_filename text check (char_length(audio_filename) between 1 and 255),
  add column audio_content_type text,
  add column uploaded_at timestamptz,
  add column audio_uploaded_at timestamptz,
  add column check_starts integer not null default 0,
  add column progress_percent integer check (progress_percent between 0 and 100),
  add column media jsonb,
  add column renditions jsonb,
  add column poster text;
alter table creatives
  add constraint creatives_file_check check (status in ('draft', 'detached') or filename is not null),
  add constraint creatives_audio_check check ((audio_filename is null) = (audio_content_type is null) and (audio_filename is null or kind = 'still'));
create index creatives_awaiting on creatives (handle) where status = 'awaiting_upload';
