import type { Reader } from '../../kernel/reader.ts';
import type { Grant } from '../../kernel/scope.ts';
import { todayIn } from '../days.ts';
import { type SettingsInForce, settingsOf } from '../settings/queries.ts';

/** What the fields of a document that are computed when it is read follow from. */
export type DocumentContext = {
  /** The day in the settings' zone. */
  today: string;
  settings: SettingsInForce;
  /** The caller's rights; null in events, which are told without regard to any caller. */
  grants: readonly Grant[] | null;
};

const contexts = new WeakMap<Reader, Promise<DocumentContext>>();

/** The context of a request or job; the settings are read once in it. */
export function contextOf(reader: Reader): Promise<DocumentContext> {
  const known = contexts.get(reader);
  if (known) return known;
  const context = settingsOf(reader).then((settings) => ({
    today: todayIn(settings.time_zone, reader.now),
    settings,
    grants: reader.actor.grants,
  }));
  context.catch(() => undefined);
  contexts.set(reader, context);
  return context;
}
