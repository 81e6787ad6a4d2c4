import { Failure } from '../../../shared/kernel/failure.ts';
import type { Text } from '../../../shared/kernel/language.ts';

/** The event streams that are open in this process. */
export type StreamPlaces = {
  /** Takes a place for a stream of a credential. Answers what gives it back. Errors: `rate_limited`. */
  take(credential_id: string): () => void;
  /** How many places are taken. */
  taken(): number;
};

/** How many streams may be open at a time: of one credential, and of all together in one process. */
export type StreamLimits = { credential: number; process: number };

export const streamLimits: StreamLimits = { credential: 20, process: 1000 };

/** Seconds after which somebody who was refused may find a place: no stream says when it will end. */
const RETRY_AFTER = 30;

/**
 * Counts open streams. Each holds a socket, a watch, and a query at every heartbeat for as long as its job waits, so
 * that the number of requests alone does not limit them.
 */
export function streamPlaces(limits: StreamLimits = streamLimits): StreamPlaces {
  const open = new Map<string, number>();
  let all = 0;

  return {
    take(credential_id) {
      const own = open.get(credential_id) ?? 0;
      if (own >= limits.credential)
        throw refused({
          en: `A credential may have ${limits.credential} streams open`,
          ja: `認証情報ごとに同時に開けるストリームは${limits.credential}本までです`,
        });
      if (all >= limits.process)
        throw refused({
          en: 'The service has no more streams to give just now',
          ja: 'ただいまこれ以上ストリームを開けません',
        });
      open.set(credential_id, own + 1);
      all++;
      let isTaken = true;
      return () => {
        if (!isTaken) return;
        isTaken = false;
        all--;
        const left = open.get(credential_id)! - 1;
        if (left > 0) open.set(credential_id, left);
        else open.delete(credential_id);
      };
    },
    taken: () => all,
  };
}

function refused(sentence: Text): Failure {
  return new Failure('rate_limited', {
    detail: {
      en: `${sentence.en}; close one, or try again in ${RETRY_AFTER} s`,
      ja: `${sentence.ja}。1つを閉じるか、${RETRY_AFTER}秒後にもう一度お試しください`,
    },
    headers: { 'Retry-After': String(RETRY_AFTER) },
  });
}
