import type { Version } from './http/versions.ts';

/** The dated versions of the API, newest first. A new one is a module of its own, added at the top. */
export const versions: readonly Version[] = [
  {
    version: '2026-02-22',
    date: '2026-02-22',
    description: 'The first version.',
    changes: ['Initial release of the API.'],
  },
];
