import { useParams } from 'react-router';
import { api, query, type Schemas } from '../../api/client';
import { useMay, useOrg } from '../../api/session';
import { to } from '../../app/paths';
import { Badge, Page } from '../../ui';
import { ConfirmDialog } from '../../ui/FormDialog';
import { AttestationTypeForm } from './AttestationTypeForm';
import { ReportedAttestations } from './ReportedAttestations';
import { Versions } from './Versions';

export function AttestationTypePage() {
  const org = useOrg();
  const { type: name = '' } = useParams();
  const may = useMay();
  const params = { path: { org, name } };
  const { data: type } = query.useSuspenseQuery('get', '/custom-attestation-types/{org}/{name}', { params });
  return (
    <Page
      title={type.name}
      kind="Attestation type"
      above={[{ text: 'Attestation types', href: to.attestationTypes }]}
      badges={type.archived && <Badge tone="warn">Archived</Badge>}
      lead={type.description}
      actions={
        may('record') &&
        !type.archived && (
          <>
            <AttestationTypeForm type={type} />
            <ConfirmDialog
              does="Archive"
              title="Archive type"
              onConfirm={() => api.PUT('/custom-attestation-types/{org}/{name}/archive', { params })}
            >
              Nothing new can be reported with it. What was reported stays as it is.
            </ConfirmDialog>
          </>
        )
      }
    >
      <Versions
        title="Schema and rules"
        versions={type.versions.map((version) => ({
          version: version.version,
          text: textOf(version),
          by: version.created_by,
          at: version.timestamp,
        }))}
      />
      <ReportedAttestations type={`custom:${name}`} />
    </Page>
  );
}

/** A version as text: the rules for the data, and its schema. Unset parts are left out. */
const textOf = ({ type_schema, evaluator, summary }: Schemas['AttestationTypeVersion']): string =>
  JSON.stringify({ rules: evaluator?.rules, schema: type_schema ?? undefined, summary: summary ?? undefined }, null, 2);
