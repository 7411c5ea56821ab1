import { mkdtempSync, renameSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Moves what a project built to where no installed package is found; the caller removes it. */
export function moved(built: string): string {
  const dir = mkdtempSync(join(tmpdir(), 'redslot-moved-'));
  renameSync(built, dir);
  return dir;
}
