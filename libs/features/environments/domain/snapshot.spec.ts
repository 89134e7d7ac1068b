import type { EnvironmentEvent, RunningArtifact, SnapshotChange } from '@assurance/contracts/environments/events';
import { runningArtifact, SnapshotReplay } from './snapshot';

const since = { snapshot: 1, at: 1, deployedAt: 5 };
const start = (name: string): SnapshotChange => ({
  change: 'started',
  fingerprint: 'aa',
  name,
  instances: [5],
  since,
  flows: [],
  compliant: null,
  was: 0,
  now: 1,
  wholly: true,
  replacedBy: null,
});
const [web, api] = [start('web'), start('api')];
const exit: SnapshotChange = { ...web, change: 'exited', was: 1, now: 0 };

const recorded = (snapshot: number, ...changes: readonly SnapshotChange[]): EnvironmentEvent => ({
  type: 'SnapshotRecorded',
  version: 1,
  data: { snapshot, environment: 'production', type: 'docker', changes },
});

function foldEvents(...events: readonly EnvironmentEvent[]) {
  const replay = new SnapshotReplay();
  for (const event of events) replay.apply(event);
  return replay.result();
}

const stateKept = (snapshot: number, ...artifacts: readonly RunningArtifact[]): EnvironmentEvent => ({
  type: 'SnapshotStateKept',
  version: 2,
  data: { snapshot, artifacts },
});

describe('a snapshot', () => {
  it('is empty before the first', () => {
    expect(foldEvents()).toEqual({
      artifacts: [],
      changes: [],
      environment: '',
      type: null,
      afresh: false,
      judged: null,
      members: null,
    });
  });

  it('has the running artifacts, its changes, and the name at that time', () => {
    expect(foldEvents(recorded(1, web, api), recorded(2, exit))).toEqual({
      artifacts: [runningArtifact(api)],
      changes: [exit],
      environment: 'production',
      type: 'docker',
      afresh: false,
      judged: null,
      members: null,
    });
  });

  it('drops the changes before a full state, but keeps its own changes', () => {
    expect(foldEvents(recorded(1, web), stateKept(1, runningArtifact(api)))).toEqual({
      artifacts: [runningArtifact(api)],
      changes: [web],
      environment: 'production',
      type: 'docker',
      afresh: false,
      judged: null,
      members: null,
    });
  });

  it('keeps what was said of instances where a change says nothing of them', () => {
    const fields = { contexts: [{ of: 'pod', pod: 'web-0', namespace: 'shop', owners: null }] } as const;
    const again: SnapshotChange = { ...web, change: 'updated-provenance', was: 1, compliant: true };
    expect(foldEvents(recorded(1, { ...web, ...fields }), recorded(2, again)).artifacts).toEqual([
      { ...runningArtifact(web), ...fields, compliant: true },
    ]);
    expect(foldEvents(recorded(1, { ...web, ...fields }), recorded(2, exit), recorded(3, web)).artifacts).toEqual([
      runningArtifact(web),
    ]);
  });
});
