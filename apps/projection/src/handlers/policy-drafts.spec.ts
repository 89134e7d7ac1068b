import { JudgePolicyDraft } from '@assurance/deployments/read/policy-draft';
import { err, ok } from '@assurance/kernel';
import { ada, atAcme } from '../testing/acme';

const ask = atAcme();
const unknown = err({ kind: 'environment-unknown', org: 'acme', name: 'nobody' });

describe('JudgePolicyDraftHandler', () => {
  const judge = (policy: string, text: string, environments: readonly string[] = []) =>
    ask(new JudgePolicyDraft({ caller: ada, policy, yaml: text, environments }));
  const draft = '_schema: https://schemas.example.com/policy/v1\nartifacts:\n  provenance:\n    required: true\n';

  it('answers that a draft changes nothing where nothing runs', async () => {
    expect(await judge('strict', draft)).toMatchObject(ok({ value: { version: 1, running: { judged: 0 } } }));
  });
  it('refuses an unknown policy, an unknown environment, and a text that is no policy', async () => {
    expect(await judge('nobody', draft)).toMatchObject(err({ kind: 'policy-unknown', name: 'nobody' }));
    expect(await judge('strict', draft, ['nobody'])).toEqual(unknown);
    expect(await judge('strict', 'artifacts: [')).toMatchObject(err({ kind: 'invalid' }));
  });
});
