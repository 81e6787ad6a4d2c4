/** A sample in an English guide: a fenced block. */
const SAMPLE = /^```\w+\n.*?^```$/gms;

/** Where a sample of the English guide stands in its translation. */
const PLACE = /^```sample\n```$/gm;

/**
 * A translation with the samples of its English guide, the first at the first place and so on: samples are written once, and run
 * by the tests from there.
 */
export function withSamples(translation: string, english: string): string {
  const samples = [...english.matchAll(SAMPLE)].map(([sample]) => sample);
  return translation.replace(PLACE, () => samples.shift() ?? '');
}
