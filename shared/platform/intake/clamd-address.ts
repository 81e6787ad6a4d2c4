/** Where clamd listens. */
export type ClamdAddress = { path: string } | { host: string; port: number };

/** The parts of `tcp://host:port` or `unix:/path`; null for an address of another form. */
export function clamdAddress(url: string): ClamdAddress | null {
  const path = /^unix:(\/.+)$/.exec(url)?.[1];
  if (path) return { path };
  const [, host, port] = /^tcp:\/\/(\[[^\]]+\]|[^:/]+):(\d{1,5})$/.exec(url) ?? [];
  return host && Number(port) < 65_536 ? { host: host.replace(/^\[|\]$/g, ''), port: Number(port) } : null;
}
