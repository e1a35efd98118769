/**
 * The configuration of the analysts' engine: its disk over the owner's files, which it cannot write to, its one user,
 * and its memory.
 */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { join } from 'node:path';

export const OWNER_DISK = 'owner';
/** The role that creates tables here; connections of analysts lack it. */
const KEEPER = 'keeper';

const GIB = 2 ** 30;
/** All queries of analysts together: three of the largest, if a quarter of the machine has room for them. */
const MEMORY_BYTES = { min: GIB, max: 6 * GIB, share: 0.25 };
// Blocks of compressed marks of what was read last; the default of 5 GiB is meant for a server.
const MARK_CACHE_BYTES = 128 * 2 ** 20;

/** Memory for the analysts' engine, as a part of this machine or container. */
function analystMemoryBytes(): number {
  const limit = process.constrainedMemory();
  const available = limit > 0 ? Math.min(limit, totalmem()) : totalmem();
  return Math.round(Math.min(MEMORY_BYTES.max, Math.max(MEMORY_BYTES.min, MEMORY_BYTES.share * available)));
}

/**
 * Recreates `folder` with the engine's configuration and returns the arguments that make the engine read it. Nothing in
 * it outlasts the process: the data are the owner's.
 *
 * The engine has one user, whom every connection is. By itself that user may only read; what makes tables comes from a
 * role, which a connection for analysts lays down before it takes a statement.
 */
export async function writeReaderConfig({
  folder,
  ownerFolder,
}: {
  folder: string;
  ownerFolder: string;
}): Promise<string[]> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const [config, users] = [join(folder, 'config.xml'), join(folder, 'users.xml')];
  await writeFile(config, configXml({ users, ownerFolder }), { mode: 0o600 });
  await writeFile(users, USERS_XML, { mode: 0o600 });
  return [`--config-file=${config}`];
}

function configXml({ users, ownerFolder }: { users: string; ownerFolder: string }): string {
  return `<clickhouse>
  <max_server_memory_usage>${analystMemoryBytes()}</max_server_memory_usage>
  <mark_cache_size>${MARK_CACHE_BYTES}</mark_cache_size>
  <user_directories><users_xml><path>${escapeXml(users)}</path></users_xml></user_directories>
  <storage_configuration><disks>
    <${OWNER_DISK}>
      <type>object_storage</type><object_storage_type>local_blob_storage</object_storage_type><metadata_type>plain</metadata_type>
      <readonly>1</readonly><skip_access_check>1</skip_access_check>
      <path>${escapeXml(ownerFolder)}/</path>
    </${OWNER_DISK}>
  </disks></storage_configuration>
</clickhouse>
`;
}

const USERS_XML = `<clickhouse>
  <profiles><default/></profiles>
  <quotas><default/></quotas>
  <roles><${KEEPER}><grants><query>GRANT ALL ON *.* WITH GRANT OPTION</query></grants></${KEEPER}></roles>
  <users><default>
    <password></password><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota>
    <grants><query>GRANT SELECT, SHOW ON *.*</query><query>GRANT ${KEEPER}</query></grants>
  </default></users>
</clickhouse>
`;

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
