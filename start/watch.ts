import { watch } from 'node:fs';
import { join } from 'node:path';

/** Calls `changed` once after each burst of changes to the sources under `root`, until it is closed. */
export function watchSources(root: string, changed: () => void): { close(): void } {
  let timer: NodeJS.Timeout | undefined;
  const watchers = ['api', 'shared', 'workers', 'migrations'].map((folder) =>
    watch(join(root, folder), { recursive: true }, (_event, file) => {
      if (!file?.endsWith('.ts')) return;
      clearTimeout(timer);
      timer = setTimeout(changed, 100);
    }),
  );
  return {
    close: () => {
      clearTimeout(timer);
      for (const watcher of watchers) watcher.close();
    },
  };
}
