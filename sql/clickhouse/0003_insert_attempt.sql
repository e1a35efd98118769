-- Which attempt wrote a group's rows: its token is <group>:<attempt>. The first row of a group says it, the others 0. After
-- Redis was lost the token is known from here, so that a group whose views are not whole can be repeated under it.
alter table plays_raw add column attempt UInt16 default 0 comment 'Attempt that wrote the group, in its first row; 0 in the others';
alter table scans_raw add column attempt UInt16 default 0 comment 'Attempt that wrote the group, in its first row; 0 in the others';
