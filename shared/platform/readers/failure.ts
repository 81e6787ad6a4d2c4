import type { Text } from '../../kernel/language.ts';

/**
 * Why a file of somebody else was not read. `time`, `memory`, `answer_too_large`: it took more than it may. `refused`: the
 * reader says that it is not such a file, or more than it takes; `word` says what. `crashed`: the reader itself failed.
 */
export type ReaderReason = 'time' | 'memory' | 'answer_too_large' | 'refused' | 'crashed' | 'aborted';

/** What is said of a file that was not read; logs and jobs keep the English. */
export const unreadable = (why: string): Text => ({
  en: `A file could not be read: ${why}`,
  ja: `ファイルを読み取れませんでした：${why}`,
});

/** A file that was not read. The message has nothing of the file: it may be logged. */
export class ReaderFailure extends Error {
  override name = 'ReaderFailure';
  readonly reason: ReaderReason;
  readonly word: string | null;

  constructor(reason: ReaderReason, word: string | null = null) {
    super(unreadable(word ?? reason).en);
    this.reason = reason;
    this.word = word;
  }
}

/** What a reader throws for a file that is not one of its kind, or holds more than it takes. `word` is snake_case. */
export class UnreadableFile extends Error {
  override name = 'UnreadableFile';
  readonly word: string;

  constructor(word: string) {
    super(word);
    this.word = word;
  }
}
