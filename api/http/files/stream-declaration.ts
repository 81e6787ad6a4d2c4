import type { z } from 'zod';
import type { Reader } from '../../../shared/kernel/reader.ts';
import type { AnyParams, AnySchema, Described, Input } from '../declaration.ts';

type Schema = z.ZodType;

/** One message of a stream; its `id` is what `Last-Event-ID` brings back. */
export type StreamedEvent = { event: string; id: string; data: unknown };

/** What is new since the last event, and whether nothing more will come. */
export type Look = { events: StreamedEvent[]; is_over: boolean };

export type StreamDeclaration<Params, Query> = Described<Params, Query> & {
  /** The events by their names, with the schemas of their data. */
  events: Record<string, Schema>;
  /** The word that the database's channel `jobs` carries when there is something new: a job's ID. */
  topic: (input: Input<Params, Query, undefined>) => string;
  /** Called at first, and whenever there may be something new, with the ID of the last event that was sent. */
  look: (
    input: Input<Params, Query, undefined>,
    reader: Reader,
    last_event_id: string | null,
  ) => Promise<Look>;
};

export type StreamEndpoint = { kind: 'stream'; method: 'get' } & StreamDeclaration<AnyParams, AnySchema>;

/** A GET that stays open: server-sent events until their subject is over. */
export function stream<Params extends AnyParams = undefined, Query extends AnySchema = undefined>(
  declaration: StreamDeclaration<Params, Query>,
): StreamEndpoint {
  return { kind: 'stream', method: 'get', ...declaration } as unknown as StreamEndpoint;
}
