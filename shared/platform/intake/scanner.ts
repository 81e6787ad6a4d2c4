export const scanStates = ['off', 'pending', 'clean', 'quarantined', 'unscanned'] as const;

/**
 * What is known of malware in a file: `off` where nothing scans; `pending` until the scanner has answered;
 * `unscanned` for one that it does not read whole, for its size or its depth.
 */
export type ScanState = (typeof scanStates)[number];

/** The state, and the name of what was found in a file that is `quarantined`. */
export type Verdict = { scan: ScanState; finding: string | null };

/** One file on its way through the scanner. */
export type Scan = {
  /** Hands over what comes next, and resolves when more may follow and the chunk is not needed. It never rejects. */
  send(chunk: Buffer): Promise<void>;
  /** Whether the verdict follows from what was sent already: nothing more is read. */
  isDecided(): boolean;
  /** Says that this was all, and answers the verdict; `pending` where the scanner is away, silent or in trouble. */
  end(): Promise<Verdict>;
  /** Stops; nobody waits for a verdict. */
  abandon(): void;
};

export type Scanner = {
  begin(): Scan;
  /** Asks for a sign of life. Throws the reason why there is none. */
  check(): Promise<void>;
};
