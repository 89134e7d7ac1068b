import type { PolicyEvent, PolicyRules } from '@assurance/contracts/policies/events';
import { deciderSpec } from '@assurance/testing/deciders/decider-spec';
import { replayOf } from '@assurance/testing/deciders/replay';
import { policy } from './policy';
import { decidePutPolicy } from './put-policy';

const rules: PolicyRules = {
  provenance: { required: true, exceptions: [] },
  trailCompliance: { required: false, exceptions: [] },
  attestations: [],
};
const put = (yaml: string, description = '', comment = '') => ({
  name: 'strict',
  description,
  comment,
  yaml,
  rules,
});
const spec = deciderSpec({ replay: replayOf(policy, { key: 'p1' }), decide: decidePutPolicy });
const created: PolicyEvent = { type: 'PolicyCreated', version: 1, data: { id: 'p1', ...put('one', 'for all') } };
const facts = (yaml: string | null) => ({ id: 'p1', yaml });

describe('a policy', () => {
  it('begins with its first version', () => {
    spec.given().when(put('one', 'for all'), facts(null)).thenRecords(created);
  });

  it('gets its next version by another text, and nothing by the same', () => {
    const { name: _, description: __, ...text } = put('two', '', 'stricter');
    spec
      .given(created)
      .when(put('two', '', 'stricter'), facts('one'))
      .thenRecords({ type: 'PolicyRevised', version: 1, data: { version: 2, ...text } });
    spec
      .given(created)
      .when(put('one', 'for all', 'said again'), facts('one'))
      .thenNothing();
    spec.given(created).when(put('one'), facts('one')).thenNothing();
  });

  it('needs a text to begin', () => {
    spec
      .given()
      .when({ name: 'strict', description: '', yaml: null }, facts(null))
      .thenRefuses({ kind: 'policy-file-missing' });
  });

  it('gets another description without a text', () => {
    const ask = (description: string) => ({ name: 'strict', description, yaml: null });
    const described: PolicyEvent = { type: 'PolicyDescribed', version: 1, data: { description: 'for some' } };
    spec.given(created).when(ask('for some'), facts('one')).thenRecords(described);
    spec.given(created).when(ask(''), facts('one')).thenNothing();
  });

  it('gets another description without a new version', () => {
    spec
      .given(created)
      .when(put('one', 'for some'), facts('one'))
      .thenRecords({ type: 'PolicyDescribed', version: 1, data: { description: 'for some' } });
  });
});
