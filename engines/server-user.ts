/**
 * The user of PostgreSQL if we are root. The server gets a uid that no other program has, so that no service which also
 * runs as `nobody` can read its files. The system needs no entry for that uid. `initdb` does look its own user up, so
 * it runs as `nobody`, and what it made is handed over.
 */
import { chown, lstat, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

export type User = { uid: number; gid: number };

/** In the range that systemd leaves to services without an entry (61184 to 65519): no person has such a uid. */
const OWN_ID = 61_530;

/** Undefined if we are not root: everything then runs as the user that we are. */
export async function serverUsers(): Promise<{ server: User; initdb: User } | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const entries = (await readFile('/etc/passwd', 'utf8')).split('\n').map(line => line.split(':'));
  const [, , uid, gid] = entries.find(([name]) => name === 'nobody') ?? [];
  if (uid === undefined || gid === undefined)
    throw new Error(
      'initdb does not run as root and there is no user nobody in /etc/passwd; run as another user or set DATABASE_URL',
    );
  const taken = entries.find(entry => Number(entry[2]) === OWN_ID);
  if (taken) throw new Error(`PostgreSQL runs under uid ${OWN_ID}, which ${taken[0]} has; run as another user`);
  // macOS writes nobody as -2; spawn and chown want it unsigned.
  return { server: { uid: OWN_ID, gid: OWN_ID }, initdb: { uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 } };
}

/** Gives a folder and all that is in it to a user, the folder last: a start that is cut off begins again. */
export async function giveAll(folder: string, user: User): Promise<void> {
  const clusterOwner = await lstat(join(folder, 'data'));
  if (clusterOwner.uid === user.uid) return giveOne(folder, user);
  await giveDeep(folder, user);
}

async function giveDeep(path: string, user: User): Promise<void> {
  for (const entry of await readdir(path, { withFileTypes: true })) {
    const child = join(path, entry.name);
    if (entry.isDirectory()) await giveDeep(child, user);
    else if (!entry.isSymbolicLink()) await giveOne(child, user);
  }
  await giveOne(path, user);
}

const giveOne = (path: string, { uid, gid }: User) => chown(path, uid, gid);
