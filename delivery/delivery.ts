/**
 * Assembles delivery: the engines, the parts, their updates, and the port; and stops it in the order that loses
 * nothing. `main.ts` calls this; tests start the same processes.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { assertWritable } from '#runtime/durable-file.ts';
import type { Running } from '#runtime/lifecycle.ts';
import type { Log } from '#runtime/log.ts';
import { createPlanStore } from '#sql/plan/plan-store.ts';
import { CLOCKS as clocks } from './clocks.ts';
import { certificateOf, type Configuration } from './configuration.ts';
import { closeEngines, openEngines } from './engines.ts';
import { publishGauges } from './gauges.ts';
import { createParts } from './parts.ts';
import { CLOSE } from './protocol/bounds.ts';
import { startRecording } from './recording/recording.ts';
import { startRefresh } from './recording/refresh.ts';
import { announce } from './screens/announcements.ts';
import { startCommands } from './screens/commands.ts';
import { startShedding } from './screens/shedding.ts';
import { followPlans } from './slots/plan-follow.ts';
import { startChangeFeed } from './snapshot/change-feed.ts';
import { startListener } from './sockets/listener.ts';
import { warmUp } from './warm-up/warm-up.ts';

/**
 * Part of the 10 s of a drain: screens keep batches that cannot be stored by then, because they got no acknowledgement.
 */
const FLUSH_MS_MAX = 4_000;
/** Part of the 10 s of a drain: the time in which all screens are sent to other processes, one after another. */
const SEND_AWAY_MS_MAX = 3_000;

/** Starts delivery; resolves when it answers screens. @throws the fault that prevents the start. */
export async function startDelivery(config: Configuration, log: Log): Promise<Running> {
  const certificate = certificateOf(config);
  assertWritable(config.DATA_DIR, 'DATA_DIR');
  const engines = await openEngines(config, log);
  const parts = await createParts(config, engines, log);
  const { node, store, loader, decisions, plays, outbox, budget, registry, presence, entry, conversation } = parts;

  const { sql } = engines;
  const filling = loader.loadAll().then(async whole => {
    await store.replaceAll(whole);
    return whole.position;
  });
  filling.catch(() => undefined); // heard of below, unless the start ends before
  await warmUp(config.SIGNING_KEYS, clocks, log); // in turns with the rows that come
  await budget.keeper.start(); // the epoch first, so that slots may be filled
  plays.held?.start();
  await registry.start();
  const position = await filling;
  const feed = await startChangeFeed({
    sql,
    store,
    loader,
    log,
    position,
    onEffects: effects => announce(effects, { store, engine: decisions.engine, registry, nowMs: clocks.now() }),
  });
  const recording = startRecording({ decisions, redis: engines.producer, node, log, now: clocks.now });
  const plan = followPlans({
    plans: createPlanStore(engines.commands),
    index: store.index,
    recorder: decisions.recorder,
    process: String(node),
    screens: () => registry.size,
    log,
    now: clocks.now,
  });
  const refresh = startRefresh(decisions.engine);
  const listener = await startListener(config, { certificate, conversation, log });
  publishGauges(parts, { feed, listener });
  const { DELIVERY_NODE: name, SCREEN_HELLOS_PER_SECOND_MAX: perSecondMax } = config;
  const stopCommands = await startCommands({ sql, registry });
  await startShedding({ ...engines, node: name, registry, perSecondMax, log });

  return {
    port: listener.port,
    async close() {
      listener.stop();
      conversation.drain();
      entry.admission.close();
      await Promise.race([
        Promise.all([outbox.flush(), recording.flush()]),
        sleep(FLUSH_MS_MAX, undefined, { ref: false }),
      ]);
      await registry.endAll(CLOSE.draining, 'draining: reconnect elsewhere, after a random wait', {
        perSecond: config.SCREEN_HELLOS_PER_SECOND_MAX,
        withinMs: SEND_AWAY_MS_MAX,
      });
      refresh.stop();
      plays.held?.stop();
      await plan.stop();
      outbox.close();
      await Promise.all([feed.close(), stopCommands()]);
      await budget.keeper.stop(); // while the engines still answer
      conversation.close();
      await presence.close();
      await Promise.all([parts.playQueue.close(), recording.close()]);
      listener.unlockPort();
      await closeEngines(engines);
    },
  };
}
