import { fullName } from '../../kernel/full-name.ts';
import type { Work } from '../../kernel/work.ts';
import type { ImportRun } from '../../platform/imports/domain.ts';
import { type KeptOutcome, keepOutcomes, overwritten } from '../../platform/imports/outcomes.ts';
import { keepConsents } from '../consent-records/keep.ts';
import { leaveUnindexed } from '../contacts/search-index.ts';
import { mailSearchText } from '../contacts/search-text.ts';
import { differences, merged, type Person, type Rules, type Said } from './decide.ts';
import type { MailImportOptions } from './options.ts';
import { CHANGE } from './statements.ts';

/** A contact that a row met, with what the import did to it before. */
export type ExistingContact = Person & {
  id: string;
  email_key: string;
  email: string;
  status: string;
  updated_at: string;
  is_own: boolean;
  is_member: boolean;
  has_left: boolean;
  outcome: KeptOutcome['outcome'] | null;
  before: KeptOutcome['before'];
  changed_at: string | null;
};

type Changed = Omit<Person, 'keys'> & {
  id: string;
  full_name: string | null;
  search_text: string;
  updated_at: string;
};

/** An outcome of which nothing was overwritten. */
export function plainOutcome(key: string, outcome: KeptOutcome['outcome']): KeptOutcome {
  return { key, outcome, before: null, changed_at: null };
}

/** What a chunk does with contacts that are there already: decided row by row, written together. */
export class ExistingContacts {
  /** Contacts that are to join the list. */
  readonly joined: string[] = [];
  readonly #work: Work;
  readonly #run: Pick<ImportRun<MailImportOptions>, 'import_id' | 'on_conflict' | 'options'>;
  readonly #rules: Rules;
  readonly #renamed = new Set<string>();
  #agreed: Parameters<typeof keepConsents>[1][number][] = [];
  #kept: KeptOutcome[] = [];
  #changed: Changed[] = [];

  constructor(work: Work, run: ImportRun<MailImportOptions>, rules: Rules) {
    this.#work = work;
    this.#run = run;
    this.#rules = rules;
  }

  /** What the first row of an address in this chunk does with the contact that has it. */
  meet(known: ExistingContact, incoming: Said, isSuppressed: boolean): KeptOutcome['outcome'] | 'duplicate' {
    const isFurther = known.is_own || known.outcome !== null;
    const outcome = this.#meet(known, incoming, isSuppressed);
    if (isFurther) return 'duplicate';
    if (outcome !== 'updated') this.keep(plainOutcome(known.id, outcome));
    return outcome;
  }

  #meet(
    known: ExistingContact,
    incoming: Said,
    isSuppressed: boolean,
  ): 'suppressed' | 'skipped' | 'updated' | 'unchanged' {
    if (isSuppressed || known.status !== 'active' || known.has_left) return 'suppressed';
    if (this.#run.on_conflict === 'skip') return 'skipped';
    if (this.#run.options.list_id !== undefined && !known.is_member) this.joined.push(known.id);
    return this.apply(known, [incoming]) ? 'updated' : 'unchanged';
  }

  /** Applies rows to a contact in their order, and notes what they changed; answers whether they did. */
  apply(known: ExistingContact, rows: readonly Said[]): boolean {
    const after = rows.reduce<Person>((person, row) => merged(person, row, this.#rules), known);
    const changes = differences(known, after);
    if (Object.keys(changes).length === 0) return false;
    const updated_at = this.#work.touch(known);
    const { id, email } = known;
    const { first_name, last_name, attributes, consent } = after;
    const search_text = mailSearchText({ email, first_name, last_name });
    const full_name = fullName(after) || null;
    const values = { first_name, last_name, full_name, attributes, consent, search_text };
    this.#changed.push({ id, ...values, updated_at });
    this.#agreed.push({ before: known, after: { id, email, consent } });
    if ('first_name' in changes || 'last_name' in changes) this.#renamed.add(id);
    const outcome = known.outcome ?? (known.is_own ? 'created' : 'updated');
    const before = outcome === 'created' ? null : overwritten(known.before, changes);
    this.keep({ key: id, outcome, before, changed_at: updated_at });
    return true;
  }

  keep(outcome: KeptOutcome): void {
    this.#kept.push(outcome);
  }

  /** Sends what is noted so far, so that what is read next finds it. */
  async flush(): Promise<void> {
    const work = this.#work;
    if (this.#changed.length > 0) work.run(CHANGE, [work.organization_id, JSON.stringify(this.#changed)]);
    keepConsents(work, this.#agreed);
    keepOutcomes(work, this.#run.import_id, this.#kept);
    this.#agreed = [];
    this.#changed = [];
    this.#kept = [];
    await work.flush();
  }

  /** Sends the rest; the letters of who is called otherwise now are left to the sweep. */
  async finish(): Promise<void> {
    await this.flush();
    if (this.#renamed.size > 0) leaveUnindexed(this.#work, { contact_ids: [...this.#renamed] });
  }
}
