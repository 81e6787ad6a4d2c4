import { countOldest, type Measure } from '../operators/measure.ts';

const arrived = (scan: string) => countOldest('files', `scan = '${scan}'`, 'created_at');

/** Kept files of all domains by what the scanner said of them. */
export const fileMeasures: readonly Measure[] = [
  {
    name: 'files_pending',
    title: 'Files without a verdict yet',
    help: 'Files without a verdict of the scanner',
    unit: 'count',
    age: 'its arrival',
    query: arrived('pending'),
  },
  {
    name: 'files_quarantined',
    title: 'Files with malware',
    help: 'Files in which the scanner found malware, which nobody can download',
    unit: 'count',
    age: 'its arrival',
    query: arrived('quarantined'),
  },
  {
    name: 'files_unscanned',
    title: 'Files too large or deep to scan',
    help: 'Files that are larger or deeper than the scanner reads',
    unit: 'count',
    age: 'its arrival',
    query: arrived('unscanned'),
  },
];
