import type { Prefix } from '../../shared/kernel/id.ts';
import { byId } from '../../shared/kernel/schema.ts';
import type { Domain } from '../../shared/kernel/scope.ts';
import type { Work } from '../../shared/kernel/work.ts';
import { Deleted, deleted } from './schemas.ts';

/** What every PATCH does with the fields of its body. */
export const FIELDS_SENT = 'Only the fields sent change; null clears an optional one.';

type Named<Of extends Domain> = {
  /** `<domain>.<resource>`: what the IDs of its calls begin with. */
  id: string;
  /** The path of its collection. */
  path: string;
  /** The domain whose scopes its calls require. */
  domain: Of;
  /** One of its records with the article: `a company`. */
  one: string;
  /** What the IDs of its records begin with. */
  prefix: Prefix;
};

/**
 * What the calls about one kind of record share: IDs, paths, scopes, summaries and parameters. A declaration spreads its
 * part and says what differs: `read({ ...company.get, description, reply, handle })`.
 */
export function resource<const Of extends Domain>({ id, path, domain, one, prefix }: Named<Of>) {
  const reading = { scope: `${domain}:read` } as const;
  const writing = { scope: `${domain}:write` } as const;
  const single = { path: `${path}/:id`, params: byId(prefix) };
  return {
    list: { ...reading, id: `${id}.list`, path },
    get: { ...reading, ...single, id: `${id}.get`, method: 'get', summary: `Read ${one}` },
    create: { ...writing, id: `${id}.create`, method: 'post', path, status: 201, summary: `Create ${one}` },
    update: {
      ...writing,
      ...single,
      id: `${id}.update`,
      method: 'patch',
      summary: `Change ${one}`,
      description: FIELDS_SENT,
    },
    upsert: {
      ...writing,
      id: `${id}.upsert`,
      path: `${path}/by-external-id/:external_id`,
      summary: `Create or change ${one} by your own ID`,
    },
    delete: {
      ...writing,
      ...single,
      id: `${id}.delete`,
      method: 'delete',
      summary: `Delete ${one}`,
      reply: Deleted,
    },
  } as const;
}

/** The handler of a call that deletes the record of its path. */
export function deleting(remove: (work: Work, id: string) => Promise<void>) {
  return async ({ params }: { params: { id: string } }, work: Work) => {
    await remove(work, params.id);
    return deleted;
  };
}
