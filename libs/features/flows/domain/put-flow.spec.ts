import type { FlowCreated, FlowSettings, FlowTemplate, FlowUpdated } from '@assurance/contracts/flows/events';
import { deciderSpec } from '@assurance/testing/deciders/decider-spec';
import { replayOf } from '@assurance/testing/deciders/replay';
import { flow } from './flow';
import { decidePutFlow, EMPTY_TEMPLATE } from './put-flow';

// No case is refused: the template is already validated, and everything else may change.
const spec = deciderSpec({ replay: replayOf(flow), decide: decidePutFlow });

const yaml = (text: string): FlowTemplate => ({ yaml: text });
const facts = (template: FlowTemplate | null) => ({ id: 'f1', templateId: 'new-template', template });
const created = (settings: Partial<FlowSettings> = {}): FlowCreated => ({
  type: 'FlowCreated',
  version: 1,
  data: {
    id: 'f1',
    name: 'shop',
    description: '',
    visibility: 'private',
    template: EMPTY_TEMPLATE,
    templateId: 'new-template',
    ...settings,
  },
});
const updated = (data: Partial<FlowSettings>): FlowUpdated => ({ type: 'FlowUpdated', version: 1, data });

describe('putting a flow that is not there', () => {
  it('creates it with defaults: private, and with the smallest template', () => {
    spec.given().when({ name: 'shop' }, facts(null)).thenRecords(created());
    expect(EMPTY_TEMPLATE).toEqual({ yaml: 'version: 1\n' });
  });

  it('creates it as given', () => {
    const input = { description: 'sells', visibility: 'public', template: { list: ['artifact', 'test'] } } as const;
    spec
      .given()
      .when({ name: 'shop', ...input }, facts(null))
      .thenRecords(created(input));
  });
});

describe('putting a flow that is there', () => {
  const shop = created({ description: 'sells', templateId: 't1', template: yaml('version: 1\ntrail:\n') });
  const inForce = facts(yaml('version: 1\ntrail:\n'));

  it('changes nothing when all is as it was or not given', () => {
    spec.given(shop).when({ name: 'shop' }, inForce).thenNothing();
    spec
      .given(shop)
      .when(
        { name: 'shop', description: 'sells', visibility: 'private', template: yaml('version: 1\ntrail:\n') },
        inForce,
      )
      .thenNothing();
  });

  it('records what changes and nothing else', () => {
    spec
      .given(shop)
      .when({ name: 'shop', description: '', visibility: 'public' }, inForce)
      .thenRecords(updated({ description: '', visibility: 'public' }));
  });

  it('gives another template an id of its own, byte for byte', () => {
    const other = yaml('version: 1\ntrail: \n');
    spec
      .given(shop)
      .when({ name: 'shop', template: other }, inForce)
      .thenRecords(updated({ template: other, templateId: 'new-template' }));
    const list: FlowTemplate = { list: ['artifact'] };
    spec
      .given(shop)
      .when({ name: 'shop', template: list }, inForce)
      .thenRecords(updated({ template: list, templateId: 'new-template' }));
    spec
      .given(shop, updated({ template: list, templateId: 't2' }))
      .when({ name: 'shop', template: list }, facts(list))
      .thenNothing();
  });
});
