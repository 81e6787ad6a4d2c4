import { html } from 'ghtml';
import type { Language } from '../../../shared/kernel/language.ts';
import { formatsOf } from '../../pages/kit/formats.ts';
import { icons } from '../../pages/kit/icons.ts';
import { verifyWords } from './verify-words.ts';

/** What a check has found, as the API tells it. */
export type Verified = {
  result: 'valid' | 'modified' | 'original' | 'unlisted' | 'unknown';
  sha256: string | null;
  document: {
    id: string;
    organization_name: string;
    sealed_at: string | null;
    signer_count: number;
  } | null;
  signatures: readonly Signature[];
  trail: {
    ok: boolean;
    length: number;
    head: string;
    first_bad_seq: number | null;
    matches_database: boolean | null;
  } | null;
};

type Signature = {
  subject: string;
  is_service_seal: boolean;
  digest_ok: boolean;
  covers_whole_file: boolean;
  level: string | null;
  signing_time: string | null;
  timestamp_at: string | null;
};

/** By what a document was looked for; `head`: the hash of its trail that stands on the certificate. */
export type Sought = { by: 'file' | 'sha256' } | { by: 'record'; head: string };

/** The result in one sentence, then what it rests on. Times are in UTC: who asks is not known. */
export function verifiedPart(language: Language, verified: Verified, sought: Sought): string {
  const say = verifyWords[language];
  const { result, document, sha256, signatures, trail } = verified;
  const sentences: { title: string } & Partial<Record<Sought['by'], string>> = say.results[result];
  const { time } = formatsOf(language, 'UTC');
  const at = (instant: string) => html`!${time(instant)} (${say.utc})`;
  const isGood = result === 'valid' || result === 'original';
  return html`<section class="verified" aria-labelledby="result">
<div class="status!${isGood ? '' : ' ended'}" role="status">!${isGood ? icons.done : result === 'modified' ? icons.ended : icons.waiting}<div><h2 id="result">${sentences.title}</h2>
<p>${sentences[sought.by] ?? sentences.file ?? ''}</p></div></div>
<dl class="facts-of">
!${document === null ? '' : documentFacts(language, document, at)}
!${sought.by === 'record' && document !== null ? row(say.checked_head, html`<code class="secret">${sought.head}</code>`) : ''}
!${sha256 === null ? '' : row(say.checked_hash, html`<code class="secret">${sha256}</code>`)}
!${signatures.map((signature) => signatureFacts(language, signature, at)).join('\n')}
!${trail === null ? '' : trailFacts(language, trail)}
</dl>
</section>`;
}

function row(label: string, content: string): string {
  return html`<dt>${label}</dt><dd>!${content}</dd>`;
}

type At = (instant: string) => string;

function documentFacts(
  language: Language,
  { id, organization_name, sealed_at, signer_count }: NonNullable<Verified['document']>,
  at: At,
): string {
  const say = verifyWords[language];
  return [
    row(say.organization, html`${organization_name}`),
    row(say.document, html`<code>${id}</code>`),
    sealed_at === null ? '' : row(say.sealed_at, at(sealed_at)),
    row(say.signers, html`${say.signer_count(signer_count)}`),
  ].join('\n');
}

function signatureFacts(language: Language, signature: Signature, at: At): string {
  const say = verifyWords[language];
  const { subject, is_service_seal, digest_ok, covers_whole_file, level, signing_time, timestamp_at } =
    signature;
  const lines = [
    // The subject is what a certificate says of itself: whose it is, is said before it.
    html`<strong>${is_service_seal ? say.our_seal : say.other_signature}</strong> · ${subject}${level === null ? '' : ` · ${level}`}`,
    html`<span class="${digest_ok ? '' : 'fault'}">${digest_ok ? say.intact : say.broken}</span>`,
    html`<span class="${covers_whole_file ? '' : 'fault'}">${covers_whole_file ? say.whole : say.part}</span>`,
    signing_time === null ? '' : html`${say.signing_time}: !${at(signing_time)}`,
    timestamp_at === null ? '' : html`${say.timestamp}: !${at(timestamp_at)}`,
  ];
  return row(say.signatures, lines.filter(Boolean).join('<br>'));
}

function trailFacts(
  language: Language,
  { ok, length, head, first_bad_seq, matches_database }: NonNullable<Verified['trail']>,
): string {
  const say = verifyWords[language];
  const lines = [
    ok ? html`${say.trail_ok(length)}` : html`<span class="fault">${say.trail_bad(first_bad_seq)}</span>`,
    matches_database === false ? html`<span class="fault">${say.trail_differs}</span>` : '',
    html`<span class="quiet">${say.head}</span> <code class="secret">${head}</code>`,
  ];
  return row(say.trail, lines.filter(Boolean).join('<br>'));
}
