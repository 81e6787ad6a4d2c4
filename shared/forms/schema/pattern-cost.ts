import type { RE2JS } from 're2js';

/** A step of a compiled pattern: takes a letter, goes on without one, or ends. */
type Step = { op: number; out: number; arg: number; runes: ArrayLike<number> };

/** The kinds of steps as re2js numbers them. */
const [ALTERNATIVE, ALTERNATIVE_MATCH, CAPTURE, EMPTY_WIDTH, NOTHING] = [1, 2, 3, 4, 7] as const;
const [FIRST_OF_LETTERS, LAST_OF_LETTERS] = [8, 11] as const;

/** Tables of re2js tell apart ends of lines, ends of words and what has matched. */
const FLAGS = 8;
/** Letters that are read from a table in the time of one step. */
const LETTERS_A_STEP = 10;
/** Classes that a letter without regard to its case may add. */
const CASES = 8;

/**
 * Steps that matching a text of that many letters takes at most, whatever it says; counted no further than `most`. Each
 * letter costs the steps at which the pattern can stand there. A pattern of few letters costs its table and a look into it.
 */
export function stepsToMatch(pattern: RE2JS, letters: number, most: number): number {
  const { prog } = pattern.re2Input;
  const steps = prog.inst as Step[];
  const takers = steps.filter(takesLetter);
  const classes = takers.reduce((sum, { runes }) => sum + runes.length + (runes.length === 1 ? CASES : 2), 1);
  const table = Math.min(letters, 2 ** takers.length * FLAGS * classes) * steps.length;
  return Math.min(stepsByLetters(steps, prog.start, letters, most), table + letters / LETTERS_A_STEP);
}

/** The sum, over all letters, of the steps that can be reached by so many letters. */
function stepsByLetters(steps: readonly Step[], start: number, letters: number, most: number): number {
  const reachedAt = new Int32Array(steps.length).fill(-2);
  let from = [start];
  let last: number[] = [];
  let sum = 0;
  for (let letter = 0; letter <= letters && from.length > 0 && sum <= most; letter += 1) {
    let known = 0;
    const reached: number[] = [];
    const open = from;
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      if (reachedAt[at] === letter) continue;
      if (reachedAt[at] === letter - 1) known += 1;
      reachedAt[at] = letter;
      reached.push(at);
      open.push(...withoutLetter(steps[at]!));
    }
    // The same steps again: so it stays.
    if (known === reached.length && known === last.length)
      return sum + reached.length * (letters - letter + 1);
    sum += reached.length;
    last = reached;
    from = reached.filter((at) => takesLetter(steps[at]!)).map((at) => steps[at]!.out);
  }
  return sum;
}

function takesLetter({ op }: Step): boolean {
  return op >= FIRST_OF_LETTERS && op <= LAST_OF_LETTERS;
}

function withoutLetter({ op, out, arg }: Step): number[] {
  if (op === ALTERNATIVE || op === ALTERNATIVE_MATCH) return [out, arg];
  return op === CAPTURE || op === EMPTY_WIDTH || op === NOTHING ? [out] : [];
}
