import type { Sentence } from '../../kernel/sentences.ts';
import type { MailWarning } from '../content/warnings.ts';
import { isEverybody, type SegmentFilter } from './filter.ts';

const everybody = () => ({
  en: 'No condition of the segment leaves anybody out: it finds every contact',
  ja: 'セグメントに絞り込みの条件がないため、すべての宛先が対象になります',
});
const everybodyInLists = () => ({
  en: 'No condition of the segment leaves anybody out: everybody in the lists is meant',
  ja: 'セグメントに絞り込みの条件がないため、リストの全員が対象になります',
});

/** What warnings say about whom segments find. */
export const segmentWarnings: readonly Sentence[] = [everybody, everybodyInLists];

/** Says of a filter, which stands at `path`, that it leaves out nobody. `in_lists`: those in lists alone are asked. */
export function warningsOfFilter(
  filter: SegmentFilter,
  { path, in_lists }: { path: string; in_lists: boolean },
): MailWarning[] {
  if (!isEverybody(filter)) return [];
  const { en } = in_lists ? everybodyInLists() : everybody();
  return [{ code: 'filter_matches_everybody', path, message: en }];
}
