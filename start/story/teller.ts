/** Writes the story to a terminal. */
export type Teller = {
  /** Begins a chapter with what it is about. */
  chapter(title: string, about: string): void;
  /** A request as it goes out: its method, its path below /api/v1 and what it sends. */
  request(method: string, path: string, sent: unknown): void;
  /** What came back, in a few words. */
  answer(status: number, words: string): void;
  /** A line between. */
  say(words: string): void;
};

/** Characters of a body that are shown; the rest is left out with a sign. */
const SHOWN = 400;

/** Tells through `write`, a line at a time; `colour` for a terminal that a person looks at. */
export function teller(write: (line: string) => void, { colour }: { colour: boolean }): Teller {
  const styled = (code: number, text: string) => (colour ? `\u001b[${code}m${text}\u001b[0m` : text);
  let chapters = 0;
  return {
    chapter(title, about) {
      chapters += 1;
      write('');
      write(styled(1, `${chapters}. ${title}`));
      write(styled(2, `   ${about}`));
    },
    request(method, path, sent) {
      write('');
      write(`   ${styled(36, `${method} ${path}`)}`);
      if (sent === undefined) return;
      const text = typeof sent === 'string' ? sent : JSON.stringify(sent);
      write(styled(2, `   ${text.length > SHOWN ? `${text.slice(0, SHOWN)} …` : text}`));
    },
    answer(status, words) {
      write(`   ${styled(status < 400 ? 32 : 31, String(status))} ${words}`);
    },
    say(words) {
      write(`   ${words}`);
    },
  };
}

/** Whole yen as people read them. */
export function yen(amount: number): string {
  return `${amount < 0 ? '-' : ''}¥${Math.abs(amount).toLocaleString('en')}`;
}
