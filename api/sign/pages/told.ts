import type { Failure } from '../../../shared/kernel/failure.ts';
import type { Language } from '../../../shared/kernel/language.ts';
import type { Refused } from '../../pages/kit/page.ts';
import { words } from './words.ts';

/** The sentence about a refusal where that of the kit does not do. */
export function toldOf(language: Language, refused: Refused | undefined): string | undefined {
  if (!refused) return undefined;
  const say = words[language];
  const { code } = refused.failure;
  const left = attemptsLeft(refused.failure);
  const sentence = say.refused[code];
  if (sentence === undefined || left === null) return sentence;
  return language === 'ja'
    ? `${sentence}${say.attempts_left(left)}`
    : `${sentence} ${say.attempts_left(left)}`;
}

/** How many more wrong codes there may be, where the failure says so. */
function attemptsLeft({ details }: Failure): number | null {
  const attempts_left = details.members?.['attempts_left'];
  return typeof attempts_left === 'number' ? attempts_left : null;
}

/** What is wrong with the value of a field, as a sentence; null where nothing is. */
export function faultOf(
  language: Language,
  refused: Refused | undefined,
  ids: readonly string[],
): string | null {
  const found = refused?.failure.details.errors?.find(({ path }) => {
    const [, part, id] = path.split('/');
    return part === 'values' && ids.includes(id!);
  });
  if (!found) return null;
  const { faults } = words[language];
  const isImage = /\/(data|image)$/.test(found.path);
  return isImage ? faults['image']! : (faults[found.code] ?? faults['other']!);
}
