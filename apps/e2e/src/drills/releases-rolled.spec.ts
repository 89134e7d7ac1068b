import { execFileSync } from 'node:child_process';
import { join, relative } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { installed, REPORTS, times } from './drill';
import type { Service } from './service';

const ROOT = join(__dirname, '../../../..');
/** How long to wait after a replaced instance is ready before the next one is replaced (milliseconds). */
const BESIDE_MS = 300;
const often = times(3, 0);
const LIMIT_MS = often > 0 ? 900_000 : 400_000;

/** The folder of the programs of the release before, below `apps`. It is built where it is not there yet. */
let folder: string | undefined;
const releaseBefore = (): string => (folder ??= fetchReleaseBefore());

function fetchReleaseBefore(): string {
  const printed = execFileSync(process.execPath, ['tools/ci/fetch.ts'], {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return `${relative(join(ROOT, 'apps'), printed.trim().split('\n').at(-1) ?? '')}/`;
}

describe('two of every service of the release before lose and double no report while', () => {
  const { installation, drill } = installed(['mongodb-secured', 'kafka-secured'], releaseBefore);

  it(
    // In the short form none goes back.
    'one after the other is replaced by this release, and by the one before, and in the end all by this one',
    () =>
      drill(async (clients) => {
        const { all, services, urls } = installation;
        const before = releaseBefore();
        // Callers use the other gateway before one is replaced, as with a load balancer.
        const replace = async (service: Service, apps: string) => {
          const place = urls.indexOf(service.url);
          if (place >= 0) urls.splice(place, 1);
          await clients.during(service.stop());
          await clients.during(service.start({}, apps));
          if (place >= 0) urls.splice(place, 0, service.url);
          await clients.during(setTimeout(BESIDE_MS));
        };
        await clients.more(REPORTS);
        for (let i = 0; i < often; i += 1) {
          for (const service of all) await replace(service, '');
          await clients.more(REPORTS);
          for (const service of all.toReversed()) await replace(service, before);
          await clients.more(REPORTS);
        }
        const firsts = all.filter((service) => Object.values(services).some(([first]) => first === service));
        for (const service of firsts) await replace(service, '');
        // Both releases run side by side.
        await clients.more(REPORTS);
        for (const service of all) if (!firsts.includes(service)) await replace(service, '');
        await clients.more(REPORTS);
        expect([...clients.refused.keys()].filter((status) => status !== 503)).toEqual([]);
      }),
    LIMIT_MS,
  );
});
