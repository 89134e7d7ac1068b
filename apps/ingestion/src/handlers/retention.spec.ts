import { ChangeRetention, type RetentionChange } from '@assurance/audit/write/change-retention';
import { PutFlow } from '@assurance/flows/write/put-flow';
import { err, ok } from '@assurance/kernel';
import { atAcme } from '../testing/acme';

const acme = atAcme();
const change = (fields: RetentionChange) => acme().run(new ChangeRetention({ caller: acme().ada, change: fields }));

describe('ChangeRetentionHandler', () => {
  const days = { attachments: 3_650, payloads: null, snapshots: null };

  it('sets what is dropped and records nothing for the same days again', async () => {
    const set = await change({ kind: 'set', days });
    expect(set).toEqual({ answer: ok(null), events: ['RetentionSet'] });
    expect(await change({ kind: 'set', days })).toEqual({ answer: ok(null), events: [] });
  });

  it('places a hold on a flow, releases it, and records nothing when it is released again', async () => {
    // A drop would remove the released hold.
    await change({ kind: 'set', days: { attachments: null, payloads: null, snapshots: null } });
    await acme().run(new PutFlow({ caller: acme().ada, input: { name: 'held' } }));
    const hold = { flow: 'held', trail: null };
    expect((await change({ kind: 'hold', reason: 'audit', ...hold })).events).toEqual(['HoldPlaced']);
    expect((await change({ kind: 'release', ...hold })).events).toEqual(['HoldReleased']);
    expect(await change({ kind: 'release', ...hold })).toEqual({ answer: ok(null), events: [] });
  });

  it('refuses to hold an unknown flow and an unknown trail', async () => {
    const hold = { kind: 'hold', reason: 'audit' } as const;
    const noFlow = err({ kind: 'flow-unknown', org: 'acme', name: 'nobody' });
    expect(await change({ ...hold, flow: 'nobody', trail: null })).toEqual({ answer: noFlow, events: [] });
    await acme().run(new PutFlow({ caller: acme().ada, input: { name: 'no-trails' } }));
    const noTrail = err({ kind: 'trail-unknown', name: 'build-1', org: 'acme', flow: 'no-trails' });
    expect(await change({ ...hold, flow: 'no-trails', trail: 'build-1' })).toEqual({ answer: noTrail, events: [] });
  });
});
