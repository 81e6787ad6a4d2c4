import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The fenced blocks of a Markdown text that are in this language. */
export function blocksIn(markdown: string, language: string): string[] {
  return [...markdown.matchAll(/^```(\w*)\n(.*?)^```$/gms)]
    .filter(([, found]) => found === language)
    .map(([, , block]) => block!);
}

/** The errors that comments of the form "# answers 422" announce, in their order. */
export function announcedErrors(script: string): number[] {
  return [...script.matchAll(/^# answers (\d{3})$/gm)].map(([, status]) => Number(status));
}

/**
 * Runs shell lines as a reader would who copies them, in an empty folder, and answers what they printed and the status
 * of each request that curl made. Throws when a line fails.
 */
export async function runShell(
  script: string,
  environment: Record<string, string>,
): Promise<{ output: string; statuses: number[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'shell-'));
  try {
    const { stdout: curl } = await run('sh', ['-c', 'command -v curl']);
    const watched = `#!/bin/sh\nexec ${curl.trim()} --silent --show-error --write-out '%{stderr}\\nSTATUS %{http_code}\\n' "$@"\n`;
    writeFileSync(join(folder, 'curl'), watched);
    chmodSync(join(folder, 'curl'), 0o755);
    const { stdout, stderr } = await run('bash', ['-euc', script], {
      cwd: folder,
      env: { ...process.env, ...environment, PATH: `${folder}:${process.env.PATH}` },
    });
    const statuses = [...stderr.matchAll(/^STATUS (\d+)$/gm)].map(([, status]) => Number(status));
    return { output: stdout, statuses };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
