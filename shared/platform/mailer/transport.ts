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
   * Whether the same mail may be sent again without becoming two: then a try that was cut off needs no care.
   */
  readonly repeatable: boolean;
  /**
   * Hands the mail over and answers the server's words. `commit` is called when all but the last step is done, and
   * that step is taken only when it answers true. Throws `MailFailure`, `MailLost` or `MailOvertaken`.
   */
  deliver(mail: Outgoing, commit: () => Promise<boolean>, signal: AbortSignal): Promise<string>;
};

/** The server did not take the mail. */
export class MailFailure extends Error {
  override name = 'MailFailure';
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

/** The server may have taken the mail: its text was sent whole, and no reply came. */
export class MailLost extends Error {
  override name = 'MailLost';
}

/** `commit` answered false: another try sends this mail. */
export class MailOvertaken extends Error {
  override name = 'MailOvertaken';
}
