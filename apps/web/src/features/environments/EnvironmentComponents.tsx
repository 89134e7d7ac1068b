import { useAnswer } from '../../api/use-answer';
import { ComponentTable } from '../../parts/components/ComponentTable';
import { Unjudged } from '../../parts/components/Unjudged';
import { formatCount, Pager, Panel, usePageNumber } from '../../ui';

const PER_PAGE = 50;

/** The components of the artifacts that run now, by their SBOMs. */
export function EnvironmentComponents({ env }: { readonly env: string }) {
  const page = usePageNumber();
  const data = useAnswer('/components/{org}/environments/{env}', { env }, { page, per_page: PER_PAGE });
  return (
    <div className="stack">
      <Unjudged answer={data} scope="of what runs here now" />
      <Panel title="Components" note={formatCount(data.total_count)} flush>
        <ComponentTable label="Components" rows={data.components} none="No component is known" />
        <Pager page={page} pages={data.total_pages} total={data.total_count} />
      </Panel>
    </div>
  );
}
