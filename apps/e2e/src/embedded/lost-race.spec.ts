import { randomUUID } from 'node:crypto';
import type { EnvironmentAnswer } from '@assurance/contracts/environments/answers/environment';
import type { EnvironmentUpdated } from '@assurance/contracts/environments/events';
import { SYSTEM } from '@assurance/contracts/events/streams';
import { seal } from '@assurance/event-sourcing/sealing/seal';
import type { Commit, Engines, EventStore } from '@assurance/storage-ports';
import { Installation } from '../support/installation';
import { environment } from '../support/samples';
import { worldOf } from '../support/world';

/** More often than any command decides again. */
const MORE_OFTEN = 100;

/** Appends to the stream as another process does that is always a moment faster, so often. */
class Rival {
  stream = '';
  times = 0;
  committed = 0;

  /** Appends before each append of these engines. */
  goBefore = (engines: Engines): Engines => {
    const { events } = engines;
    const append = events.append.bind(events);
    events.append = async (commit) => {
      if (commit.stream === this.stream && this.committed < this.times) {
        expect(await append(await this.next(events, commit.org))).toBe('appended');
      }
      return append(commit);
    };
    return engines;
  };

  private async next(events: EventStore, org: string): Promise<Commit> {
    this.committed += 1;
    const updated: EnvironmentUpdated = {
      type: 'EnvironmentUpdated',
      version: 1,
      data: { description: `by the other process, commit ${this.committed}` },
    };
    const draft = { id: randomUUID(), org, stream: this.stream, at: Date.now(), actor: SYSTEM, correlation: 'rival' };
    return seal(events, draft, await events.newest(this.stream), [updated]);
  }
}

describe('a command whose stream another process is always faster on', () => {
  const installation = new Installation();
  afterAll(() => installation.clear());

  it('is decided again, and gets 409 with Retry-After after too many attempts', async () => {
    const rival = new Rival();
    const engines = await installation.open(rival.goBefore);
    const member = (await worldOf(await installation.start())).as('member');
    const env = await environment(member);
    const path = `/environments/acme/${env}`;
    const { commits } = await engines.events.scan(null, 1_000);
    rival.stream = commits.filter(({ stream }) => stream.startsWith('environment/')).at(-1)?.stream ?? '';

    rival.times = 2;
    await member.expect(200, 'PATCH', path, { json: { description: 'mine' } });
    expect([rival.committed, (await member.get<EnvironmentAnswer>(path)).description]).toEqual([2, 'mine']);

    rival.times = MORE_OFTEN;
    const before = rival.committed;
    const lost = await member.send('PATCH', path, { json: { description: 'never' } });
    expect([lost.status, lost.text, lost.headers.get('retry-after')]).toEqual([
      409,
      JSON.stringify({ message: 'Somebody else changed this at the same moment. Try again' }),
      '1',
    ]);
    const tried = rival.committed - before;
    expect([tried > 2, tried < 50]).toEqual([true, true]);
    const { description } = await member.get<EnvironmentAnswer>(path);
    expect(description).toBe(`by the other process, commit ${rival.committed}`);

    rival.times = 0;
    await member.expect(200, 'PATCH', path, { json: { description: 'at last' } });
  });
});
