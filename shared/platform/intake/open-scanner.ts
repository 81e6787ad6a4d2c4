import type { Settings } from '../settings/settings.ts';
import { clamd } from './clamd.ts';
import type { Scanner } from './scanner.ts';

/** The scanner that the settings name, or null where none does. */
export function openScanner({
  clamdUrl,
  clamdMaxBytes,
}: Pick<Settings, 'clamdUrl' | 'clamdMaxBytes'>): Scanner | null {
  return clamdUrl ? clamd(clamdUrl, { most_bytes: clamdMaxBytes }) : null;
}
