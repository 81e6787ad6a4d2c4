import type { z } from 'zod';
import type { Reader } from '../../../shared/kernel/reader.ts';
import type { DomainName } from '../../../shared/kernel/scope.ts';
import type { Work } from '../../../shared/kernel/work.ts';
import type { ContentKind } from '../../../shared/platform/intake/content-kind.ts';
import type { Content } from '../../../shared/platform/jobs/generated.ts';
import type { RemadeImage, StoredFile, UploadedFile } from '../../../shared/platform/storage/stored-file.ts';
import type {
  Answer,
  AnyParams,
  AnySchema,
  Described,
  Handled,
  HeaderWords,
  Input,
  Parsed,
} from '../declaration.ts';
import type { Steps } from '../steps.ts';
import type { WriteEndpoint } from '../write-endpoint.ts';
import type { Inspection } from './inspection.ts';

type Schema = z.ZodType;

/** The files of an upload: their field, the limit of each in bytes, and whether they are stored or only looked at. */
export type FileField = {
  field: string;
  limit: number;
  keep: boolean;
  /** How many files the field may hold; 1 where absent. */
  most?: number;
  /** What each may be by its content; anything where absent. */
  accepts?: readonly ContentKind[];
  /**
   * Whether the file may also be sent as the body itself, without a form: then it has the name of the field. `only`:
   * there is no form, whatever the body calls itself.
   */
  raw?: boolean | 'only';
  /** Whether all of the file is handed to the handler, as its head, and nothing of it is stored: `keep` is false then. */
  whole?: boolean;
  /** Whether the file may have no bytes. */
  may_be_empty?: boolean;
  /** Whether a file with malware is stored as `quarantined` and handed out to nobody; else it is refused. */
  takes_malware?: boolean;
  description?: string;
  /** Makes what is stored in its place, before the transaction begins; for small files, as all of it is in memory. */
  remake?: (bytes: Buffer) => Promise<RemadeImage>;
};

/** The conditions of a change, as they were sent. */
export type Conditions = { if_match: string | null; if_none_match: string | null };

/** What was granted to a file before its first byte. */
export type Admission<Granted> = {
  /** Bytes that the file may have, where that is fewer than the field allows. */
  limit?: number;
  /**
   * Told how many bytes of the file have come, before they are taken; no more are read until it has settled. What it
   * throws refuses the file.
   */
  keepUp?: (bytes: number) => Promise<void>;
  /** What the handler is given as `granted`. */
  granted: Granted;
  /** Takes back what was granted: the file is not kept. Must not throw. */
  dismiss: () => Promise<void>;
};

/** What asks to be admitted. `length`: bytes of the body or form that holds it; null where the sender says nothing. */
export type AdmissionInput<Params, Query, Fields> = Input<Params, Query, undefined> & {
  fields: Parsed<Fields>;
  conditions: Conditions;
  length: number | null;
};

export type UploadInput<Params, Query, Fields, Granted = undefined, Inspected = undefined> = Input<
  Params,
  Query,
  undefined
> & {
  fields: Parsed<Fields>;
  conditions: Conditions;
  granted: Granted;
  /** What `inspect` found. */
  inspected: Inspected;
  /** The first of the files, or the only one. */
  file: UploadedFile;
  files: readonly UploadedFile[];
};

export type UploadDeclaration<
  Params,
  Query,
  Fields,
  Reply extends Schema,
  Granted = undefined,
  Inspected = undefined,
> = Described<Params, Query> & {
  method: 'post' | 'put' | 'patch';
  file: FileField;
  /**
   * Looks at what comes before a byte of it is stored, in steps of its own, and may refuse or bound it. The fields of the
   * form stand before the file then. Not called where the request is a repeated one: that is read, and not stored.
   */
  admit?: (input: AdmissionInput<Params, Query, Fields>, steps: Steps) => Promise<Admission<Granted>>;
  /**
   * Looks into the files when all of them are stored and before the transaction begins, without a connection, and may refuse it.
   * Not called where the request is a repeated one.
   */
  inspect?: (inspection: Inspection<Fields>) => Promise<Inspected>;
  /** Whether the handler itself compares If-Match and If-None-Match, with the ETag of a content. */
  own_conditions?: boolean;
  /** What a body of JSON asks for at the same path. */
  or?: WriteEndpoint;
  /** The other fields of the form: each as text (JSON where it is not text), or together as JSON in one field. */
  fields?: Fields;
  /** The field that holds the others together; `options` where absent. */
  together?: string;
  status?: 200 | 201 | 202;
  reply: Reply;
  also?: readonly (200 | 201 | 202)[];
  secrets?: readonly string[];
  /** Runs in the transaction that also keeps the files: when it throws, they are removed again. */
  handle: (input: UploadInput<Params, Query, Fields, Granted, Inspected>, work: Work) => Handled<Reply>;
};

/** A stored file with the time that it is from, for Last-Modified. */
export type ServedFile = StoredFile & { created_at: string; delivery?: Delivery };

/** A file that is written for the request and stands nowhere: its bytes are at hand. */
export type WrittenFile = Omit<ServedFile, 'storage_key'> & { content: Buffer };

/** How a file is handed out where it differs from others: a part of its hash as ETag, to be saved, in parts. */
export type Delivery = {
  /** With its quotation marks. */
  etag?: string;
  /** `inline` is heard for types that a browser shows without running anything of them. */
  disposition?: 'attachment' | 'inline';
  ranges?: boolean;
  /** Whether it is sandboxed whatever it is: a file of a stranger, which is only ever saved. */
  is_sandboxed?: true;
  /** Whether the caller is sent to a URL of the store, where it has one; then it is a file to be saved. */
  redirect?: boolean;
  /** Called when bytes are about to be sent, and may refuse: no HEAD, and nothing that answers headers alone, comes here. */
  begin?: () => Promise<void>;
};

type FileDescribed<Params, Query> = Described<Params, Query> & {
  /** What it may be, for the OpenAPI text. */
  media_types: readonly string[];
};

export type FileDeclaration<Params, Query> = FileDescribed<Params, Query> & {
  handle: (input: Input<Params, Query, undefined>, reader: Reader) => Promise<ServedFile | WrittenFile>;
};

export type StepwiseFileDeclaration<Params, Query> = FileDescribed<Params, Query> & {
  handle: (input: Input<Params, Query, undefined>, steps: Steps) => Promise<ServedFile>;
};

/** What a worker makes, for the job and the OpenAPI text. */
export type Generated = {
  /** The kind of the job: `<domain>.<resource>.<what>`. */
  kind: DomainName;
  unit: string | null;
  media_types: readonly string[];
  /** Whether the ETag of the file is its whole hash, `"sha256:<hex>"`. */
  has_whole_hash?: boolean;
};

/** Whether a handler answered a file rather than JSON. */
export function isContent<Other extends object>(handled: Other | Content): handled is Content {
  return 'file' in handled || 'enqueue' in handled;
}

export type GeneratedDeclaration<Params, Query> = Described<Params, Query> & {
  generates: Generated;
  /** Names what is asked for. Errors: those of a read, as `not_found`. */
  handle: (input: Input<Params, Query, undefined>, reader: Reader) => Promise<Content>;
};

/** A body that is bytes, as they come. `length` is null where the sender does not announce it. */
export type ArrivingBody = {
  bytes: AsyncIterable<Buffer>;
  length: number | null;
  /** As the sender says, in small letters, without parameters. */
  media_type: string | null;
};

/** What a call of this kind works with beside its steps: the body that it takes. */
export type Transfer = Steps & { body: ArrivingBody | null };

export type TransferDeclaration<Params, Query, Reply> = Described<Params, Query> & {
  method: 'post' | 'put' | 'patch' | 'delete' | 'head' | 'options';
  /** The body: its types (any where absent) and how many bytes it may have; absent where there is none. */
  takes?: { media_types?: readonly string[]; limit: number; description: string };
  /** Headers of the answer by their names. */
  tells?: Record<string, HeaderWords>;
  /** The status of success. */
  status: 200 | 201 | 202 | 204;
  /** Absent where nothing but headers is answered. */
  reply?: Reply;
  also?: readonly (200 | 201 | 202)[];
  handle: (
    input: Input<Params, Query, undefined>,
    transfer: Transfer,
  ) => Reply extends Schema ? Handled<Reply> : Promise<Answer<null>>;
};

export type UploadEndpoint = { kind: 'upload' } & UploadDeclaration<
  AnyParams,
  AnySchema,
  z.ZodObject | undefined,
  Schema,
  unknown,
  unknown
>;
export type FileEndpoint = { kind: 'file'; method: 'get' } & (
  | ({ in_steps?: undefined } & FileDeclaration<AnyParams, AnySchema>)
  | ({ in_steps: true } & StepwiseFileDeclaration<AnyParams, AnySchema>)
);
export type GeneratedEndpoint = { kind: 'generated'; method: 'get' } & GeneratedDeclaration<
  AnyParams,
  AnySchema
>;

export type TransferEndpoint = { kind: 'transfer' } & Omit<
  TransferDeclaration<AnyParams, AnySchema, AnySchema>,
  'handle' | 'reply'
> & {
    reply?: Schema;
    handle: (input: Input<AnyParams, AnySchema, undefined>, transfer: Transfer) => Promise<unknown>;
  };

/**
 * A call by the rules of another standard than this API's: it reads its body as bytes, hears headers of its own and may
 * answer headers alone, also to HEAD and OPTIONS. It holds a connection in its steps only, and ignores Idempotency-Key.
 */
export function transfer<
  Params extends AnyParams = undefined,
  Query extends AnySchema = undefined,
  Reply extends AnySchema = undefined,
>(declaration: TransferDeclaration<Params, Query, Reply>): TransferEndpoint {
  return { kind: 'transfer', ...declaration } as unknown as TransferEndpoint;
}

/** A call with a form that holds files, which stream to the store (RFC 7578). */
export function upload<
  Reply extends Schema,
  Params extends AnyParams = undefined,
  Query extends AnySchema = undefined,
  Fields extends z.ZodObject | undefined = undefined,
  Granted = undefined,
  Inspected = undefined,
>(declaration: UploadDeclaration<Params, Query, Fields, Reply, Granted, Inspected>): UploadEndpoint {
  return { kind: 'upload', ...declaration } as unknown as UploadEndpoint;
}

/** A GET that answers a stored file. */
export function file<Params extends AnyParams = undefined, Query extends AnySchema = undefined>(
  declaration: FileDeclaration<Params, Query>,
): FileEndpoint {
  return { kind: 'file', method: 'get', ...declaration } as unknown as FileEndpoint;
}

/** The same for a file that is found in steps, since what lies between them is slow, and whose beginning is a write. */
export function stepwiseFile<Params extends AnyParams = undefined, Query extends AnySchema = undefined>(
  declaration: StepwiseFileDeclaration<Params, Query>,
): FileEndpoint {
  return { kind: 'file', method: 'get', in_steps: true, ...declaration } as unknown as FileEndpoint;
}

/** A GET whose file a worker makes: the file when it is there within 15 s, the job otherwise. */
export function generated<Params extends AnyParams = undefined, Query extends AnySchema = undefined>(
  declaration: GeneratedDeclaration<Params, Query>,
): GeneratedEndpoint {
  return { kind: 'generated', method: 'get', ...declaration } as unknown as GeneratedEndpoint;
}
