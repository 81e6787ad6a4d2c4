/**
 * A function that returns the same value for the same arguments. Thousands of fields are of few kinds, and a schema, which never
 * changes, takes a kilobyte: without this a fifth of the API's living objects are copies (docs/performance.md).
 */
export function madeOnce<Given extends readonly (string | number)[], Made>(
  make: (...given: Given) => Made,
): (...given: Given) => Made {
  const made = new Map<string, Made>();
  return (...given) => {
    const key = given.join(' ');
    if (!made.has(key)) made.set(key, make(...given));
    return made.get(key)!;
  };
}
