type Members = Record<string, unknown>;

/**
 * Whether two values are the same as JSON (RFC 8259): the order of members does not matter, a member that is undefined
 * is absent, and `-0` is `0`. `isDeepStrictEqual` of Node tells the last two apart. Of what JSON does not hold, times
 * compare as the text that JSON gives them, and a BigInt equals itself.
 */
export function isSameJson(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (left instanceof Date || right instanceof Date) return JSON.stringify(left) === JSON.stringify(right);
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((one, place) => isSameJson(one, right[place]));
  }
  if (Array.isArray(left) || Array.isArray(right)) return false;
  return hasSameMembers(left as Members, right as Members);
}

function hasSameMembers(left: Members, right: Members): boolean {
  for (const name of Object.keys(left)) {
    if (!isSameJson(left[name], own(right, name))) return false;
  }
  return Object.keys(right).every((name) => Object.hasOwn(left, name) || right[name] === undefined);
}

/** A member of the object itself: `constructor` may be a name that a caller chose. */
function own(members: Members, name: string): unknown {
  return Object.hasOwn(members, name) ? members[name] : undefined;
}
