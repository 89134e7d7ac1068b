import type { Schemas } from '../../api/client';
import { Empty, formatCount, Table } from '../../ui';
import { ComponentName } from './ComponentName';

type Component = Schemas['RunningComponent'];

interface Props {
  readonly label: string;
  readonly rows: readonly Component[];
  /** The text if there are no components. */
  readonly none: string;
}

/** Components of running artifacts, and how many artifacts have each. */
export const ComponentTable = ({ label, rows, none }: Props) => (
  <Table
    label={label}
    rows={rows}
    keyOf={keyOfComponent}
    empty={<Empty icon="dash" title={none} />}
    columns={[
      { head: 'Component', kind: 'main', cell: (component) => <ComponentName component={component} /> },
      { head: 'Licences', kind: 'text', cell: ({ licences }) => <bdi>{licences.join(', ') || 'not stated'}</bdi> },
      { head: 'Artifacts', kind: 'number', cell: ({ artifact_count }) => formatCount(artifact_count) },
    ]}
  />
);

export const keyOfComponent = (component?: Component) => `${component?.purl} ${component?.name} ${component?.version}`;
