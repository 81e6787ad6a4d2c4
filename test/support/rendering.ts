import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { homesOf } from '../../workers/pdf/homes.ts';
import { type Limits, openRenderer, type Renderer } from '../../workers/pdf/renderer.ts';

/** Never aborted. */
export const unhurried = new AbortController().signal;

export type TestRenderer = Renderer & {
  data_dir: string;
  /** The folders of browsers, running or left. */
  homes(): string[];
};

/**
 * A renderer with a data folder of its own; its browser and its folder end with the test file. A busy machine may take
 * longer over a document than the service allows.
 */
export function testRenderer(limits: Partial<Limits> = {}, chrome_path?: string): TestRenderer {
  const data_dir = mkdtempSync(join(tmpdir(), 'renderer-'));
  const path = chrome_path ?? process.env.CHROME_PATH;
  const patient = { time: 120_000, ...limits };
  const renderer = openRenderer({ chrome_path: path, data_dir, clock: () => new Date(), limits: patient });
  after(async () => {
    await renderer.end();
    rmSync(data_dir, { recursive: true, force: true });
  });
  return { ...renderer, data_dir, homes: () => homesIn(data_dir) };
}

/** The folders in which browsers of that data folder live. */
export function homesIn(data_dir: string): string[] {
  try {
    return readdirSync(homesOf(data_dir));
  } catch {
    return [];
  }
}

/** The processes of a group, zombies left out: they are nobody's work any more. */
export function processesOf(group: number): number[] {
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return [];
    const [state, , its] = statOf(pid);
    return its === `${group}` && state !== 'Z' ? [Number(pid)] : [];
  });
}

function statOf(pid: string): string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}

/** What poppler and qpdf say of a PDF: they read it as other people's programs do. */
export function readPdf(pdf: Uint8Array) {
  const options = { input: pdf, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 } as const;
  const run = (program: string, words: string[]) => execFileSync(program, words, options);
  return {
    /** The text in reading order, without form feeds. */
    text: () => run('pdftotext', ['-enc', 'UTF-8', '-', '-']).replaceAll('\f', ''),
    /** The text of each page as it is laid out, with spaces between what stands apart. */
    layout: () => run('pdftotext', ['-enc', 'UTF-8', '-layout', '-', '-']).split('\f').slice(0, -1),
    /** The lines of pdfinfo by their names. */
    info: () => {
      const lines = run('pdfinfo', ['-enc', 'UTF-8', '-']).split('\n');
      return Object.fromEntries(lines.map((line) => line.split(/:\s*(.*)/).slice(0, 2)));
    },
    /** A row for each font: its name, and whether it is embedded. */
    fonts: () => {
      const [heads = '', , ...rows] = run('pdffonts', ['-']).trimEnd().split('\n');
      const column = heads.indexOf('emb');
      return rows.map((row) => ({
        name: row.split(/\s+/)[0]!,
        embedded: row.slice(column, column + 3).trim(),
      }));
    },
    /** Throws where the file is not as the standard says. */
    check: () => withFile(pdf, (path) => execFileSync('qpdf', ['--check', path], { encoding: 'utf8' })),
    /** The objects as JSON. */
    json: () =>
      withFile(pdf, (path) => JSON.parse(execFileSync('qpdf', ['--json', '--json-key=qpdf', path], options))),
  };
}

function withFile<T>(pdf: Uint8Array, read: (path: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'pdf-'));
  try {
    const path = join(folder, 'read.pdf');
    writeFileSync(path, pdf);
    return read(path);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
