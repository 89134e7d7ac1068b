import { existsSync, openSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startChild } from '../../setup/child.mjs';

export const apps = resolve(fileURLToPath(import.meta.url), '../../../../apps');

const TRIES = 3;

/** One instance of a built service. It can be killed and restarted on the same ports. */
export class Service {
  /** @param {string} release the folder `apps` of the release that it runs */
  constructor(role, folder, env, release = apps) {
    const [script, log] = [scriptOf(release, role), join(folder, 'services.log')];
    const settings = { ...env, ASSURANCE_PORT: '0', ASSURANCE_OPERATIONS_PORT: '0' };
    Object.assign(this, { role, settings, script, log, child: null });
  }

  /** Starts it, the first time on free ports, later on the same ones. */
  async start() {
    if (!existsSync(this.script)) throw new Error(`${this.script} does not exist: run npm run build`);
    for (let tries = 1; ; tries += 1) {
      try {
        this.child = await startChild([this.script], { env: this.settings, stderr: openSync(this.log, 'a') });
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

  /** Stops it (SIGTERM), and starts another release in its place, with further settings. */
  async replace(release, more = {}) {
    await this.stop();
    this.settings = { ...this.settings, ...more };
    this.script = scriptOf(release, this.role);
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

function scriptOf(release, role) {
  return join(release, role, 'dist/main.js');
}
