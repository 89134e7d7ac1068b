import type { Schemas } from '../../api/client';
import { to } from '../../app/paths';
import { NameLink, wordsOf } from '../../ui';

/** The kinds of subjects, with their names in the API. */
export const SUBJECTS: readonly (readonly [kind: string, text: string])[] = [
  ['member', 'Members'],
  ['invitation', 'Invitations'],
  ['service-account', 'Service accounts'],
  ['api-key', 'API keys of service accounts'],
  ['space', 'Spaces'],
  ['environment', 'Environments'],
  ['flow', 'Flows'],
  ['policy', 'Policies'],
  ['control', 'Controls'],
  ['attestation-type', 'Attestation types'],
  ['repository', 'Repositories'],
  ['notification', 'Notifications'],
  ['target-config', 'Shared targets'],
  ['retention', 'Retention'],
  ['legal-hold', 'Legal holds'],
];

/** The pages of subjects by kind and name. */
const PAGES: Readonly<Record<string, (name: string) => string>> = {
  environment: to.environment,
  flow: to.flow,
  policy: to.policy,
  control: to.control,
  'attestation-type': to.attestationType,
};

/** The changed subject, with its name at that time. */
export const Subject = ({ subject: { kind, name } }: { readonly subject: Schemas['AuditLogEntry']['subject'] }) => {
  const page = PAGES[kind];
  return (
    <span className="pile">
      {page === undefined ? <bdi>{name}</bdi> : <NameLink to={page(name)}>{name}</NameLink>}
      <span className="small quiet">{wordsOf(kind.replaceAll('-', ' '))}</span>
    </span>
  );
};
