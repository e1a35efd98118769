-- Facts and renditions of contents are a cache, found by hash. Those made before this version may have wrong colors, may lie
-- on their side, or may have too many frames, so a file that is uploaded again is checked and rendered anew. Creatives keep
-- the files that they have.
delete from renditions;
delete from media_contents;
