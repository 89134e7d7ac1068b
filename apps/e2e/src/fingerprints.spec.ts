import type { EnvironmentEvent } from '@assurance/contracts/environments/answers/environment-event';
import type { ArtifactAnswer, SearchAnswer } from '@assurance/contracts/flows/answers/artifact';
import type { TrailPage } from '@assurance/contracts/flows/answers/trail';
import { artifact, digest, environment, flow, flowForm, fresh, item, post, report } from './support/samples';
import { onEveryDeployment } from './support/world';

/** The forms in which container tools print a digest, and people paste it. */
const FORMS = [
  ['with sha256:', (digits: string) => `sha256:${digits}`],
  ['in upper case', (digits: string) => digits.toUpperCase()],
  ['with SHA256: in upper case', (digits: string) => `SHA256:${digits.toUpperCase()}`],
] as const;

onEveryDeployment((world) => {
  const caller = () => world().as('admin');
  const attestation = (fields: object) => flowForm({ attestation_name: 'check', is_compliant: true, ...fields });

  describe.each(FORMS)('a fingerprint %s', (_, form) => {
    it('is taken in every body, and stored as 64 digits in lower case', async () => {
      const [flowName, env] = [await flow(caller()), await environment(caller())];
      const trail = fresh('trail');
      const [fingerprint, linked] = [digest(`${flowName} artifact`), digest('linked')];
      const external_urls = { docs: { href: 'https://example.com/docs', fingerprint: form(linked) } };
      await post(caller(), flowName, artifact(form(fingerprint), { trail_name: trail, external_urls }));
      await caller().expect(201, 'POST', `/attestations/acme/${flowName}/trail/${trail}/generic`, {
        form: attestation({ artifact_fingerprint: form(fingerprint), external_urls }),
      });
      await report(caller(), env, [item({ web: form(fingerprint) })]);
      await caller().expect(201, 'PUT', `/allowlists/acme/${env}`, {
        json: { artifact_fingerprint: form(fingerprint), artifact_name: 'web', description: '' },
      });

      const answer = await caller().get<ArtifactAnswer>(`/artifacts/acme/${flowName}/fingerprint/${fingerprint}`);
      expect(answer).toMatchObject({ fingerprint, running: [{ environment_name: env, snapshot_index: 1 }] });
      expect(answer.history.map(({ event }) => event)).toContain("generic attestation 'check' reported");
      expect(await caller().get(`/allowlists/acme/${env}`)).toMatchObject({
        artifacts: [{ artifact_fingerprint: fingerprint }],
      });
      const events = await caller().get<EnvironmentEvent[]>(`/environments/acme/${env}/events`);
      expect(events.map(({ sha256 }) => sha256)).toContain(fingerprint);
      expect(JSON.stringify(await caller().get(`/trails/acme/${flowName}/${trail}`))).not.toContain(form(linked));
    });

    it('is taken in every path and query', async () => {
      const [flowName, env] = [await flow(caller()), await environment(caller())];
      const trail = fresh('trail');
      const fingerprint = digest(`${flowName} artifact`);
      await post(caller(), flowName, artifact(fingerprint, { trail_name: trail }));
      await caller().expect(201, 'POST', `/attestations/acme/${flowName}/trail/${trail}/generic`, {
        form: attestation({ artifact_fingerprint: fingerprint }),
      });
      await report(caller(), env, [item({ web: fingerprint })]);

      for (const text of [form(fingerprint), encodeURIComponent(form(fingerprint))]) {
        const equal = async (path: (digits: string) => string) => {
          expect(await caller().get(path(text))).toEqual(await caller().get(path(fingerprint)));
        };
        await equal((digits) => `/artifacts/acme/${flowName}/fingerprint/${digits}`);
        await equal((digits) => `/artifacts/acme/${flowName}/${digits}/latest_commit`);
        await equal((digits) => `/asserts/acme/fingerprint/${digits}?flow_name=${flowName}`);
        await equal((digits) => `/attestations/acme/${flowName}/artifact/${digits}/check`);
        await equal((digits) => `/trails/acme?fingerprint=${digits}`);
        await equal((digits) => `/snapshots/acme/${env}/-1?search=${digits}`);
        await equal((digits) => `/search/acme/sha/${digits}`);
        const { data } = await caller().get<TrailPage>(`/trails/acme?fingerprint=${text}`);
        expect(data.map(({ name }) => name)).toEqual([trail]);
        const { resolved_to } = await caller().get<SearchAnswer>(`/search/acme/sha/${text}`);
        expect(resolved_to).toMatchObject({ type: 'fingerprint', full_match: fingerprint });
        const packed = await caller().bytes(`/artifacts/acme/${flowName}/fingerprint/${text}/audit_package`);
        expect(packed.type).toBe('application/gzip');
      }
      // The beginning of one too.
      const part = form(fingerprint.slice(0, 12));
      const { artifacts } = await caller().get<SearchAnswer>(`/search/acme/sha/${part}`);
      expect(artifacts.map((artifact) => artifact.fingerprint)).toEqual([fingerprint]);
    });
  });

  it.each(['sha256:', 'sha512:' + 'a'.repeat(64), 'sha256:' + 'a'.repeat(63), 'sha256: ' + 'a'.repeat(64)])(
    'is refused by name as %j',
    async (fingerprint) => {
      const flowName = await flow(caller());
      const { errors } = await caller().refused(400, 'POST', `/artifacts/acme/${flowName}`, {
        json: artifact(fingerprint),
      });
      expect(errors).toMatchObject({ fingerprint: expect.stringContaining('[input: sha') as string });
    },
  );
});
