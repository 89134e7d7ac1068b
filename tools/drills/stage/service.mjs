import { existsSync, openSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startChild } from '../../setup/child.mjs';

export const apps = resolve(fileURLToPath(import.meta.url), '../../../../apps');
/** The release after this one: a program that takes the role. */
export const nextRelease = resolve(fileURLToPath(import.meta.url), '../next-release.mjs');

const TRIES = 3;

/** One instance of a built service. It can be killed and restarted on the same ports. */
export class Service {
  /** @param {string} release the folder `apps` of the release that it runs, or `nextRelease` */
  constructor(role, folder, env, release = apps) {
    const [program, log] = [programOf(release, role), join(folder, 'services.log')];
    const settings = { ...env, ASSURANCE_PORT: '0', ASSURANCE_OPERATIONS_PORT: '0' };
    Object.assign(this, { role, settings, program, log, child: null });
  }

  /** Starts it, the first time on free ports, later on the same ones. */
  async start() {
    if (!existsSync(this.program[0])) throw new Error(`${this.program[0]} does not exist: run npm run build`);
    for (let tries = 1; ; tries += 1) {
      try {
        this.child = await startChild(this.program, { env: this.settings, stderr: openSync(this.log, 'a') });
        break;
      } catch (fault) {
        // Another connection may use the port for a moment.
        if (tries === TRIES) throw fault;
      }
    }
    const { url, operations } = this.child;
    const portOf = (address) => new URL(address).port;
    Object.assign(this, { url, operations });
    this.settings = { ...this.settings, ASSURANCE_PORT: portOf(url), ASSURANCE_OPERATIONS_PORT: portOf(operations) };
  }

  /** Kills it (SIGKILL). */
  async kill() {
    process.kill(this.child.pid, 'SIGKILL');
    await this.child.stop();
  }

  /** Stops it (SIGTERM), and starts another release in its place. */
  async replace(release) {
    await this.stop();
    this.program = programOf(release, this.role);
    await this.start();
  }

  /** Reads the value of a metric. */
  async figure(name) {
    const answer = await fetch(`${this.operations}/metrics`);
    const line = (await answer.text()).split('\n').find((one) => one.startsWith(`${name} `));
    if (line === undefined) throw new Error(`${this.role} has no metric ${name}`);
    return Number(line.slice(name.length + 1));
  }

  /** Whether it runs, from its first start or after a restart. */
  async lives() {
    return fetch(`${this.operations}/live`).then(
      ({ ok }) => ok,
      () => false,
    );
  }

  async stop() {
    await this.child?.stop();
  }
}

function programOf(release, role) {
  return release === nextRelease ? [nextRelease, role] : [join(release, role, 'dist/main.js')];
}
