import type { Dialogue } from '../../../shared/mail/sending/outcomes.ts';
import type { Letter } from './dialogue.ts';

/** Where mails leave, one after the other: a connection to a server, or the local mailbox. */
export type Door = {
  /** Never throws. After anything but an answer it is not to be used again. */
  handOver(letter: Letter): Promise<Dialogue>;
  /** Makes it ready for the next mail after one that was refused; false where that fails. */
  reset(): Promise<boolean>;
  close(): void;
};

/** Why a door did not open; `words` name no address and no password: they are logged. */
export type Shut = { is_sign_in_refused: boolean; words: string };

/** Opens a door; `ended` is called when the other side closes it. Throws faults of ours alone. */
export type OpenDoor = (ended: (door: Door) => void) => Promise<Door | Shut>;
