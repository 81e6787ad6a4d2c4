import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A word of a page as it is seen, and its box in points from the upper left corner. */
export type SeenWord = {
  page: number;
  text: string;
  left: number;
  top: number;
  right: number;
  bottom: number;
};

/** Runs a program in a folder of its own that has a PDF as `in.pdf`; answers its output and what it wrote as `out.pdf`. */
export function withPdf(
  content: Uint8Array,
  program: string,
  options: readonly string[],
): { text: string; made: Buffer | null } {
  const folder = mkdtempSync(join(tmpdir(), 'pdf-'));
  try {
    writeFileSync(join(folder, 'in.pdf'), content);
    const text = execFileSync(program, options, { cwd: folder, stdio: 'pipe', maxBuffer: 1e8 }).toString();
    return { text, made: readIf(join(folder, 'out.pdf')) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function readIf(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch {
    return null;
  }
}

/** What qpdf makes of a PDF. */
export function byQpdf(content: Uint8Array, ...options: string[]): Buffer {
  return withPdf(content, 'qpdf', [...options, 'in.pdf', 'out.pdf']).made!;
}

/** Throws where qpdf finds an error in a PDF. */
export function checkByQpdf(content: Uint8Array): void {
  withPdf(content, 'qpdf', ['--check', 'in.pdf']);
}

/** The words of a PDF as pdftotext finds them on the part of each page that is seen. */
export function seenWords(content: Uint8Array): SeenWord[] {
  const { text } = withPdf(content, 'pdftotext', ['-bbox', '-cropbox', 'in.pdf', '-']);
  const words: SeenWord[] = [];
  let page = 0;
  for (const line of text.split('\n')) {
    if (line.includes('<page ')) page += 1;
    const found = /xMin="([\d.-]+)" yMin="([\d.-]+)" xMax="([\d.-]+)" yMax="([\d.-]+)">(.*)<\/word>/.exec(
      line,
    );
    if (!found) continue;
    const [left, top, right, bottom] = found.slice(1, 5).map(Number) as [number, number, number, number];
    words.push({ page, text: found[5]!, left, top, right, bottom });
  }
  return words;
}
