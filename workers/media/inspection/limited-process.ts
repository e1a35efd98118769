/**
 * Runs ffmpeg and ffprobe, which read what strangers upload, within bounds: wall-clock time, CPU time, memory, size of
 * what they write, lowest priority, no environment. A program that exceeds one is killed with its child processes.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { extensionOf } from '#domain/campaigns/file-type.ts';
import { Fault } from '#runtime/fault-error.ts';
import type { Milliseconds } from '#domain/unit.ts';

export type Programs = { ffmpeg: string; ffprobe: string };
export type Tools = { programs: Programs; signal: AbortSignal };
/** Time is that of a core; `WALL_PER_CPU_MAX` bounds the wait for one. */
export type Limits = { cpuMsMax: Milliseconds; bytesWrittenMax: number };

/** An encoder of 1080p with one thread takes some 300 MB, one of 8K frames that are scaled down some 900 MB. */
const MEMORY_BYTES_MAX = 2 * 1024 ** 3;
const NICE = 15;
/** On a busy machine, the lowest priority gets a part of a core. */
const WALL_PER_CPU_MAX = 4;
/** The limit of a program's output and errors; ffprobe's answer for a file with hundreds of streams is smaller. */
const OUTPUT_BYTES_MAX = 1024 * 1024;
const DEMUXERS: Record<string, string> = {
  mp4: 'mov',
  mov: 'mov',
  m4a: 'mov',
  webm: 'matroska',
  mp3: 'mp3',
  wav: 'wav',
};
/** Only this file, as this kind of file. */
export const openOnly = (contentType: string): string[] => [
  '-protocol_whitelist',
  'file,pipe',
  '-f',
  DEMUXERS[extensionOf(contentType)]!,
];

/**
 * The shell's own units: `ulimit -v` counts kilobytes, `-f` blocks of 512 bytes. A system without memory limits skips
 * that.
 */
const SCRIPT = `ulimit -v ${MEMORY_BYTES_MAX / 1024} 2>/dev/null; ulimit -t "$1" 2>/dev/null; ulimit -f "$2" 2>/dev/null; shift 2; exec nice -n ${NICE} "$@"`;

export type Outcome = { code: number | null; stdout: string; stderr: string };

/**
 * Runs a program to its end; its progress (stdout) is passed on line by line.
 * @throws Fault `media_program_missing` when it is not installed, `media_timeout` when it was killed for going beyond a
 *   bound, `media_stopped` when the signal came.
 */
export async function runLimited(
  program: string,
  args: readonly string[],
  { limits, signal, onLine }: { limits: Limits; signal: AbortSignal; onLine?: (line: string) => void },
): Promise<Outcome> {
  if (signal.aborted) throw stopped();
  const seconds = Math.ceil(limits.cpuMsMax / 1_000);
  const child = spawn(
    '/bin/sh',
    ['-c', SCRIPT, 'sh', String(seconds), String(Math.ceil(limits.bytesWrittenMax / 512)), program, ...args],
    { stdio: ['ignore', 'pipe', 'pipe'], detached: true, env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C' } },
  );
  let isStopped = false;
  const timer = setTimeout(() => killGroup(child), limits.cpuMsMax * WALL_PER_CPU_MAX);
  const onAbort = () => {
    isStopped = true;
    killGroup(child);
  };
  signal.addEventListener('abort', onAbort);
  try {
    const outcome = await outcomeOf(child, onLine);
    if (isStopped) throw stopped();
    // Killed here, or by the system for time, memory or size: there is no verdict on the file.
    if (outcome.code === null)
      throw new Fault('media_timeout', `${program} went beyond ${seconds} s of a core, or its other bounds`, {
        retryable: true,
      });
    if (outcome.code === 126 || outcome.code === 127)
      throw new Fault('media_program_missing', `${program} cannot be run; is ffmpeg installed?`, { retryable: true });
    return outcome;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}

function stopped(): Fault {
  return new Fault('media_stopped', 'the service is draining', { retryable: true });
}

/** The child leads its own process group. */
function killGroup(child: ChildProcess): void {
  if (child.pid === undefined || child.exitCode !== null) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error; // it has ended meanwhile
  }
}

function outcomeOf(child: ChildProcess, onLine: ((line: string) => void) | undefined): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    let stdout = '';
    let stderr = '';
    child.stdout!.setEncoding('utf8').on('data', (chunk: string) => {
      const lines = (stdout + chunk).split('\n');
      if (onLine) stdout = lines.pop()!;
      else if (stdout.length < OUTPUT_BYTES_MAX) stdout += chunk;
      if (onLine) lines.forEach(onLine);
    });
    child.stderr!.setEncoding('utf8').on('data', (chunk: string) => {
      if (stderr.length < OUTPUT_BYTES_MAX) stderr += chunk;
    });
    child.once('error', cause =>
      reject(new Fault('media_program_missing', 'no shell to run ffmpeg in', { retryable: true, cause })),
    );
    child.once('close', code => resolve({ code, stdout, stderr }));
  });
}
