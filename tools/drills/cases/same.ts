import { each, form, range, until } from '../../common/api.ts';
import { deploymentsOf, isWhole, type Row } from '../audit.ts';
import type { Outcome } from '../cases.ts';
import { artifactOf, type Drill, fingerprintOf } from '../drill.ts';

const FLOW = 'same-moment';
/** How long to wait for provenance in a snapshot (milliseconds). */
const KNOWN_MS = 30_000;
const CLIENTS = ['one', 'other'] as const;

interface Snapshot {
  readonly index: number;
  readonly artifacts: readonly { readonly fingerprint: string; readonly flows: readonly object[] }[];
}

/**
 * Two clients repeatedly report an artifact to a flow, attest it and report its container to an environment, all at the same moment.
 *
 * @returns how many rounds stored everything once, something twice, or not everything
 */
export async function sameMoment(drill: Drill): Promise<Outcome> {
  await drill.make([FLOW]);
  const rounds = range(drill.size.times).map((i) => ({
    ...{ name: `same-${i}`, fingerprint: fingerprintOf(`same ${i}`), first: 0, made: 0 },
  }));
  await each(rounds, async (round) => {
    const { name, fingerprint } = round;
    await drill.insist('PUT', '/environments/{org}', { name, type: 'docker' });
    const artifact = artifactOf(fingerprint);
    const { trail_name: trail, git_commit_info, template_reference_name: target } = artifact;
    const attest = (client: string) => {
      // Whether the artifact is reported already or not.
      const data = { attestation_name: `scan-${client}`, is_compliant: true, target_artifacts: [target] };
      return drill.insist(
        'POST',
        `/attestations/{org}/${FLOW}/trail/${trail}/generic`,
        form({ ...data, git_commit_info }),
      );
    };
    // Requests alternate between gateways, so each of the three kinds reaches both.
    const answers = await Promise.all(
      CLIENTS.map((client) =>
        Promise.all([
          drill.insist('POST', `/artifacts/{org}/${FLOW}`, artifact),
          drill.report(name, fingerprint),
          attest(client),
        ]),
      ),
    );
    round.first = answers.filter(([{ status }]) => status === 201).length;
    round.made = answers.filter(([, { text }]) => text.includes('snapshot 1 created')).length;
    drill.acknowledge(FLOW, fingerprint);
  });
  // Duplicates would exist by now.
  await drill.settled();
  const counts = { found: 0, doubled: 0, lost: 0 };
  const end = performance.now() + KNOWN_MS;
  await each(rounds, async ({ name, fingerprint, first, made }) => {
    let rows: readonly Row[] = [];
    let snapshot: Snapshot = { index: 0, artifacts: [] };
    const whole = await until(
      async () => {
        rows = await drill.pages<Row>(deploymentsOf(name));
        snapshot = await drill.read<Snapshot>(`/snapshots/{org}/${name}/-1`);
        return (snapshot.artifacts[0]?.flows.length ?? 0) > 0 && rows.some(isWhole);
      },
      Math.max(1, end - performance.now()),
      100,
    );
    const path = `/attestations/{org}/${FLOW}/artifact/${fingerprint}/scan-`;
    const attested = await Promise.all(CLIENTS.map((client) => drill.read<readonly object[]>(`${path}${client}`)));
    const many = [first, made, ...attested.map((list) => list.length)];
    const [running] = snapshot.artifacts;
    const tooMany = rows.length > 1 || snapshot.index > 2 || (running?.flows.length ?? 0) > 1;
    const twice = Math.max(...many) > 1 || tooMany;
    const missing = Math.min(...many) < 1 || !whole || running?.fingerprint !== fingerprint;
    if (twice) counts.doubled += 1;
    if (missing) counts.lost += 1;
    if (!twice && !missing) counts.found += 1;
  });
  return { counts };
}
