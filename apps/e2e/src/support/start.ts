import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { auditPackage } from '@assurance/audit-package-role';
import { gateway } from '@assurance/gateway-role';
import { ingestion } from '@assurance/ingestion-role';
import { notificationDispatcher } from '@assurance/notification-role';
import { projection } from '@assurance/projection-role';
import { type Overrides, serve } from '@assurance/runtime';
import { openEmbedded } from '@assurance/storage-sqlite';
import { loosen, type Step } from '@assurance/testing-loose';
import { startApart, startPairs } from './apart';
import { BOOTSTRAP } from './declared';
import { Operator } from './operator';
import type { Running, Settings, ShapeName } from './running';
import { seeded } from './seeded';
import { servers } from './servers';

type Engines = NonNullable<Overrides['engines']>;

/** Starts services in this process. */
export const START: Readonly<Record<ShapeName, (settings?: Settings, now?: () => number) => Promise<Running>>> = {
  embedded: (settings, now) => inOneProcess(settings, undefined, now),
  loose: (settings, now) => startLoose(settings, undefined, now),
  apart: (settings, now) => startApart(settings, now),
  scaled: (settings, now) => inOneProcess({ ...servers(), ...settings }, undefined, now),
  pairs: (settings, now) => startPairs(servers(), settings, now),
};

/** The embedded engine, loosened: see `startLoose` of the shapes. */
export function startLoose(
  settings?: Settings,
  onStep?: (step: Step) => void | Promise<void>,
  now: () => number = () => Date.now(),
): Promise<Running> {
  const open = async (folder: string, faults: string[]) => {
    const engines = await openEmbedded({
      folder,
      now,
      random: (bytes) => randomBytes(bytes),
      onFault: (fault) => faults.push(String(fault)),
    });
    return loosen(engines, { random: seeded(7), onStep });
  };
  return inOneProcess(settings, open, now);
}

/** All roles in one process, on engines that stay their owner's to close. */
export function startOn(engines: Engines, now: () => number): Promise<Running> {
  return inOneProcess({}, () => Promise.resolve({ ...engines, close: () => Promise.resolve() }), now);
}

/** All roles in this process, on a data folder of their own. */
async function inOneProcess(
  settings: Settings = {},
  open?: (folder: string, faults: string[]) => Promise<Engines>,
  now?: Overrides['now'],
): Promise<Running> {
  const folder = mkdtempSync(join(tmpdir(), 'assurance-e2e-'));
  const bootstrap = join(folder, 'bootstrap.yaml');
  writeFileSync(bootstrap, BOOTSTRAP);
  const faults: string[] = [];
  const engines = await open?.(folder, faults);
  const served = await serve([gateway, ingestion, projection, notificationDispatcher, auditPackage], {
    env: {
      ASSURANCE_PORT: '0',
      ASSURANCE_DATA_DIR: join(folder, 'data'),
      ASSURANCE_BOOTSTRAP_FILE: bootstrap,
      ASSURANCE_LOG_LEVEL: 'error',
      ...settings,
    },
    engines,
    now,
    log: { write: (line) => faults.push(line) },
    onFault: (fault) => faults.push(String(fault)),
  });
  return {
    url: served.url,
    operator: new Operator(served.operations),
    faults,
    stop: async () => {
      await served.close();
      await engines?.close();
      rmSync(folder, { recursive: true });
    },
  };
}
