/**
 * Disks of a machine whose power is cut: ext4 in a file, on a loop device (POWER_FS=xfs: XFS). The cut is the kernel's
 * own shutdown of a mounted file system, as its developers test crashes with. From one moment to the next nothing
 * reaches the disk any more, neither what was written and not synced nor the log of the file system, and every write
 * and sync fails.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { eventually } from '../../support/network.ts';

const run = promisify(execFile);
/** Of which a machine fills a tenth; the files are sparse. */
const DISK_BYTES = 2 * 2 ** 30;
/**
 * Nothing is written out but what somebody syncs: the log of ext4 not every five seconds but every ten minutes, and a
 * file that takes another's place not at once.
 */
const FILE_SYSTEMS: Record<string, { make: readonly string[]; options: string }> = {
  ext4: { make: ['mkfs.ext4', '-q', '-F', '-E', 'nodiscard'], options: 'loop,commit=600,noauto_da_alloc' },
  xfs: { make: ['mkfs.xfs', '-q', '-f', '-K'], options: 'loop' },
};
const FILE_SYSTEM = FILE_SYSTEMS[process.env['POWER_FS'] ?? 'ext4']!;
/**
 * "Without flushing the log": EXT4_IOC_SHUTDOWN of fs/ext4/ext4.h, and XFS_IOC_GOINGDOWN, which has the same number.
 */
const SHUTDOWN =
  'for my $path (@ARGV) { open my $disk, "<", $path or die "$path: $!"; my $how = pack("L", 2); ioctl($disk, 0x8004587d, $how) or die "$path: $!" }';
const RELEASED_MS_MAX = 30_000;

export type Disk = { image: string; mount: string };

/** @param mount where it is to be found; the caller that mounts it makes the folder */
export async function makeDisk({ image, mount }: Disk): Promise<Disk> {
  writeFileSync(image, '');
  truncateSync(image, DISK_BYTES);
  const [program, ...options] = FILE_SYSTEM.make;
  await run(program!, [...options, image]);
  return { image, mount };
}

/** Of a shell that has mounts of its own. */
export function mountLine({ image, mount }: Disk): string {
  return `mkdir -p '${mount}' && mount -o ${FILE_SYSTEM.options} '${image}' '${mount}'`;
}

/** Cuts the disks off, in this order and within a millisecond. @param root the file tree in which they are mounted */
export async function cutOff(disks: readonly Disk[], root: string): Promise<void> {
  await run('perl', ['-e', SHUTDOWN, ...disks.map(({ mount }) => root + mount)]);
}

/** Resolves when no device holds the disk any more: mounted a second time before, it would be ruined. */
export async function released({ image }: Disk): Promise<void> {
  await eventually(
    async () => ((await run('losetup', ['-j', image])).stdout.trim() === '' ? true : undefined),
    RELEASED_MS_MAX,
  );
}

/**
 * How a shell with mounts and processes of its own is started; it ends, with all that it has started, when its parent
 * does.
 */
export const IN_ITS_OWN_SPACE = [
  'setpriv',
  '--pdeathsig',
  'KILL',
  'unshare',
  '--mount',
  '--pid',
  '--fork',
  '--kill-child',
  '--mount-proc',
] as const;

/** Why no power can be cut on this machine, found out by doing it to an empty disk; undefined when it can. */
export async function whyNoPowerCut(): Promise<string | undefined> {
  if (process.platform !== 'linux') return `disks on loop devices are Linux's, this is ${process.platform}`;
  if (process.getuid?.() !== 0) return 'disks on loop devices are for root to mount';
  const folder = mkdtempSync(join(tmpdir(), 'marquee-power-probe-'));
  try {
    const disk = await makeDisk({ image: join(folder, 'image'), mount: join(folder, 'mount') });
    const [program, ...rest] = IN_ITS_OWN_SPACE;
    const inside = `${mountLine(disk)} && cd '${disk.mount}' && echo kept > synced && sync synced && echo lost > unsynced && cd / && perl -e '${SHUTDOWN}' '${disk.mount}'`;
    await run(program, [...rest, 'sh', '-c', inside]);
    await released(disk);
    mkdirSync(join(folder, 'found'));
    await run(program, [
      ...rest,
      'sh',
      '-c',
      `${mountLine(disk)} && cat '${disk.mount}/synced' > '${folder}/found/synced'; cat '${disk.mount}/unsynced' > '${folder}/found/unsynced' 2>/dev/null; true`,
    ]);
    await released(disk);
    const found = (name: string): string => readFileSync(join(folder, 'found', name), 'utf8').trim();
    return found('synced') === 'kept' && found('unsynced') === ''
      ? undefined
      : 'a disk that was cut off has kept what was not synced, or lost what was';
  } catch (error) {
    return `a disk on a loop device cannot be mounted and cut off here: ${(error as Error).message.trim()}`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
