import type { Control } from '@assurance/contracts/policies/documents';
import type {
  ControlArchived,
  ControlSettings,
  ControlUnarchived,
  ControlUpdated,
} from '@assurance/contracts/policies/events';
import { accepted, changedOf, type Decision, noChange } from '@assurance/kernel';

/** Makes a new version if something changes. Absent fields keep their values. */
export function decideUpdateControl(state: Control, input: Partial<ControlSettings>): Decision<ControlUpdated, never> {
  const { name, description, links } = input;
  const changes = changedOf<ControlSettings>(state, { name, description, links });
  return changes === null ? noChange : accepted({ type: 'ControlUpdated', version: 1, data: changes });
}

/** Archives a control; again changes nothing. It keeps its identifier and its version. */
export function decideArchiveControl({ archived }: Control): Decision<ControlArchived, never> {
  return archived ? noChange : accepted({ type: 'ControlArchived', version: 1, data: {} });
}

/** Takes a control out of the archive; again changes nothing. */
export function decideUnarchiveControl({ archived }: Control): Decision<ControlUnarchived, never> {
  return archived ? accepted({ type: 'ControlUnarchived', version: 1, data: {} }) : noChange;
}
