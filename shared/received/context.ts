import type { RetentionRule } from '../accounting/documents/retention.ts';
import { type DocumentContext, sharedContextOf } from '../invoicing/documents/context.ts';
import type { Reader } from '../kernel/reader.ts';
import { type ContextYear, settingsInForce } from './settings/in-force.ts';
import type { ReceiveSettings } from './settings/record.ts';

/** What the fields of a received document that are not stored follow from, and what new ones begin with. */
export type ReceivedContext = {
  /** The day in the organization's zone. */
  today: string;
  settings: ReceiveSettings;
  /** The settings of invoicing: the modes that documents begin with, the zone, our own bank account. */
  invoicing: DocumentContext['settings'];
  years: readonly ContextYear[];
  retention: readonly RetentionRule[];
  /** The caller's rights and user; null in audit entries, which do not depend on a caller. */
  grants: DocumentContext['grants'];
  user_id: string | null;
};

const contexts = new WeakMap<Reader, Promise<ReceivedContext>>();

/** The context of a request or job; the settings are read once in it. */
export function receivedContext(reader: Reader): Promise<ReceivedContext> {
  const known = contexts.get(reader);
  if (known) return known;
  const context = contextBy(reader);
  context.catch(() => undefined);
  contexts.set(reader, context);
  return context;
}

async function contextBy(reader: Reader): Promise<ReceivedContext> {
  const [{ today, settings: invoicing, grants }, { settings, years, retention }] = await Promise.all([
    sharedContextOf(reader),
    settingsInForce(reader),
  ]);
  return { today, settings, invoicing, years, retention, grants, user_id: reader.actor.user_id };
}
