import type { Logger } from 'pino';
import { Failure } from '../../kernel/failure.ts';
import { reasonOf } from '../../kernel/reason.ts';
import type { SealSettings } from '../../platform/settings/settings.ts';
import { sealKeyOf } from './key.ts';

/**
 * Says in the log of a process that has started whether `SIGN_P12` cannot be opened or has ended: the first to meet it would be a
 * caller who sends a document. Nothing is said where it is not set: then the installation has no documents for signing, or a key
 * of its own. Never throws.
 */
export async function tellOfSealKey(settings: SealSettings, now: Date, log: Logger): Promise<void> {
  if (settings.signP12 === undefined) return;
  try {
    await sealKeyOf(settings, now);
  } catch (error) {
    const cause = error instanceof Failure ? (error.details.cause ?? error) : error;
    log.error(
      { reason: reasonOf(cause) },
      'Documents cannot be sent for signing: the key that seals does not open',
    );
  }
}
