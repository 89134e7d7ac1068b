// Replays the given folder, or ASSURANCE_RECORDED_DIR, or ../shared/data beside the repository.
import { spawnSync } from 'node:child_process';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const root = resolve(here, '../..');
const folder = resolve(root, process.argv[2] || process.env.ASSURANCE_RECORDED_DIR || '../shared/data');
const { status } = spawnSync(process.execPath, [join(here, 'replay.mjs'), folder], { cwd: root, stdio: 'inherit' });
process.exitCode = status ?? 1;
