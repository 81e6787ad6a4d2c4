import { watch } from 'node:fs';
import { join } from 'node:path';

/** Calls `changed` once after each burst of changes to the sources under `root`. */
export function watchSources(root: string, changed: () => void): void {
  let timer: NodeJS.Timeout | undefined;
  for (const folder of ['api', 'shared', 'workers', 'migrations']) {
    watch(join(root, folder), { recursive: true }, (_event, file) => {
      if (!file?.endsWith('.ts')) return;
      clearTimeout(timer);
      timer = setTimeout(changed, 100);
    });
  }
}
