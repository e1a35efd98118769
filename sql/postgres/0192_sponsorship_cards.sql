-- A card that thanks a sponsor, drawn as a page from its words. `page_name` is drawn anew with each change and is all that
-- it takes to read the page.
alter table playlist_items add column card jsonb;
alter table playlist_items add column page_name text unique check (page_name ~ '^[0-9a-f]{32}$');
alter table playlist_items drop constraint playlist_items_fields;
alter table playlist_items add constraint playlist_items_fields check (case type
  when 'ai_menu' then num_nonnulls(template, duration_ms) = 2 and num_nonnulls(asset_handle, creative_handle, weight, card, page_name) = 0
  when 'image' then num_nonnulls(asset_handle, duration_ms) = 2 and num_nonnulls(template, creative_handle, weight, card, page_name) = 0
  when 'creative' then creative_handle is not null and num_nonnulls(template, asset_handle, weight, card, page_name) = 0
  when 'sponsorship_card' then num_nonnulls(card, page_name, duration_ms) = 3 and num_nonnulls(template, asset_handle, creative_handle, weight) = 0
  when 'ad_slot' then weight is not null and num_nonnulls(template, asset_handle, creative_handle, duration_ms, card, page_name) = 0
  else false end);
