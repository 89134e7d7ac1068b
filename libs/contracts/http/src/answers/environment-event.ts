import { anything, component, flag, integer, list, nullable, number, object, type Of, oneOf, text } from '../shape';
import { deploymentLinks } from './deployment';
import { ANNOTATIONS } from './snapshot';

/** The change that a snapshot recorded for one artifact. */
export const environmentEvent = component('EnvironmentEvent', {
  environment_name: text(),
  snapshot_index: integer('From 1.'),
  artifact_name: text(),
  sha256: text('Fingerprint of the artifact; empty if the digest is unknown.'),
  description: text('Such as `1 instance started running (from 0 to 1)`.'),
  reported_at: number('Epoch seconds.'),
  pipeline: text('Name of the first flow; empty without provenance.'),
  type: oneOf(ANNOTATIONS),
  artifact_compliance: nullable(flag()),
  snapshot_compliance: nullable(flag()),
  flows: list(object({ flow_name: text(), deployments: nullable(list(anything())) })),
  deployments: list(anything()),
  code_diff: nullable(text('Address of a page that compares the old and the new commit.')),
  _links: deploymentLinks,
});
export type EnvironmentEvent = Of<typeof environmentEvent>;
