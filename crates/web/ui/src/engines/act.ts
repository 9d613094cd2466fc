/** What is done to engines, with the refusals told as toasts. */
import { ask } from '../lib/wire.ts';
import { t } from '../lib/words.svelte.ts';
import type { EngineChange, EngineView } from '../lib/wire.ts';
import { failed, toast } from '../parts/toasts.svelte.ts';

/** Whether it was done; if not, a toast has said why. */
export async function changeEngine(engine: number, change: EngineChange): Promise<boolean> {
  return tell(() => ask({ ask: 'change-engine', engine, change }));
}

export async function removeEngine(engine: EngineView): Promise<boolean> {
  const done = await changeEngine(engine.id, { change: 'remove' });
  if (done)
    toast(t('engines.removed', { name: engine.name }), {
      undo: () => void changeEngine(engine.id, { change: 'restore' }),
    });
  return done;
}

export async function stopEngine(engine: EngineView): Promise<void> {
  if (await tell(() => ask({ ask: 'stop-engine', engine: engine.id })))
    toast(t('engines.stopped', { name: engine.name }));
}

/** Does something, and tells in a toast if it was refused. */
export async function tell(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    failed(error);
    return false;
  }
}
