import type { Dialogue } from '../../../shared/mail/sending/outcomes.ts';
import { pauseAfterFailures } from '../../../shared/mail/sending/trouble.ts';
import type { Door, OpenDoor, Shut } from './door.ts';
import { type Lane, newLane, type ServedLane } from './lane.ts';

/** How a server stands that could not be reached. */
export type Trouble = {
  is_sign_in_refused: boolean;
  /** Milliseconds until it is tried again. */
  pause: number;
  /** What the last try ended with. */
  words: string;
};

/** What sends the mails of all campaigns of one process, over a few connections that are kept. */
export type Sender = {
  /**
   * Opens a connection unless there is one; null where that works. That it comes about shows no server that takes mails: only an answer
   * about one ends the trouble. A sign-in counts as refused by a try of now alone.
   * `at_once`: a pause after failed tries ends, as somebody has just had a campaign begin or go on.
   */
  reach(at_once: boolean): Promise<Trouble | null>;
  /** What keeps mails from beginning soon; null where nothing does. A fault of ours in between is thrown once: it ends the slice that asks. */
  trouble(): Trouble | null;
  /** Takes the mails of a slice, which are served in turn with those of the others. */
  open(): Lane;
  close(lane: Lane): void;
  /** How many mails a lane may have in hand more, so that all together have four a connection at most. */
  room(lane: Lane): number;
  end(): void;
};

export type SenderOptions = { openDoor: OpenDoor; connections: number; clock: () => number };

/** Mails in hand a connection: one under way, the others marked, so that none waits for the database. */
const IN_HAND = 4;

/** Mails of one connection: servers end those that never do. */
const MOST_MAILS = 100;

/** Milliseconds that a connection is kept without a mail: servers close those that say nothing for long. */
const IDLE = 20_000;

/** What a connection has ended with, and one that met a fault of ours, which is thrown besides. */
const BROKEN = {
  is_sign_in_refused: false,
  words: 'The line broke before the mail server asked for the text of a mail',
};
const FAULTY = { is_sign_in_refused: false, words: 'A fault of the service' };

/** Opens a sender; it connects with its first mail. */
export function openSender({ openDoor, connections, clock }: SenderOptions): Sender {
  const lanes: ServedLane[] = [];
  const begun_at = new Map<string, number>();
  const uses = new WeakMap<Door, number>();
  const idle: { connection: Door; timer: NodeJS.Timeout }[] = [];
  let open = 0;
  let opening = 0;
  let turn = 0;
  let failures = 0;
  let retry_at = 0;
  let refusals = 0;
  let ask_at = 0;
  let shut: Shut = FAULTY;
  let timer: NodeJS.Timeout | undefined;
  let ended = false;
  let fault: { error: unknown } | null = null;

  /** Gives every connection that is free a mail that may begin, and opens those that mails wait for. */
  function serve(): void {
    clearTimeout(timer);
    const now = clock();
    if (failures > 0 && now < retry_at) wakeAt(retry_at);
    // A server that was away is tried with one mail.
    else
      while (failures === 0 ? idle.length > 0 || open < connections : open === idle.length) {
        const lane = nextLane(now);
        if (!lane) {
          wakeAt(Math.min(...lanes.map(({ due_at }) => due_at ?? Number.POSITIVE_INFINITY)));
          return;
        }
        const kept = idle.pop();
        if (kept) {
          clearTimeout(kept.timer);
          void run(lane, kept.connection);
          continue;
        }
        if (opening >= waiting()) return;
        if (open > opening && now < ask_at) {
          wakeAt(ask_at);
          return;
        }
        void connect();
      }
  }

  function waiting(): number {
    return lanes.reduce((sum, lane) => sum + lane.waiting, 0);
  }

  /** A mail begins once there is a connection: until then it can be taken back, however long a server takes to greet. */
  async function connect(): Promise<void> {
    const connection = await connected().catch(faulty);
    if (connection && !ended) keep(connection);
    else if (connection) drop(connection);
    serve();
  }

  function wakeAt(at: number): void {
    if (ended || at === Number.POSITIVE_INFINITY) return;
    timer = setTimeout(serve, Math.min(Math.max(at - clock(), 1), 60_000));
  }

  /** The next lane in turn whose first mail may begin. */
  function nextLane(now: number): ServedLane | null {
    for (let step = 1; step <= lanes.length; step += 1) {
      const lane = lanes[(turn + step) % lanes.length]!;
      if (lane.due_at === null || lane.due_at > now) continue;
      turn = (turn + step) % lanes.length;
      return lane;
    }
    return null;
  }

  async function run(lane: ServedLane, connection: Door): Promise<void> {
    const marked = lane.begin(clock());
    const dialogue = await connection.handOver(marked.letter).catch(unanswered);
    if (dialogue.kind === 'lost') {
      failed(BROKEN);
      lane.putBack(marked);
      drop(connection);
    } else {
      if (dialogue.kind !== 'silent') recovered();
      lane.end(marked, dialogue);
      await release(connection, dialogue);
    }
    serve();
  }

  /** Nobody waits for a mail that is under way, so what is thrown there would end the process. */
  function faulty(error: unknown): null {
    fault = { error };
    failed(FAULTY);
    return null;
  }

  /** Nobody knows how far it came. */
  function unanswered(error: unknown): Dialogue {
    fault = { error };
    return { kind: 'silent', words: 'A fault of the service' };
  }

  /** Keeps the connection for the next mail, or closes it. */
  async function release(connection: Door, dialogue: Dialogue): Promise<void> {
    const used = (uses.get(connection) ?? 0) + 1;
    uses.set(connection, used);
    const isFresh = used < MOST_MAILS && !ended;
    const isKept =
      dialogue.kind === 'taken' ||
      (dialogue.kind === 'refused' && (await connection.reset().catch(() => false)));
    if (isKept && isFresh) return keep(connection);
    drop(connection);
  }

  function keep(connection: Door): void {
    const waiting = { connection, timer: setTimeout(() => forget(connection), IDLE).unref() };
    idle.push(waiting);
  }

  function forget(connection: Door): void {
    const index = idle.findIndex((each) => each.connection === connection);
    if (index === -1) return;
    idle.splice(index, 1);
    drop(connection);
  }

  function drop(connection: Door): void {
    open -= 1;
    connection.close();
  }

  /** A connection that was opened, and counts as open; null where that failed. */
  async function connected(): Promise<Door | null> {
    open += 1;
    opening += 1;
    let door: Door | null = null;
    try {
      const answer = await openDoor(forget);
      if ('close' in answer) {
        door = answer;
        refusals = 0;
        shut = { ...shut, is_sign_in_refused: false };
      } else if (open > opening) askLater();
      else failed(answer);
    } finally {
      opening -= 1;
      if (!door) open -= 1;
    }
    return door;
  }

  /** A server that has connections of ours and takes no further one is asked for more now and then: it is no trouble. */
  function askLater(): void {
    if (clock() < ask_at) return;
    refusals += 1;
    ask_at = clock() + pauseAfterFailures(refusals);
  }

  /** What fails at the same time, on several connections, is one failure. */
  function failed(by: Shut): void {
    if (failures > 0 && clock() < retry_at) return;
    failures += 1;
    retry_at = clock() + pauseAfterFailures(failures);
    shut = by;
  }

  function recovered(): void {
    failures = 0;
  }

  function trouble(): Trouble | null {
    if (fault) {
      const { error } = fault;
      fault = null;
      throw error;
    }
    return failures === 0 ? null : { ...shut, pause: Math.max(0, retry_at - clock()) };
  }

  return {
    trouble,
    reach: async (at_once) => {
      if (open > 0 && failures === 0) return null;
      if (at_once) retry_at = Math.min(retry_at, clock());
      const pause = Math.max(0, retry_at - clock());
      if (failures > 0 && pause > 0) return { ...shut, is_sign_in_refused: false, pause };
      if (open > 0) return null;
      const connection = await connected();
      if (!connection) return trouble();
      keep(connection);
      return null;
    },
    open: () => {
      const lane = newLane(serve, begun_at);
      lanes.push(lane);
      return lane;
    },
    close: (lane) => {
      lanes.splice(lanes.indexOf(lane as ServedLane), 1);
      // No limit a second spaces mails wider than that.
      for (const [scope, at] of begun_at) if (at < clock() - 1_000) begun_at.delete(scope);
    },
    room: (lane) => {
      const inHand = (each: Lane) => each.waiting + each.under_way + each.answers;
      const all = connections * IN_HAND;
      const share = Math.max(1, Math.floor(all / lanes.length));
      const left = all - lanes.reduce((sum, each) => sum + inHand(each), 0);
      return Math.max(0, Math.min(share - inHand(lane), left));
    },
    end: () => {
      ended = true;
      clearTimeout(timer);
      for (const { connection, timer } of idle.splice(0)) {
        clearTimeout(timer);
        drop(connection);
      }
    },
  };
}
