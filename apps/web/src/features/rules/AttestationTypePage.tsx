import { useParams } from 'react-router';
import { api, query, type Schemas } from '../../api/client';
import { useMay, useOrg } from '../../api/session';
import { to } from '../../app/paths';
import { Badge, Guarded, Page } from '../../ui';
import { FormDialog } from '../../ui/FormDialog';
import { AttestationTypeForm } from './AttestationTypeForm';
import { Reported } from './Reported';
import { Versions } from './Versions';

export const AttestationTypePage = () => (
  <Guarded page>
    <Loaded />
  </Guarded>
);

function Loaded() {
  const org = useOrg();
  const { type: name = '' } = useParams();
  const may = useMay();
  const params = { path: { org, name } };
  const { data: type } = query.useSuspenseQuery('get', '/custom-attestation-types/{org}/{name}', { params });
  return (
    <Page
      title={type.name}
      kind="Attestation type"
      above={[{ text: 'Attestation types', href: to.attestationTypes(org) }]}
      badges={type.archived && <Badge tone="warn">Archived</Badge>}
      lead={<bdi>{type.description}</bdi>}
      actions={
        may('record') &&
        !type.archived && (
          <>
            <AttestationTypeForm org={org} type={type} />
            <FormDialog
              trigger="Archive"
              look="danger"
              title="Archive type"
              does="Archive"
              onSubmit={async () => {
                await api.PUT('/custom-attestation-types/{org}/{name}/archive', { params });
                return null;
              }}
            >
              <p>Nothing new can be reported with it. What was reported stays as it is.</p>
            </FormDialog>
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
      <Reported org={org} type={`custom:${name}`} />
    </Page>
  );
}

/** A version as text: by which rules the data is judged, and which form it must have. What a version does not say is left out. */
const textOf = ({ type_schema, evaluator, summary }: Schemas['AttestationTypeVersion']): string =>
  JSON.stringify({ rules: evaluator?.rules, schema: type_schema ?? undefined, summary: summary ?? undefined }, null, 2);
