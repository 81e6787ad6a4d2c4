import { z } from 'zod';

/**
 * An object of an answer by names that its writer chose, whose values satisfy `isValue`; `documented` is what the contract says of them.
 * It is answered as it is: the copy that `z.record` makes is kept by hash, and takes JSON.stringify three times as long.
 */
function openObject<Value>(isValue: (value: unknown) => value is Value, documented: object) {
  return z
    .custom<Record<string, Value>>((object) => {
      if (typeof object !== 'object' || object === null) return false;
      const prototype = Object.getPrototypeOf(object);
      if (prototype !== Object.prototype && prototype !== null) return false;
      for (const name in object) if (!isValue((object as Record<string, unknown>)[name])) return false;
      return true;
    })
    .meta({ type: 'object', additionalProperties: documented });
}

/** Texts by names that their writer chose, in an answer. */
export function textsByName() {
  return openObject((value) => typeof value === 'string', { type: 'string' });
}

/** Anything by names that its writer chose, in an answer. */
export function valuesByName() {
  return openObject((_value): _value is unknown => true, {});
}

type SimpleValue = string | number | boolean | string[];

function isSimple(value: unknown): value is SimpleValue {
  if (Array.isArray(value)) return value.every((one) => typeof one === 'string');
  return ['string', 'number', 'boolean'].includes(typeof value);
}

/** Texts, numbers, booleans and lists of texts by names that their writer chose, in an answer. */
export function simpleValuesByName() {
  return openObject(isSimple, {
    anyOf: [
      { type: 'string' },
      { type: 'number' },
      { type: 'boolean' },
      { type: 'array', items: { type: 'string' } },
    ],
  });
}
