/**
 * The network of a demo, kept in its data folder for the next start. It has what the database only holds as hashes:
 * keys, tokens of screens, and the private keys of sensing modules.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { replaceDurably } from '#runtime/durable-file.ts';
import { UsageError } from '../../arguments.ts';
import { enginesPath } from '../../instance/instance.ts';
import { SensingModule, type KeptModule } from '../../sensing-module.ts';
import type { MadeNetwork } from './network.ts';
import type { DemoScreen } from './screens.ts';

type KeptScreen = Omit<DemoScreen, 'module'> & { module?: KeptModule };
type KeptNetwork = Omit<MadeNetwork, 'screens' | 'away'> & { screens: KeptScreen[]; away: KeptScreen[] };

const pathOf = (dataDir: string) => join(dataDir, 'demo.json');

export function keepNetwork(dataDir: string, network: MadeNetwork): void {
  const kept = ({ module, ...screen }: DemoScreen): KeptScreen => ({
    ...screen,
    ...(module && { module: module.kept }),
  });
  const file: KeptNetwork = { ...network, screens: network.screens.map(kept), away: network.away.map(kept) };
  replaceDurably({ path: pathOf(dataDir), text: JSON.stringify(file), mode: 0o600 });
}

/**
 * The network of an earlier demo. Undefined for a new folder.
 * @throws UsageError if the folder holds other data, or a demo that was stopped before its network was complete
 */
export function readKeptNetwork(dataDir: string): MadeNetwork | undefined {
  if (existsSync(pathOf(dataDir))) {
    const file = JSON.parse(readFileSync(pathOf(dataDir), 'utf8')) as KeptNetwork;
    return { ...file, screens: file.screens.map(restored), away: file.away.map(restored) };
  }
  if (existsSync(enginesPath(dataDir)))
    throw new UsageError(
      `${dataDir} holds data, but no complete demo. Give --data-dir another folder, or delete this one.`,
    );
  return undefined;
}

const restored = ({ module, ...screen }: KeptScreen): DemoScreen => ({
  ...screen,
  module: module && new SensingModule(module.serial, module.privateKey),
});
