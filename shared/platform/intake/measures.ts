import { countOldest, type Measure } from '../operators/measure.ts';

const arrived = (scan: string) => countOldest('files', `scan = '${scan}'`, 'created_at');

/** Kept files of all domains by what the scanner said of them. */
export const fileMeasures: readonly Measure[] = [
  {
    name: 'files_pending',
    title: { en: 'Files without a verdict yet', ja: '検査結果を待つファイル' },
    help: 'Files without a verdict of the scanner',
    unit: 'count',
    age: { en: 'its arrival', ja: '受信から' },
    query: arrived('pending'),
  },
  {
    name: 'files_quarantined',
    title: { en: 'Files with malware', ja: 'マルウェアが見つかったファイル' },
    help: 'Files in which the scanner found malware, which nobody can download',
    unit: 'count',
    age: { en: 'its arrival', ja: '受信から' },
    query: arrived('quarantined'),
  },
  {
    name: 'files_unscanned',
    title: { en: 'Files too large or deep to scan', ja: '大きすぎて検査できないファイル' },
    help: 'Files that are larger or deeper than the scanner reads',
    unit: 'count',
    age: { en: 'its arrival', ja: '受信から' },
    query: arrived('unscanned'),
  },
];
