/** The same with numbers in place of bigints. */
export type Numbers<Value> = Value extends bigint
  ? number
  : Value extends readonly (infer Item)[]
    ? Numbers<Item>[]
    : Value extends object
      ? { [Name in keyof Value]: Numbers<Value[Name]> }
      : Value;

/**
 * A report as JSON has it: sums of yen as numbers. They are exact to 2^53, which is nine quadrillion yen: nine
 * times what an account may have in a month. Beyond that the last digits of a sum are rounded.
 */
export function inNumbers<Value>(value: Value): Numbers<Value> {
  if (typeof value === 'bigint') return Number(value) as Numbers<Value>;
  if (Array.isArray(value)) return value.map(inNumbers) as Numbers<Value>;
  if (typeof value !== 'object' || value === null) return value as Numbers<Value>;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, inNumbers(each)]),
  ) as Numbers<Value>;
}
