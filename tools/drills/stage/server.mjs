import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, openSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { engineOf } from '../../engines/engines.mjs';
import { untilReady } from '../../engines/wait.mjs';

/** A server of an engine with its own data. It can be killed and restarted on its data. It ends when this process ends. */
export class Server {
  /** @param {object} options of the engine's command */
  constructor(name, folder, ports, options) {
    Object.assign(this, { name, folder, ports, options, child: null });
    this.engine = engineOf(name);
    mkdirSync(folder, { recursive: true });
    process.once('exit', () => this.child?.kill('SIGKILL'));
  }

  /** Starts it without waiting until it is ready. */
  async start() {
    // The port of a killed JVM stays in use for a while.
    while (await listens(this.ports[0])) await sleep(50);
    const [command, ...args] = await this.engine.command(this.folder, this.ports, this.options);
    const said = openSync(join(this.folder, 'server.out'), 'a');
    this.child = spawn(command, args, { stdio: ['ignore', said, said], detached: true });
    this.gone = once(this.child, 'exit');
  }

  /** Waits until it answers requests. `ports`: all ports of its replica set. */
  ready(ports = this.ports) {
    const { child } = this;
    return untilReady(
      () => this.engine.ready(ports, this.folder),
      () => (child.exitCode === null && child.signalCode === null ? null : `${this.name} ended, see ${this.folder}`),
    );
  }

  /** Kills it (SIGKILL). Unlike in a power cut, the system still writes its buffers. */
  async kill() {
    this.child.kill('SIGKILL');
    await this.gone;
  }

  /** Suspends it with its connections open, as if the network dropped all packets. */
  freeze() {
    this.child.kill('SIGSTOP');
  }

  thaw() {
    this.child.kill('SIGCONT');
  }

  /** Stops it at the end. */
  async stop() {
    if (this.child === null) return;
    this.child.kill('SIGCONT');
    await this.kill();
  }
}

function listens(port) {
  return new Promise((told) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => told(true)).once('error', () => told(false));
    socket.once('connect', () => socket.destroy());
  });
}
