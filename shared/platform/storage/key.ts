const PART = /^[A-Za-z0-9_-]{1,100}$/;

/**
 * Answers the key if it is one: parts of letters, digits, `_` and `-` with `/` between them, so that no key leads out
 * of its folder or means another thing to another store. Throws for others: keys are made by us alone.
 */
export function requireKey(key: string): string {
  if (key.split('/').every((part) => PART.test(part))) return key;
  throw new Error(`${JSON.stringify(key)} is no key of a stored file`);
}

/** The organization that a file was stored for, which its key begins with; a guest's upload may be kept by another one. */
export function ownerOf(storage_key: string): string {
  return storage_key.slice(0, storage_key.indexOf('/'));
}
