import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import type { Caller } from '../support/caller';
import { BOOTSTRAP, keyOf } from '../support/declared';
import { Place, Process } from '../support/process';
import { digest, fresh } from '../support/samples';
import { worldOf } from '../support/world';

const deploy = resolve(__dirname, '../../../../deploy');

interface Action {
  readonly runs: {
    readonly steps: readonly [{ readonly run: string; readonly env: Readonly<Record<string, string>> }];
  };
}
interface Component {
  readonly 'assurance-gate': { readonly script: readonly [string] };
}

const action = parse(readFileSync(join(deploy, 'actions/gate/action.yml'), 'utf8')) as Action;
const component = parseAllDocuments(
  readFileSync(join(deploy, 'gitlab/templates/gate.yml'), 'utf8'),
)[1]?.toJS() as Component;
const SCRIPTS = { action: action.runs.steps[0].run, component: component['assurance-gate'].script[0] };

describe('the gate of pipelines', () => {
  const place = new Place();
  let member: Caller;
  let url: string;

  beforeAll(async () => {
    const service = place.start({ ASSURANCE_BOOTSTRAP_FILE: place.write('bootstrap.yaml', BOOTSTRAP) });
    url = await service.url();
    member = (await worldOf({ url })).as('member');
  }, 90_000);
  afterAll(async () => place.clear());

  it('is one script in the action and in the component', () => expect(SCRIPTS.component).toBe(SCRIPTS.action));

  it.each(['action', 'component'] as const)(
    'lets the %s go on for a compliant artifact alone',
    async (kind) => {
      const flow = fresh('flow');
      await member.expect(201, 'PUT', '/flows/acme', { json: { name: flow, description: '', visibility: 'private' } });
      const fingerprint = digest(flow);
      const gate = async (more: Record<string, string> = {}) => {
        const env = {
          PATH: process.env['PATH'] ?? '',
          GATE_URL: url,
          GATE_ORGANIZATION: 'acme',
          GATE_API_KEY: keyOf('reader'),
          GATE_FINGERPRINT: fingerprint,
          GATE_ENVIRONMENT: '',
          GATE_FLOW: flow,
          ...more,
        };
        const service = new Process(
          spawn(kind === 'action' ? 'bash' : 'sh', ['-c', SCRIPTS[kind]], { env, stdio: ['ignore', 'pipe', 'pipe'] }),
        );
        return { code: await service.ended, out: service.out };
      };
      expect(await gate()).toEqual({ code: 1, out: expect.stringContaining('the service answers 404') as string });
      const artifact = {
        fingerprint,
        filename: 'shop.tar',
        git_commit: '2'.repeat(40),
        trail_name: 'build-1',
        template_reference_name: 'shop',
      };
      await member.send('PUT', `/trails/acme/${flow}`, { json: { name: 'build-1', description: '' } });
      await member.expect(201, 'POST', `/artifacts/acme/${flow}`, {
        json: { ...artifact, build_url: 'https://ci/1', commit_url: 'https://ci/2' },
      });
      expect(await gate()).toEqual({ code: 0, out: 'The artifact is compliant.\n' });
      expect((await gate({ GATE_API_KEY: 'wrong' })).out).toContain('the service answers 401');
      expect((await gate({ GATE_ENVIRONMENT: 'unknown', GATE_FLOW: '' })).code).toBe(1);
    },
    60_000,
  );
});
