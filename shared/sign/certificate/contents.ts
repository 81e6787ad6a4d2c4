import { localTime } from '../../kernel/instant-words.ts';
import { zoneName } from '../../kernel/zone-name.ts';
import type { StoredDocument } from '../documents/rows.ts';
import type { TrailEvent } from '../trail/record.ts';
import { type CertificateWords, certificateWords } from './words.ts';

/** A fact of a certificate, as it is shown. */
export type Fact = { label: string; value: string; is_hash?: true };

/** All that a certificate shows, as texts in the document's locale. */
export type Certificate = {
  locale: 'ja' | 'en';
  words: CertificateWords;
  title: string;
  organization: string;
  running_head: string;
  facts: Fact[];
  hashes: Fact[];
  signers: { name: string; email: string; role: string; facts: Fact[] }[];
  /** What the second column of times is called: the document's zone, as people call it. */
  zone: string;
  events: { seq: number; utc: string; local: string; event: string; actor: string; ip_address: string }[];
  statements: string[];
  verify: { url: string; shown: string };
};

export type CertificateFacts = {
  stored: StoredDocument;
  /** Up to `completed`. */
  events: readonly TrailEvent[];
  sender_name: string | null;
  organization_name: string;
  base_url: string;
  attachment_name: string;
  /** Of the file that a certificate of its own belongs to; null where it stands in the file. */
  sealed_sha256: string | null;
};

/** What a certificate says of a document that all have signed. */
export function certificateOf(facts: CertificateFacts): Certificate {
  const { stored, events, organization_name, base_url } = facts;
  const { document, signers, files } = stored;
  const words = certificateWords[document.locale];
  const upload = files.find(({ kind }) => kind === 'original')!;
  const local = (at: string) => localTime(at, document.time_zone);
  const completed = events.at(-1)!;
  const printed = printedEvents(events);
  const url = `${base_url}/verify?${new URLSearchParams({ document_id: document.id, head: completed.hash })}`;
  const { labels } = words;
  const people = signers.filter(({ role }) => role !== 'cc');
  return {
    locale: document.locale,
    words,
    title: document.title,
    organization: organization_name,
    running_head: `${words.title}  ${document.id}`,
    facts: [
      { label: labels.id, value: document.id },
      { label: labels.sender, value: facts.sender_name ?? organization_name },
      { label: labels.file, value: `${upload.file_name} (${words.pages(upload.page_count)})` },
      { label: labels.sent, value: local(events[0]!.at) },
      { label: labels.completed, value: local(completed.at) },
    ],
    hashes: [
      { label: labels.upload_sha256, value: upload.sha256, is_hash: true },
      ...(facts.sealed_sha256 === null
        ? []
        : [{ label: labels.sealed_sha256, value: facts.sealed_sha256, is_hash: true } as const]),
      { label: labels.head, value: completed.hash, is_hash: true },
    ],
    signers: signers.map((signer) => ({
      name: signer.name ?? '',
      email: signer.email ?? '',
      role: words.roles[signer.role],
      facts: signer.role === 'cc' ? [] : factsOfSigner(signer, events, words, local),
    })),
    zone: zoneName(document.locale, document.time_zone),
    events: printed.map((event) => ({
      seq: event.seq,
      utc: utcTime(event.at),
      local: local(event.at),
      event: eventText(event, signers, words),
      actor: event.actor.type === 'system' ? words.system : event.actor.name,
      ip_address: event.ip_address ?? '',
    })),
    statements: [
      words.statements.made_by,
      ...(people.some(({ auth }) => auth === 'access_code_and_otp') ? [words.statements.two_factors] : []),
      words.statements.no_level,
      ...(printed.length < events.length ? [words.statements.left_out(events.length - printed.length)] : []),
      words.statements.attached(facts.attachment_name),
    ],
    verify: { url, shown: `${base_url}/verify`.replace(/^https?:\/\//, '') },
  };
}

/** Lines of what guests repeat. */
const MOST_REPEATED = 500;

/** What a guest can bring about again and again, for as long as a document is open. */
const REPEATED: ReadonlySet<TrailEvent['type']> = new Set([
  'access_failed',
  'access_locked',
  'downloaded',
  'opened',
  'otp_sent',
]);

/**
 * The events that a certificate prints: all of a usual document. Of what guests repeat, the first 500: who opens a document
 * thousands of times would keep it from being sealed otherwise. The attached trail has all of them.
 */
export function printedEvents(events: readonly TrailEvent[]): TrailEvent[] {
  let repeated = 0;
  return events.filter(({ type }) => {
    if (REPEATED.has(type)) repeated += 1;
    return !REPEATED.has(type) || repeated <= MOST_REPEATED;
  });
}

function factsOfSigner(
  { id, auth, role, viewed_at, signed_at }: StoredDocument['signers'][number],
  events: readonly TrailEvent[],
  { labels, auths }: CertificateWords,
  local: (at: string) => string,
): Fact[] {
  const signing = events.findLast(({ type, data }) => type === 'signed' && data['signer_id'] === id);
  return [
    { label: labels.identified, value: auths[auth] },
    ...(viewed_at ? [{ label: labels.opened, value: local(viewed_at) }] : []),
    ...(signed_at
      ? [{ label: role === 'approver' ? labels.agreed : labels.signed, value: local(signed_at) }]
      : []),
    ...(signing?.ip_address ? [{ label: labels.ip_address, value: signing.ip_address }] : []),
  ];
}

/** What an event says, with the signer who is meant where another one acted. */
export function eventText(
  { type, actor, data }: Pick<TrailEvent, 'type' | 'actor' | 'data'>,
  signers: readonly Pick<StoredDocument['signers'][number], 'id' | 'name'>[],
  { events, shown }: CertificateWords,
): string {
  const meant = signers.find(({ id }) => id === data['signer_id']);
  const text = type === 'downloaded' && data['shown'] === true ? shown : events[type];
  return meant?.name && meant.id !== actor.id ? `${text} — ${meant.name}` : text;
}

/** `2026-12-01 01:23:45`. */
export function utcTime(at: string): string {
  return at.slice(0, 19).replace('T', ' ');
}
