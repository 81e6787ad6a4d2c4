// Works out the proof that a form asks for: the least number n such that SHA-256 of `salt:n` begins with so many zero bits.
// A form that is sent without it is taken too, and flagged.

/** Hashes between two looks at what else the browser has to do. */
const AT_ONCE = 2_000;

const constants = constantsOf();
const bytes = new TextEncoder();

/** The first 64 prime numbers give SHA-256 its constants (FIPS 180-4): the fractions of their cube and square roots. */
function constantsOf() {
  const primes = [];
  for (let number = 2; primes.length < 64; number += 1) {
    if (primes.every((prime) => number % prime !== 0)) primes.push(number);
  }
  const fraction = (root) => ((root - Math.floor(root)) * 2 ** 32) | 0;
  return {
    rounds: primes.map((prime) => fraction(Math.cbrt(prime))),
    start: primes.slice(0, 8).map((prime) => fraction(Math.sqrt(prime))),
  };
}

const turned = (word, by) => (word >>> by) | (word << (32 - by));

/** The first 32 bits of the SHA-256 of a text. */
export function firstBits(text) {
  const message = bytes.encode(text);
  const blocks = Math.ceil((message.length + 9) / 64);
  const padded = new DataView(new ArrayBuffer(blocks * 64));
  for (const [place, byte] of message.entries()) padded.setUint8(place, byte);
  padded.setUint8(message.length, 0x80);
  padded.setUint32(blocks * 64 - 4, message.length * 8);
  let state = constants.start;
  for (let block = 0; block < blocks; block += 1) state = compressed(state, padded, block * 64);
  return state[0] >>> 0;
}

function compressed(state, data, offset) {
  const words = new Int32Array(64);
  for (let at = 0; at < 16; at += 1) words[at] = data.getInt32(offset + at * 4);
  for (let at = 16; at < 64; at += 1) {
    const [far, near] = [words[at - 15], words[at - 2]];
    const low = turned(far, 7) ^ turned(far, 18) ^ (far >>> 3);
    const high = turned(near, 17) ^ turned(near, 19) ^ (near >>> 10);
    words[at] = words[at - 16] + low + words[at - 7] + high;
  }
  let [a, b, c, d, e, f, g, h] = state;
  for (let at = 0; at < 64; at += 1) {
    const mixed = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
    const first = (h + mixed + ((e & f) ^ (~e & g)) + constants.rounds[at] + words[at]) | 0;
    const second = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [a, b, c, d, e, f, g, h] = [(first + second) | 0, a, b, c, (d + first) | 0, e, f, g];
  }
  return [a, b, c, d, e, f, g, h].map((word, place) => (word + state[place]) | 0);
}

/** Whether a number is a proof. */
export function isProof({ salt, bits }, number) {
  return firstBits(`${salt}:${number}`) >>> (32 - bits) === 0;
}

/** The least number that is a proof; `pause` lets others work in between. */
export async function proofOf(challenge, pause) {
  for (let number = 0; ; number += 1) {
    if (isProof(challenge, number)) return number;
    if (number % AT_ONCE === AT_ONCE - 1) await pause();
  }
}

function start(field) {
  const { salt, bits } = field.dataset;
  const solving = proofOf({ salt, bits: Number(bits) }, () => new Promise((go) => setTimeout(go))).then(
    (number) => {
      field.value = String(number);
    },
  );
  field.form.addEventListener('submit', (event) => {
    if (field.value !== '') return;
    // It is sent a moment later, by the same button.
    event.preventDefault();
    const { submitter } = event;
    solving.then(() => field.form.requestSubmit(submitter));
  });
}

if (globalThis.document) {
  const field = document.querySelector('input[name="proof"][data-salt]');
  if (field) start(field);
}
