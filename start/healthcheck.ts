import { readStartSettings } from '../shared/platform/settings/settings.ts';

/** Ends with 0 when the API on this machine answers that it is alive; for the health check of a container. */
try {
  const { port } = readStartSettings(process.env);
  const response = await fetch(`http://127.0.0.1:${port}/healthz`, { signal: AbortSignal.timeout(4_000) });
  process.exitCode = response.ok ? 0 : 1;
} catch {
  process.exitCode = 1;
}
