import { type Fact, factsOf } from '../../kernel/fact.ts';
import { computedIn } from '../../kernel/schema.ts';
import { SignDocument, Signer } from './record.ts';
import type { StoredDocument } from './rows.ts';
import { documentOf, shownValue, signerOf } from './shown.ts';

/** Members that stand in the change history alone: the reader of an event asks for the fields where they are needed. */
const BESIDE = ['fields', 'values', 'access_codes'];

const facts = factsOf({
  domain: 'sign',
  entity_type: 'document',
  computed: computedIn(SignDocument),
  masked: ['values', 'access_codes'],
});

/** The fact of a change that is an event: it carries the document as lists show it. */
function told(event: NonNullable<Fact['event']>): Fact {
  return { ...facts.updated, event, computed: new Set([...facts.updated.computed, ...BESIDE]) };
}

/** What can happen to a document, as the change history and the events tell it. */
export const documentFacts = {
  ...facts,
  sent: told('sign.document.sent'),
  signed: told('sign.document.signed'),
  cancelled: told('sign.document.cancelled'),
} as const;

const SIGNER_COMPUTED = new Set(computedIn(Signer));

/** A signer as facts and events tell one: without what is computed. */
export function toldSigner(signer: Signer): { id: string } & Record<string, unknown> {
  const members = Object.entries(signer).filter(([member]) => !SIGNER_COMPUTED.has(member));
  return Object.fromEntries(members) as { id: string };
}

/**
 * A document as facts tell it. Values of fields and access codes stand by themselves, so that the change history says that
 * they were changed and never what they are.
 */
export function toldOf(stored: StoredDocument, now: Date): { id: string } {
  const shown = documentOf(stored, { actor: NOBODY, now, may_send: false });
  return {
    ...shown,
    signers: stored.signers.map((row) => toldSigner(signerOf(row, now))),
    fields: shown.fields!.map(({ value, ...field }) => field),
    values: textOf(stored.fields.map((row) => [row.id, shownValue(row)])),
    access_codes: textOf(stored.signers.map(({ id, access_code_hash }) => [id, access_code_hash])),
  } as { id: string };
}

/** What is masked as one text; null where there is nothing, so that the first value is told as one. */
function textOf(entries: readonly (readonly [id: string, value: unknown])[]): string | null {
  const present = entries.filter(([, value]) => value !== null);
  return present.length === 0 ? null : JSON.stringify(present);
}

const NOBODY = { type: 'system', id: 'system', user_id: null, role: null, grants: [] } as const;
