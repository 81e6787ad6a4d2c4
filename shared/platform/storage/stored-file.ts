import type { ScanState } from '../intake/scanner.ts';

/** A file as a record names it and as it is handed out. `sha256` is in hexadecimal, `size` in bytes. */
export type StoredFile = {
  storage_key: string;
  file_name: string;
  media_type: string;
  size: number;
  sha256: string;
};

/** A file from outside, as it came with a request. */
export type UploadedFile = {
  /** Where it is stored; null where the endpoint does not keep it. */
  storage_key: string | null;
  /** As the sender calls it, without folders. */
  file_name: string;
  /** As the sender says: not to be believed. */
  media_type: string;
  /** As its first bytes say. */
  content_type: string;
  size: number;
  /** In hexadecimal. */
  sha256: string;
  /** What is known of malware in it, and the name of what was found. */
  scan: ScanState;
  finding: string | null;
  /** The first 1 MiB, or all of it. */
  head: Buffer;
  /** Settles once its bytes are in the store, where they are still on their way; before that no row may name it. */
  stored?: Promise<void>;
  /** The size in pixels where the endpoint makes images anew: then type, size and hash are those of what is stored. */
  image?: { width: number; height: number };
};

/** An image that was made anew from what was sent. */
export type RemadeImage = { bytes: Buffer; media_type: string; width: number; height: number };
