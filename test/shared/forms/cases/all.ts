import type { Case } from './case.ts';
import { pathCases } from './paths.ts';
import { valueCases } from './values.ts';

/** The fixed cases: every path that takes answers, and the module that pages load, must come to the same. */
export const cases: readonly Case[] = [...valueCases, ...pathCases];
