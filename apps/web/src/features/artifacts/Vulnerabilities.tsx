import { useAnswer } from '../../api/use-answer';
import { to } from '../../app/paths';
import { ComponentName } from '../../parts/components/ComponentName';
import { Places } from '../../parts/components/Places';
import { UnknownVulnerabilities } from '../../parts/components/UnknownVulnerabilities';
import { Badge, DescribedLink, Empty, formatCount, Pager, Panel, Table, usePageNumber } from '../../ui';
import { Severity } from '../vulnerabilities/Severity';
import { Sources } from '../vulnerabilities/Sources';
import { Statement } from '../vulnerabilities/Statement';

const PER_PAGE = 50;

/** The known vulnerabilities of an artifact: in which component, who says so, and where it runs with them. */
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
          empty={
            <Empty icon="search" title="None is known">
              That is no all-clear for what nobody knows: see above.
            </Empty>
          }
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
              cell: ({ component, certain, fixed_in }) => (
                <span className="pile">
                  <ComponentName component={component} />
                  {!certain && <Badge tone="warn">Not certain: its version cannot be compared</Badge>}
                  {fixed_in.length > 0 && <span className="small quiet">fixed in {fixed_in.join(', ')}</span>}
                </span>
              ),
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
