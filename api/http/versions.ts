import { Failure } from '../../shared/kernel/failure.ts';

/** The endpoint whose request or answer a version rewrites. */
export type Versioned = { id: string; path: string };

/**
 * A dated version of the API. A later one says how to rewrite what the versions before it send and expect: `request`
 * turns the older form into this one, `response` and `event` turn this form back into the older one.
 */
export type Version = {
  version: string;
  date: string;
  description: string;
  changes: readonly string[];
  /** When set, requests that name the version are answered 410. */
  retired?: boolean;
  request?: (endpoint: Versioned, request: { query: URLSearchParams; body: unknown }) => { body: unknown };
  response?: (endpoint: Versioned, body: unknown) => unknown;
  event?: (event: ShownEvent) => ShownEvent;
};

type ShownEvent = { object: 'event'; type: string; data: unknown; previous_attributes: unknown };

export type Versions = ReturnType<typeof versionsOf>;

/** The chain of versions, given newest first. */
export function versionsOf(all: readonly Version[]) {
  const names = all.map(({ version }) => version);
  const latest = names[0]!;

  /** The versions that came after `version`, newest first. */
  function after(version: string): readonly Version[] {
    return all.slice(0, names.indexOf(version));
  }

  return {
    all,
    latest,
    /** The version that a header names, or null without one. Errors: `invalid_version`, `version_retired`. */
    named(header: string | undefined): string | null {
      if (header === undefined) return null;
      const found = all.find(({ version }) => version === header);
      if (!found) {
        throw new Failure('invalid_version', {
          detail: {
            en: `Service-Version must be one of ${names.join(', ')}`,
            ja: `Service-Version は次のいずれかを指定してください：${names.join('、')}`,
          },
          members: { versions: names },
        });
      }
      if (found.retired) throw new Failure('version_retired');
      return found.version;
    },
    /** A request in the form of `version`, rewritten into the latest form. */
    upgrade(
      version: string,
      endpoint: Versioned,
      request: { query: URLSearchParams; body: unknown },
    ): unknown {
      return after(version).reduceRight(
        (body, step) => step.request?.(endpoint, { query: request.query, body }).body ?? body,
        request.body,
      );
    },
    /** An answer in the latest form, rewritten into that of `version`. */
    downgrade(version: string, endpoint: Versioned, body: unknown): unknown {
      return after(version).reduce((value, step) => {
        const shown = step.event ? withEvents(value, step.event) : value;
        return step.response?.(endpoint, shown) ?? shown;
      }, body);
    },
  };
}

/** Rewrites the events that an answer holds: events are kept in the latest form. */
function withEvents(body: unknown, rewrite: (event: ShownEvent) => ShownEvent): unknown {
  if (Array.isArray(body)) return body.map((item) => withEvents(item, rewrite));
  if (typeof body !== 'object' || body === null) return body;
  if ('object' in body && body.object === 'event') return rewrite(body as ShownEvent);
  const { event, data } = body as { event?: unknown; data?: unknown };
  if (event !== undefined) return { ...body, event: withEvents(event, rewrite) };
  return Array.isArray(data) ? { ...body, data: withEvents(data, rewrite) } : body;
}
