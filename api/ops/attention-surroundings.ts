import type { Text } from '../../shared/kernel/language.ts';
import type { NotedTrouble } from '../../shared/platform/operators/trouble.ts';
import type { Surroundings } from '../surroundings.ts';
import { reasonText } from './reasons.ts';
import { count, type Speech } from './speech.ts';

/** Something that wants an operator: `bad` now, `warn` today. */
export type Attention = { tone: 'bad' | 'warn'; title: string; sentence: string; path: string };

/** What a process lacks: what it depends on, and what has refused its requests in the last minutes. */
export type Lacks = {
  surroundings: Pick<Surroundings, 'storage' | 'scanner' | 'clock'>;
  troubles: readonly NotedTrouble[];
};

/** What this process depends on and does not have: the store of files, clamd, the right time. */
export function ofSurroundings(
  { surroundings: { storage, scanner, clock } }: Pick<Lacks, 'surroundings'>,
  { say }: Speech,
): Attention[] {
  const path = '/ops#this-process';
  const found: Attention[] = [];
  if (storage !== null) {
    const title = say({ en: 'Files cannot be kept', ja: 'ファイルを保存できません' });
    found.push({ tone: 'bad', title, sentence: say(ended(reasonText(storage))), path });
  }
  if (typeof scanner === 'string') {
    const { en, ja } = ended(reasonText(scanner));
    const sentence = say({
      en: `${en} Uploads go on; their files stay pending until it answers.`,
      ja: `${ja}アップロードは続けられますが、応答があるまでファイルは未検査のままです。`,
    });
    const title = say({ en: 'Files are not scanned', ja: 'ファイルを検査できません' });
    found.push({ tone: 'warn', title, sentence, path });
  }
  if (clock !== null) {
    const title = say({ en: 'The clock is wrong', ja: '時計がずれています' });
    found.push({ tone: 'bad', title, sentence: say(ended(reasonText(clock))), path });
  }
  return found;
}

function ended({ en, ja }: Text): Text {
  return { en: `${en}.`, ja: `${ja}。` };
}

/** The recorder keeps a sentence for each cause, which names what refuses and what to do. */
export function ofTroubles(
  { troubles, now }: Pick<Lacks, 'troubles'> & { now: Date },
  { say, duration }: Speech,
): Attention[] {
  return troubles.map(({ sentence, count: refused, last_at }) => {
    const since = duration((now.getTime() - last_at.getTime()) / 1000);
    const title = say({
      en: refused === 1 ? 'A request was refused' : `${count(refused)} requests were refused`,
      ja: `${count(refused)}件の要求を拒否しました`,
    });
    const { en, ja } = reasonText(sentence);
    const last = say({ en: `${en} (the last ${since} ago)`, ja: `${ja}（最後は${since}前）` });
    return { tone: 'bad', title, sentence: last, path: '/ops#database' };
  });
}
