import { chmodSync, globSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';

/** Debian's libfaketime, which gives a process another time than its machine has; absent: the tests that need it are skipped. */
export const [libfaketime] = globSync('/usr/lib/*/faketime/libfaketimeMT.so.1');

export type MovedClock = {
  /** What a process has to be started with to go by this clock. */
  environment: Record<string, string>;
  /** How far the clock is from the machine's, as libfaketime says it: `+10m`. Every process follows within a second. */
  setOffset(offset: string): void;
  /** Sets the time that it is now; it goes on from there. */
  setTime(at: string): void;
};

/** A clock that tests move while processes go by it; their monotonic clock stays. Gone with the test file. */
export function movedClock(): MovedClock {
  const folder = mkdtempSync(join(tmpdir(), 'clock-'));
  after(() => rmSync(folder, { recursive: true }));
  // PostgreSQL runs as another account and reads it too.
  chmodSync(folder, 0o755);
  const file = join(folder, 'offset');
  const setOffset = (offset: string) => {
    // At once, so that nobody reads half of it.
    writeFileSync(`${file}.new`, offset);
    renameSync(`${file}.new`, file);
  };
  setOffset('+0');
  return {
    environment: {
      LD_PRELOAD: libfaketime!,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_CACHE_DURATION: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    },
    setOffset,
    setTime: (at) => {
      const seconds = (Date.parse(at) - Date.now()) / 1_000;
      setOffset(`${seconds < 0 ? '' : '+'}${seconds.toFixed(3)}`);
    },
  };
}
