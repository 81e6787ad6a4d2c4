import type { DrawingQuestion } from '../pdf/types.ts';

/** What a signature in a PDF covers (/ByteRange): two parts of the file, and the signature is all between them. */
export type SealPlace = [first: number, first_length: number, second: number, second_length: number];

/** The public part of a key, in base64, for the process that has no key. */
export type StandInKey = { key_type: 'RSA' | 'EC'; certificate: string; chain: string[] };

/** Asks for a file that is ready to be sealed: what is drawn, and where the seal comes. */
export type Composition = {
  drawing: DrawingQuestion;
  /** The name of the signature field, which no other may have. */
  field: string;
  key: StandInKey;
  signing_time: string;
  /** Bytes kept for the signature. */
  room: number;
};

/** What is told of a file with a stand-in where its signature comes. */
export type Composed = { place: SealPlace; page_count: number };

/** Asks for a time stamp over a sealed file, and before it for what its signatures are validated by. */
export type Archiving = {
  field: string;
  /** Revocation lists in base64, by the hex SHA-256 of the certificate that each is about. */
  revocations: Record<string, string>;
  room: number;
};
