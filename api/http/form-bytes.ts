import type { IncomingMessage } from 'node:http';
import { Failure } from '../../shared/kernel/failure.ts';
import { withoutTurns } from '../../shared/kernel/line-direction.ts';
import { normalForm } from '../../shared/kernel/normal-form.ts';
import { shownBytes } from './body.ts';
import { restartBodyClock } from './body-timeout.ts';

/**
 * The bytes of a page's form as they come, at most `limit`. `grow` is told how many have come, and what it throws ends them.
 * `chunks` is the request, or an iterator of it that leaves it open. Errors: `body_too_large`.
 */
export async function* formBytes(
  request: IncomingMessage,
  chunks: AsyncIterable<Buffer>,
  { limit, grow }: { limit: number; grow?: ((bytes: number) => void) | undefined },
): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of chunks) {
    restartBodyClock(request);
    size += chunk.length;
    if (size > limit) {
      const bytes = shownBytes(limit);
      throw new Failure('body_too_large', {
        detail: { en: `The form may have ${bytes}`, ja: `フォームの上限は${bytes}です` },
        headers: { Connection: 'close' },
      });
    }
    grow?.(size);
    yield chunk;
  }
}

/**
 * A file's name without folders (the parser cuts them off), control characters and what turns the order of a line (`fdp.exe` would be
 * shown as `exe.pdf`), in one form: file systems of Apple write が as か and ゛.
 */
export function nameOfFile(given: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what must not stand in a name.
  return withoutTurns(normalForm(given, 'NFC')).replace(/[\u0000-\u001f\u007f]/g, '');
}
