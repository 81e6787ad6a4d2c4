import { Failure } from '../../../shared/kernel/failure.ts';
import { giveMemoryBack } from '../../../shared/platform/storage/body.ts';
import { tellToContinue } from '../body.ts';
import { restartBodyClock } from '../body-timeout.ts';
import type { Request } from '../request.ts';

/**
 * The bytes of a body as they come. A sender who waits for 100 Continue gets it with the first look at them, so that a
 * refusal comes before they do. Reading on gives the sender another minute; to stop reading leaves the rest to who ends
 * the request. A chunk is gone once the next one is asked for. Errors: `malformed_form` where the body breaks.
 */
export async function* arrivingBytes(request: Request): AsyncGenerator<Buffer> {
  const { req } = request;
  tellToContinue(request);
  try {
    for await (const chunk of req.iterator({ destroyOnReturn: false })) {
      restartBodyClock(req);
      yield chunk as Buffer;
      giveMemoryBack(chunk as Buffer);
    }
  } catch (cause) {
    throw new Failure('malformed_form', {
      detail: { en: 'The body did not arrive whole', ja: '本文が最後まで届きませんでした' },
      cause,
    });
  }
}
