import { CHECKPOINTS, signedText, streamCheckpointHash } from '@assurance/event-sourcing/checkpoints/checkpoint';
import { Checkpointer } from '@assurance/event-sourcing/checkpoints/checkpointer';
import { checkpointCovering } from '@assurance/event-sourcing/checkpoints/covering';
import { signedBy, type Signer, signerOf } from '@assurance/event-sourcing/checkpoints/keys';
import { rootBy } from '@assurance/event-sourcing/checkpoints/merkle';
import { redactCheckpoints } from '@assurance/event-sourcing/checkpoints/redact';
import { verifyCheckpoints } from '@assurance/event-sourcing/checkpoints/verify-checkpoints';
import { ErasedStreams, signErasure } from '@assurance/event-sourcing/erasures';
import { CannotResume, type ChangeLog, type PlacesBatch } from '@assurance/event-sourcing/relay/change-source';
import { commitHash } from '@assurance/event-sourcing/sealing/seal';
import { type Commit, type Engines, StoreUnavailable } from '@assurance/storage-ports';
import { appendAll, id, makeStream, unique } from './harness';

/** An engine with a change source, and access to its stored data behind its back. */
export interface TamperableEngine {
  readonly engines: Pick<Engines, 'events' | 'documents'> & { readonly changes: ChangeLog };
  /** Removes the commits of a stream from a seq on. */
  remove(stream: string, from: number): Promise<void>;
  /** Replaces a stored commit. */
  replace(commit: Commit): Promise<void>;
  close(): Promise<void>;
}

const NOW = 1_700_000_000_000;
const SIGNER = signerOf('the secret of an installation that signs');
const STREAMS_MAX = 2_048;

/**
 * That checkpoints cover all that an engine takes, and that what is done to it behind its back is found and named.
 *
 * @param open a store with nothing in it
 */
export function checkpointsSuite(open: () => Promise<TamperableEngine>): void {
  describe('checkpoints', () => {
    let store: TamperableEngine;
    beforeEach(async () => {
      store = await open();
    });
    afterEach(() => store.close());

    const events = () => store.engines.events;
    const checkpointer = (signer: Signer = SIGNER, changes = store.engines.changes) =>
      new Checkpointer({
        changes,
        events: events(),
        signer,
        now: () => NOW,
        id,
        sleep: () => Promise.resolve(),
        onFault: (fault) => {
          throw fault;
        },
        streamsMax: STREAMS_MAX,
      });

    it('tells when all that was committed was covered, and not while that fails', async () => {
      await stream(2);
      const signing = checkpointer();
      expect(signing.coveredAt).toBeNull();
      await signing.sign();
      expect(signing.coveredAt).toBe(NOW);
      const away: ChangeLog = { ...store.engines.changes, now: () => Promise.reject(new StoreUnavailable('away')) };
      const failing = checkpointer(signerOf('the secret of another installation'), {
        ...away,
        after: () => {
          throw new StoreUnavailable('away');
        },
      });
      await expect(failing.sign()).rejects.toThrow('away');
      expect(failing.coveredAt).toBeNull();
    });

    async function check(
      keys: readonly string[] = [SIGNER.key],
      noted: string | null = null,
      erased = new ErasedStreams(),
    ) {
      const faults: string[] = [];
      const onFault = (stream: string, seq: number | null, fault: string) => faults.push(`${stream}#${seq}: ${fault}`);
      const signal = new AbortController().signal;
      return {
        ...(await verifyCheckpoints(store.engines, { keys, noted, erased, onFault, signal })),
        faults,
      };
    }

    /** A stream with a number of commits. */
    async function stream(length: number): Promise<Commit[]> {
      const commits = makeStream(
        Array.from({ length }, () => ({})),
        { stream: `environment/${unique('e')}` },
      );
      await appendAll(events(), commits);
      return commits;
    }
    const placeOf = (commit: Commit) => ({ stream: commit.stream, seq: commit.seq, hash: commitHash(commit) });
    const at = (commits: readonly Commit[], seq: number) => commits[seq - 1] as Commit;

    async function batchesAfter(position: string) {
      const batches: PlacesBatch[] = [];
      for await (const batch of store.engines.changes.after(position)) batches.push(batch);
      return batches;
    }

    it('get all commits after a position, in order, and the position to continue at', async () => {
      const begin = await store.engines.changes.now();
      const commits = [...(await stream(3)), ...(await stream(2))];
      const all = await batchesAfter(begin);
      expect(all.flatMap(({ places }) => places)).toEqual(commits.map(placeOf));
      const next = await batchesAfter(all.at(-1)?.position ?? '');
      expect(next.flatMap(({ places }) => places)).toEqual([]);
      const [more] = await stream(1);
      const position = next.at(-1)?.position ?? all.at(-1)?.position ?? '';
      expect((await batchesAfter(position)).flatMap(({ places }) => places)).toEqual([placeOf(more as Commit)]);
    });

    it('are told of all that was committed, each stream in order', async () => {
      const commits = [await stream(3), await stream(2)];
      const places: PlacesBatch['places'][number][] = [];
      for await (const some of store.engines.changes.all()) places.push(...some);
      for (const commit of commits) {
        expect(places.filter((place) => place.stream === at(commit, 1).stream)).toEqual(commit.map(placeOf));
      }
      expect(places).toHaveLength(5);
    });

    it('cover what was there before the first, then what came since the last, and nothing where nothing came', async () => {
      const before = await stream(3);
      const candidate = checkpointer();
      expect([await candidate.sign(), await candidate.sign()]).toEqual([1, 0]);
      expect(await checkpointCovering(store.engines, at(before, 1))).toMatchObject({
        checkpoint: { number: 1, previous: null, streams: 1 },
        reached: { stream: at(before, 1).stream, seq: 3 },
      });
      const after = await stream(2);
      expect(await checkpointCovering(store.engines, at(after, 1))).toBeNull();
      expect(await candidate.sign()).toBe(1);
      expect(await checkpointCovering(store.engines, at(after, 1))).toMatchObject({
        checkpoint: { number: 2, streams: 1 },
      });
      expect(await check()).toMatchObject({ checkpoints: 2, faults: [] });
    });

    it('lose nothing if a process ends between a commit and its checkpoint, or if several run at once', async () => {
      await checkpointer().sign();
      const streams = [await stream(1), await stream(2)];
      await Promise.all([checkpointer().sign(), checkpointer().sign()]);
      streams.push(await stream(3));
      await checkpointer().sign();
      for (const commits of streams) {
        for (const commit of commits) {
          const covering = await checkpointCovering(store.engines, commit);
          expect(covering?.reached.seq).toBeGreaterThanOrEqual(commit.seq);
        }
      }
      expect((await check()).faults).toEqual([]);
    });

    it('begin anew with all that is there when the place where they ended is gone', async () => {
      const old = await stream(2);
      await checkpointer().sign();
      const young = await stream(1);
      const { changes } = store.engines;
      let query = 0;
      const forgetful: ChangeLog = {
        now: () => changes.now(),
        all: () => changes.all(),
        async *after(position) {
          query += 1;
          if (query === 1) throw new CannotResume('gone');
          yield* changes.after(position);
        },
      };
      expect(await checkpointer(SIGNER, forgetful).sign()).toBe(1);
      expect(await checkpointCovering(store.engines, at(young, 1))).toMatchObject({
        checkpoint: { number: 2, streams: 2 },
      });
      expect(await checkpointCovering(store.engines, at(old, 2))).toMatchObject({ checkpoint: { number: 1 } });
      await expect(batchesAfter('of another engine')).rejects.toBeInstanceOf(CannotResume);
    });

    it('prove any stream of many without the others, in parts of bounded size', async () => {
      const many: Commit[] = [];
      for (let i = 0; i < STREAMS_MAX + 700; i += 1) many.push(...makeStream([{}], { stream: `flow/${unique('f')}` }));
      for (let from = 0; from < many.length; from += 100) {
        await Promise.all(many.slice(from, from + 100).map((commit) => appendAll(events(), [commit])));
      }
      expect(await checkpointer().sign()).toBeGreaterThanOrEqual(2);
      for (const commit of [many[0], many[1_023], many[1_024], many[2_000], many.at(-1)] as Commit[]) {
        const covering = await checkpointCovering(store.engines, commit);
        if (covering === null) throw new Error('it is not covered');
        const { checkpoint, signature, reached, path } = covering;
        expect(reached).toMatchObject({ stream: commit.stream, seq: 1 });
        expect(rootBy(streamCheckpointHash(reached), path)).toBe(checkpoint.root);
        expect(checkpoint.streams).toBeLessThanOrEqual(STREAMS_MAX + 500);
        expect(signedBy(SIGNER.key, signedText(checkpoint), signature)).toBe(true);
      }
      expect((await check()).faults).toEqual([]);
    }, 180_000);

    it('leave out an erased stream by a signed record alone, again alike, and prove the others still', async () => {
      const [removedStream, keptStream] = [await stream(2), await stream(2)];
      await checkpointer().sign();
      const erased = at(removedStream, 1).stream;
      await events().removeStream(erased);
      const leaveOut = () =>
        redactCheckpoints(store.engines, 'acme', (text) => text === erased, new AbortController().signal);
      const leftOut = await leaveOut();
      expect(leftOut.parts).toBe(1);
      expect(await leaveOut()).toEqual(leftOut);
      expect(await checkpointCovering(store.engines, at(removedStream, 2))).toBeNull();
      const covering = await checkpointCovering(store.engines, at(keptStream, 2));
      if (covering === null) throw new Error('it is not covered');
      expect(rootBy(streamCheckpointHash(covering.reached), covering.path)).toBe(covering.checkpoint.root);
      const faults = async (omitted?: typeof leftOut) => {
        const what = { organization: 'acme', name: 'acme', at: NOW, by: 'operator', despiteHolds: false };
        const records = new ErasedStreams();
        if (omitted !== undefined) {
          expect(records.take('organization/acme', signErasure(SIGNER, { ...what, leftOut: omitted }, []))).toBeNull();
        }
        return (await check([SIGNER.key], null, records)).faults;
      };
      const fault = `${CHECKPOINTS}#null: they leave out streams as erased with acme, of which no signed record says so`;
      expect([await faults(), await faults({ ...leftOut, parts: 2 })]).toEqual([[fault], [fault]]);
      expect(await faults(leftOut)).toEqual([]);
    });

    it('show a tail that was cut off, a stream that is gone, and a chain that was written anew', async () => {
      const [cutStream, removedStream, anew, whole] = [
        await stream(4),
        await stream(2),
        await stream(3),
        await stream(3),
      ];
      await checkpointer().sign();
      await store.remove(at(cutStream, 1).stream, 3);
      await store.remove(at(removedStream, 1).stream, 1);
      const others = makeStream([{}, {}, {}], { stream: at(anew, 1).stream });
      for (const commit of others) await store.replace(commit);
      await checkpointer().sign();
      const { faults } = await check();
      expect(faults.sort()).toEqual(
        [
          `${at(cutStream, 1).stream}#4: the end of its stream was cut off, says checkpoint 1`,
          `${at(removedStream, 1).stream}#2: its whole stream is gone, says checkpoint 1`,
          `${at(anew, 1).stream}#3: it was written anew: it is not the commit that was there, says checkpoint 1`,
        ].sort(),
      );
      expect(faults.join()).not.toContain(at(whole, 1).stream);
    });

    it('show when they were changed, signed by another, or cut off and somebody noted one', async () => {
      await stream(1);
      const candidate = checkpointer();
      await candidate.sign();
      const { newest: first } = await check();
      await stream(1);
      await candidate.sign();
      const { newest } = await check();
      expect(await check([SIGNER.key], first)).toMatchObject({ noted: true, faults: [] });
      expect((await check([signerOf('another secret of another house').key])).faults).toEqual([
        `${CHECKPOINTS}#2: the newest checkpoint is signed with no key of this installation`,
      ]);
      const [, second] = await events().read(CHECKPOINTS, 1, 2);
      const [event] = second?.events ?? [];
      if (second === undefined || event?.data === undefined) throw new Error('there is no second checkpoint');
      const changed = event.data.replace(`"at":${NOW}`, `"at":${NOW + 1}`);
      await store.replace({ ...second, events: [{ ...event, data: changed }] });
      expect((await check()).faults).toEqual([`${CHECKPOINTS}#2: its signature is not that of its key`]);
      await store.remove(CHECKPOINTS, 2);
      expect(await check()).toMatchObject({ checkpoints: 1, faults: [] });
      expect(await check([SIGNER.key], newest)).toMatchObject({ noted: false });
      await store.remove(CHECKPOINTS, 1);
      expect(await check([SIGNER.key], first)).toMatchObject({ checkpoints: 0, newest: null, noted: false });
    });

    it('continue under the next secret, which is trusted through the previous key until it has signed', async () => {
      const next = signerOf('the next secret of this installation');
      const commits = await stream(1);
      await checkpointer().sign();
      expect((await check([next.key])).faults).toHaveLength(1);
      expect((await check([next.key, SIGNER.key])).faults).toEqual([]);
      await stream(1);
      await checkpointer(next).sign();
      expect((await check([next.key])).faults).toEqual([]);
      expect(await checkpointCovering(store.engines, at(commits, 1))).toMatchObject({
        checkpoint: { key: SIGNER.key },
      });
    });

    it('say the same again, once, under another key where nothing was committed since', async () => {
      const next = signerOf('the next secret of this installation');
      const [young, old] = [await stream(2), await stream(3)];
      await checkpointer().sign();
      const candidate = checkpointer(next);
      expect([await candidate.sign(), await candidate.sign(), await checkpointer(next).sign()]).toEqual([1, 0, 0]);
      expect(await check([next.key])).toMatchObject({ checkpoints: 2, faults: [] });
      await store.remove(at(young, 1).stream, 2);
      expect((await check([next.key])).faults).toEqual([
        `${at(young, 1).stream}#2: the end of its stream was cut off, says checkpoint 1`,
        `${at(young, 1).stream}#2: the end of its stream was cut off, says checkpoint 2`,
      ]);
      const [more] = await stream(1);
      expect(await candidate.sign()).toBe(1);
      expect(await checkpointCovering(store.engines, more as Commit)).toMatchObject({
        checkpoint: { number: 3, streams: 1 },
      });
      expect(await checkpointCovering(store.engines, at(old, 3))).toMatchObject({ checkpoint: { number: 1 } });
    });
  });
}
