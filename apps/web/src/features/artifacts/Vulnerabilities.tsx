import { useAnswer } from '../../api/use-answer';
import { to } from '../../app/paths';
import { Places } from '../../parts/components/Places';
import { UnknownVulnerabilities } from '../../parts/components/UnknownVulnerabilities';
import { DescribedLink, formatCount, Pager, Panel, Table, usePageNumber } from '../../ui';
import { AffectedComponent } from '../vulnerabilities/AffectedComponent';
import { NoVulnerabilities } from '../vulnerabilities/NoVulnerabilities';
import { Severity } from '../vulnerabilities/Severity';
import { Sources } from '../vulnerabilities/Sources';
import { Statement } from '../vulnerabilities/Statement';

const PER_PAGE = 50;

/** The known vulnerabilities of an artifact, with the component, the source, and where the artifact runs. */
export function Vulnerabilities({ fingerprint }: { readonly fingerprint: string }) {
  const page = usePageNumber();
  const data = useAnswer(
    '/vulnerabilities/{org}/artifacts/{fingerprint}',
    { fingerprint },
    { page, per_page: PER_PAGE },
  );
  return (
    <div className="stack">
      <UnknownVulnerabilities answer={data} />
      <Panel title="Where it runs and ran with them">
        <Places artifact={data} />
      </Panel>
      <Panel title="Known vulnerabilities" note={formatCount(data.total_count)} flush>
        <Table
          label="Known vulnerabilities"
          rows={data.vulnerabilities}
          keyOf={({ id, component: { purl, name, version } }) => `${id} ${purl} ${name} ${version}`}
          empty={<NoVulnerabilities />}
          columns={[
            {
              head: 'Vulnerability',
              kind: 'main',
              cell: ({ id, summary }) => <DescribedLink to={to.vulnerability(id)} name={id} description={summary} />,
            },
            { head: 'Severity', cell: ({ severity }) => <Severity value={severity} /> },
            {
              head: 'Component',
              kind: 'text',
              cell: (row) => <AffectedComponent {...row} />,
            },
            { head: 'Sources', kind: 'text', cell: ({ sources }) => <Sources sources={sources} /> },
            { head: 'VEX', kind: 'text', cell: ({ vex }) => <Statement vex={vex} /> },
          ]}
        />
        <Pager page={page} pages={data.total_pages} total={data.total_count} />
      </Panel>
    </div>
  );
}
