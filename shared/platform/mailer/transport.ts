/** A mail as it is handed to a server: complete, with CRLF line ends. */
export type Outgoing = {
  id: string;
  from: string;
  /** Every address that it goes to, those of copies too. */
  to: string[];
  raw: Buffer;
};

/** Where mails go. */
export type Transport = {
  /**
   * Whether the same mail may be handed over again without becoming two: then a try that was cut off needs no care.
   */
  readonly repeatable: boolean;
  /**
   * Hands the mail over and answers the server's words. `commit` is called when all but the last step is done, and
   * that step is taken only when it answers true. Throws MailRefused, or MailLost.
   */
  deliver(mail: Outgoing, commit: () => Promise<boolean>, signal: AbortSignal): Promise<string>;
};

/** The mail was surely not taken. */
export class MailRefused extends Error {
  override name = 'MailRefused';
  /** Whether another try is pointless. */
  readonly permanent: boolean;
  /** The server's reply, which may hold the address; null when it gave none. */
  readonly reply: string | null;

  constructor(message: string, details: { permanent: boolean; reply: string | null; cause?: unknown }) {
    super(message, { cause: details.cause });
    this.permanent = details.permanent;
    this.reply = details.reply;
  }
}

/** The mail may have been taken: its text was handed over whole, and then nothing was heard any more. */
export class MailLost extends Error {
  override name = 'MailLost';
}

/** `commit` answered false: somebody else has this mail in hand. */
export class MailTaken extends Error {
  override name = 'MailTaken';
}
