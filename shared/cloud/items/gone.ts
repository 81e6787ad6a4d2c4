import { Failure } from '../../kernel/failure.ts';

/** What was being read went meanwhile: the same request again finds out. */
export function unavailable(): Failure {
  return new Failure('unavailable', { headers: { 'Retry-After': '1' } });
}
