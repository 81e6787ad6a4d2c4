import { Failure } from '../../kernel/failure.ts';
import { type Metadata, type MetadataChanges, metadataAfter } from '../../kernel/own-keys.ts';
import { isSameJson } from '../../kernel/same-json.ts';
import type { Work } from '../../kernel/work.ts';
import type { CellError, ImportRow } from '../../platform/imports/domain.ts';
import type { OnConflict } from '../../platform/imports/options.ts';

/** What a client's own systems keep with a contact. */
export type OwnKeys = { external_id: string | null; metadata: Metadata };

/** A row that is taken, with its address and the keys that the contact has after it. */
export type KeyedRow = { row: ImportRow; email_key: string; keys: OwnKeys };

/** What the rows of a chunk make of the own keys, decided in the order of the file before anything is written. */
export type JudgedKeys = {
  rows: readonly KeyedRow[];
  faults: readonly CellError[];
  /** By address, the keys of contacts that are there: as they are, and after the first of its rows. */
  before: ReadonlyMap<string, OwnKeys>;
  after_first: ReadonlyMap<string, OwnKeys>;
  /** By address, the keys after all rows. */
  after: ReadonlyMap<string, OwnKeys>;
  /** The contacts whose keys change. */
  changed: readonly ({ id: string } & OwnKeys)[];
  /** Those of them that give up an ID, which another may take. */
  released: readonly string[];
  /** The addresses of whose rows nothing is written: suppressed, bounced, unsubscribed, or gone from the list. */
  refused: ReadonlySet<string>;
};

type Judging = {
  on_conflict: OnConflict;
  list_id: string | null;
  /** Which of the addresses must not be mailed: asked once the contacts are locked. */
  suppressedOf: (email_keys: readonly string[]) => Promise<ReadonlySet<string>>;
};

type Found = OwnKeys & { id: string; email_key: string; status: string };

/** A contact on the way through the chunk. */
type State = OwnKeys & { id: string | null; is_kept: boolean };

/**
 * The contacts of addresses and of IDs, locked in the order of the addresses, as all that write them do. $1 organization,
 * $2 addresses, $3 IDs.
 */
const HOLDERS = `
  SELECT contact.id, contact.email_key, contact.external_id, contact.metadata, contact.status
    FROM mail_contacts AS contact
   WHERE contact.organization_id = $1 AND contact.id IN (
     SELECT id FROM mail_contacts WHERE organization_id = $1 AND email_key = ANY ($2)
     UNION ALL SELECT id FROM mail_contacts WHERE organization_id = $1 AND external_id = ANY ($3))
   ORDER BY contact.email_key FOR NO KEY UPDATE OF contact`;

/** Which of these contacts have left the list: $1 organization, $2 list, $3 contacts. */
const LEFT = `
  SELECT contact_id FROM mail_list_members
   WHERE organization_id = $1 AND list_id = $2 AND contact_id = ANY ($3) AND unsubscribed_at IS NOT NULL`;

/** The address of a row as it is compared: one that was parsed is ASCII. */
const keyOf = ({ values }: ImportRow) => (values['email'] as string).toLowerCase();

/**
 * Decides row by row, in the order of the file, what becomes of the own keys. A row is refused, whole, for an ID that
 * another contact has then, and for metadata of too many entries.
 */
export async function judgeKeys(
  work: Work,
  rows: readonly ImportRow[],
  { on_conflict, list_id, suppressedOf }: Judging,
): Promise<JudgedKeys> {
  const ids = rows.flatMap(({ values }) => (values['external_id'] as string | undefined) ?? []);
  const found = await work.connection.query<Found>(
    HOLDERS,
    [work.organization_id, [...new Set(rows.map(keyOf))], [...new Set(ids)]],
    { prepared: false },
  );
  // By statements behind the one that waited for the locks: they see what was decided meanwhile.
  const [suppressed, members] = await Promise.all([
    suppressedOf([...new Set(rows.map(keyOf))]),
    work.connection.query<{ contact_id: string }>(
      LEFT,
      [work.organization_id, list_id, found.map(({ id }) => id)],
      { prepared: false },
    ),
  ]);
  const left = new Set(members.map(({ contact_id }) => contact_id));
  const refused = new Set(suppressed);
  const states = new Map<string, State>();
  const holders = new Map<string, string>();
  const before = new Map<string, OwnKeys>();
  for (const { id, email_key, external_id, metadata, status } of found) {
    if (status !== 'active' || left.has(id)) refused.add(email_key);
    const is_kept = on_conflict === 'skip' || refused.has(email_key);
    states.set(email_key, { id, external_id, metadata, is_kept });
    before.set(email_key, { external_id, metadata });
    if (external_id !== null) holders.set(external_id, email_key);
  }
  const taken: KeyedRow[] = [];
  const faults: CellError[] = [];
  const after_first = new Map<string, OwnKeys>();
  for (const row of rows) {
    const key = keyOf(row);
    const state = states.get(key);
    const fresh: State = { id: null, external_id: null, metadata: {}, is_kept: refused.has(key) };
    const { is_kept, ...present } = state ?? fresh;
    const wanted = is_kept ? present : keysAfter(present, row, state ? on_conflict : 'update');
    const fault = 'code' in wanted ? wanted : takenFault(key, present, wanted, holders);
    if (fault) {
      faults.push({ row: row.row, cells: row.cells, ...fault });
      continue;
    }
    const { external_id, metadata } = wanted as OwnKeys;
    if (present.external_id !== external_id) {
      if (present.external_id !== null) holders.delete(present.external_id);
      holders.set(external_id!, key);
    }
    // What a row makes is there for the next ones, which follow the rule for conflicts.
    states.set(key, { id: present.id, external_id, metadata, is_kept: is_kept || on_conflict === 'skip' });
    if (!after_first.has(key)) after_first.set(key, { external_id, metadata });
    taken.push({ row, email_key: key, keys: { external_id, metadata } });
  }
  const changed = [...states].flatMap(([email_key, { id, external_id, metadata }]) => {
    if (id === null || isSameJson(before.get(email_key), { external_id, metadata })) return [];
    return [{ id, email_key, external_id, metadata }];
  });
  return {
    refused,
    rows: taken,
    faults,
    before,
    after_first,
    after: states,
    changed: changed.map(({ id, external_id, metadata }) => ({ id, external_id, metadata })),
    released: changed.flatMap(({ id, email_key, external_id }) => {
      const was = before.get(email_key)!.external_id;
      return was !== null && was !== external_id ? [id] : [];
    }),
  };
}

type KeyFault = Pick<CellError, 'code' | 'column' | 'message'>;

/** The keys after a row, by the rule for conflicts: a blank cell says nothing, and what is blank is filled. */
function keysAfter(present: OwnKeys, { values }: ImportRow, on_conflict: OnConflict): OwnKeys | KeyFault {
  const fills = on_conflict === 'fill_blank';
  const said_id = values['external_id'] as string | undefined;
  const said = values['metadata'] as MetadataChanges | undefined;
  const isFull = Object.keys(present.metadata).length > 0;
  try {
    return {
      external_id:
        said_id === undefined || (fills && present.external_id !== null) ? present.external_id : said_id,
      metadata: fills && isFull ? present.metadata : metadataAfter(present.metadata, said),
    };
  } catch (error) {
    const [fault] = error instanceof Failure ? (error.details.errors ?? []) : [];
    if (!fault) throw error;
    return { code: fault.code, column: 'metadata', message: fault.message };
  }
}

function takenFault(
  key: string,
  present: OwnKeys,
  { external_id }: OwnKeys,
  holders: ReadonlyMap<string, string>,
): KeyFault | null {
  if (external_id === null || external_id === present.external_id) return null;
  const holder = holders.get(external_id);
  if (holder === undefined || holder === key) return null;
  const message = {
    en: `external_id: another record has ${external_id}`,
    ja: `${external_id} はほかの登録ですでに使われています`,
  };
  return { code: 'already_exists', column: 'external_id', message };
}

/** Takes away the IDs that contacts give up: one that takes one of them would meet it in the index. */
export function releaseKeys(work: Work, { released }: Pick<JudgedKeys, 'released'>): void {
  if (released.length === 0) return;
  work.run('UPDATE mail_contacts SET external_id = NULL WHERE organization_id = $1 AND id = ANY ($2)', [
    work.organization_id,
    released,
  ]);
}

/** Writes the keys of contacts; what else is changed with them, `updated_at` too, is written before. */
export function writeKeys(work: Work, { changed }: Pick<JudgedKeys, 'changed'>): void {
  if (changed.length === 0) return;
  work.run(
    `UPDATE mail_contacts AS contact SET external_id = row.external_id, metadata = row.metadata
       FROM jsonb_to_recordset($2::jsonb) AS row (id text, external_id text, metadata jsonb)
      WHERE contact.organization_id = $1 AND contact.id = row.id`,
    [work.organization_id, JSON.stringify(changed)],
  );
}
