import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { turnOf } from '@assurance/kernel';
import { networkOf } from './network-of';

/**
 * How many connections end in one turn of the event loop, and which part of those that wait where that is more: so that never many wait. An end takes
 * from 0.1 ms to more than 1 ms, where much was on its way, of Node, of the system and of who is told of it.
 */
const ENDS = { few: 4, part: 1 / 16 } as const;

type Destroy = (this: Socket, fault: Error | null, done: (fault?: Error | null) => void) => void;

/**
 * Begins and ends the work of connections in slices. Node tells of all requests and ends that came while the thread was busy in one turn of the event
 * loop, and after a burst of some hundreds nothing else would run for as long as all of them take. Requests wait in the queue of the key that they
 * show, which nobody has checked yet, and one whose client has gone meanwhile costs nothing more. To be called last: it comes before all who listen
 * already.
 */
export function takeInTurns(server: Server): void {
  const others = server.listeners('request') as ((request: IncomingMessage, response: ServerResponse) => void)[];
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const pass = () => {
      // Its end was told already: who would wait for that waits for ever.
      if (response.destroyed || request.socket.destroyed) return;
      for (const other of others) other.call(server, request, response);
    };
    const turn = turnOf(keyOf(request));
    if (turn === undefined) pass();
    else void turn.then(pass);
  });
  const ends = new Ends();
  server.on('connection', (socket: Socket) => {
    const destroy = socket._destroy as Destroy;
    socket._destroy = (fault, done) => ends.add(() => destroy.call(socket, fault, done));
  });
}

/** Who asks, as far as is known before the key is checked: a shared proxy or network does not make all wait for one caller. */
function keyOf({ headers, socket }: IncomingMessage): string {
  return `${networkOf(socket.remoteAddress ?? '')} ${headers.authorization ?? headers.cookie ?? ''}`;
}

/** Ends connections, some in each turn of the event loop. */
export class Ends {
  private readonly waiting: (() => void)[] = [];
  private left: number = ENDS.few;
  private planned = false;

  /** Runs `end` in this turn, or in one of the next. */
  add(end: () => void): void {
    if (this.left === 0) this.waiting.push(end);
    else this.run(end);
  }

  private run(end: () => void): void {
    this.left -= 1;
    if (!this.planned) setImmediate(() => this.next());
    this.planned = true;
    end();
  }

  private next(): void {
    this.planned = false;
    this.left = Math.max(ENDS.few, Math.ceil(this.waiting.length * ENDS.part));
    for (const end of this.waiting.splice(0, this.left)) this.run(end);
  }
}
