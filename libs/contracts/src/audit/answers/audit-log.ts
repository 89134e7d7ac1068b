import { pageFields, pageLinks } from '../../http/answers/common';
import { anything, component, list, map, nullable, number, object, type TypeOf, text } from '../../http/shape';

/** Who acted. */
const actor = object({
  id: text('Of a user or service account; else a word: `bootstrap` or `system`.'),
  name: text('Its present name.'),
});

/** What was changed. */
const subject = object({
  kind: text('Such as `environment`.'),
  id: text(),
  name: text('As it was named then; by its present name where the change does not say one.'),
});

const fields = {
  before: map(anything(), 'The values before of what changed; all known ones of what ended.'),
  after: map(
    anything(),
    'The values from then on. A value of more than 1,024 characters is shown by `sha256` and `characters`.',
  ),
};

/** An administrative change. */
export const auditLogEntryShape = component('AuditLogEntry', {
  id: text(),
  type: text('Such as `environment_updated`.'),
  actor,
  subject,
  ...fields,
  names: map(
    nullable(text()),
    'Present names of what `before` and `after` name by ids, by these ids; null of what does not exist any more.',
  ),
  created_at: number('Epoch seconds.'),
});
export type AuditLogEntry = TypeOf<typeof auditLogEntryShape>;

export const auditLogPage = component('AuditLogPage', {
  ...pageFields,
  _links: nullable(pageLinks),
  entries: list(auditLogEntryShape),
});
export type AuditLogPage = TypeOf<typeof auditLogPage>;
