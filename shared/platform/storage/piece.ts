import { tooLarge } from './measure.ts';
import type { Piece, PieceOptions } from './storage.ts';

/** A piece while it arrives: chunks that end where the body breaks, and how it ended. */
export type ArrivingPiece = {
  chunks: AsyncGenerator<Buffer>;
  ended(): Piece;
};

/** Lets a piece through that begins after `at` bytes: up to the limit, and whatever came before its body broke. */
export function pieceOf(
  body: AsyncIterable<Buffer>,
  at: number,
  { limit, hash }: PieceOptions,
): ArrivingPiece {
  const piece: Piece = { received: at, broken: null };
  async function* chunks(): AsyncGenerator<Buffer> {
    const arriving = body[Symbol.asyncIterator]();
    try {
      for (;;) {
        const next = await arriving.next();
        if (next.done) return;
        const kept = next.value.subarray(0, limit - piece.received);
        hash?.update(kept);
        piece.received += kept.length;
        const isBeyond = kept.length < next.value.length;
        if (kept.length > 0) yield kept;
        if (isBeyond) throw tooLarge(limit);
      }
    } catch (error) {
      piece.broken = error;
    } finally {
      await arriving.return?.();
    }
  }
  return { chunks: chunks(), ended: () => piece };
}
