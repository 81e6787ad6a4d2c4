import { loadOncePerTurn } from '../../db/load-once-per-turn.ts';
import { todayIn } from '../../kernel/days.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Grant } from '../../kernel/scope.ts';
import { type SettingsInForce, settingsOf } from '../settings/queries.ts';

/** What the fields of a document that are computed when it is read follow from. */
export type DocumentContext = {
  /** The day in the settings' zone. */
  today: string;
  settings: SettingsInForce;
  /** The caller's rights; null in events, which do not depend on a caller. */
  grants: readonly Grant[] | null;
};

const contexts = new WeakMap<Reader, Promise<DocumentContext>>();

/** The context of a request or job; the settings are read once in it. */
export function contextOf(reader: Reader): Promise<DocumentContext> {
  return contexts.get(reader) ?? contextBy(reader, settingsOf(reader));
}

const lookUp = loadOncePerTurn(
  async (reader) => new Map([[reader.organization_id, await settingsOf(reader)]]),
);

/** The same for what is asked by many at once: requests of the same moment share the reading of the settings. */
export function sharedContextOf(reader: Reader): Promise<DocumentContext> {
  const settings = async () => (await lookUp(reader, reader.organization_id))!;
  return contexts.get(reader) ?? contextBy(reader, settings());
}

function contextBy(reader: Reader, found: Promise<SettingsInForce>): Promise<DocumentContext> {
  const context = found.then((settings) => ({
    today: todayIn(settings.time_zone, reader.now),
    settings,
    grants: reader.actor.grants,
  }));
  context.catch(() => undefined);
  contexts.set(reader, context);
  return context;
}
