import type { PlaceholderFault } from './placeholders.ts';

/** The domain of a host, as it is written: two names at least, and a port. */
const DOMAIN = /^[a-z0-9-]*(?:\.[a-z0-9-]+){2,}\.?(?::\d+)?$/i;

const END_OF_HOST = /[/?#\\\s"'<>]/;

/** In a text also the letters that follow an address without a space, as in Japanese. */
const END_IN_TEXT = /[/?#\\\s"'<>]|[^ -~]/;

/**
 * Placeholders that may lead a link to another host: a value is written without what ends a host, but with its dots, so
 * `https://shop.example{{attributes.x}}` would go to whom a contact names. Before a domain that is written out, as in
 * `https://{{attributes.shop}}.shop.example`, a value leads no further than below that domain.
 */
export function hostFaults(text: string, { in_text }: { in_text: boolean }): PlaceholderFault[] {
  const end = in_text ? END_IN_TEXT : END_OF_HOST;
  const faults: PlaceholderFault[] = [];
  const begins = /https?:\/\//gi;
  for (let begin = begins.exec(text); begin; begin = begins.exec(text)) {
    let at = begins.lastIndex;
    let last: { position: number; end: number } | null = null;
    while (at < text.length && !end.test(text[at]!)) {
      const close = text.startsWith('{{', at) ? text.indexOf('}}', at) : null;
      if (close === -1) return faults;
      if (close !== null) last = { position: at, end: close + 2 };
      at = close === null ? at + 1 : close + 2;
    }
    begins.lastIndex = at;
    if (last && !DOMAIN.test(text.slice(last.end, at))) {
      faults.push({ position: last.position, kind: 'in_host', source: text.slice(last.position, last.end) });
    }
  }
  return faults;
}
