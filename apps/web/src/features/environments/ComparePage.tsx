import { lazy } from 'react';
import { useSearchParams } from 'react-router';
import { useEnvironmentNames } from '../../api/environments';
import { to } from '../../app/paths';
import { BreakableName, Page, PageLink, Panel } from '../../ui';
import { Tabs } from '../../ui/Tabs';
import { Choosers } from './Choosers';
import { Difference } from './Difference';

// Loaded when its tab is opened.
const ComparedComponents = lazy(async () => ({ default: (await import('./ComparedComponents')).ComparedComponents }));

/** Two environments, or two snapshots of one, side by side. */
export function ComparePage() {
  const [search] = useSearchParams();
  const [a, b] = [search.get('a') ?? '', search.get('b') ?? ''];
  return (
    <Page
      title="Compare"
      above={[{ text: 'Environments', href: to.environments }]}
      lead="What runs in one place and not in the other, and what changed between two moments."
    >
      <Choosers key={`${a} ${b}`} a={a} b={b} />
      {a !== '' && b !== '' ? (
        <Tabs
          label="Parts of the difference"
          keep={KEPT_PARAMETERS}
          tabs={[
            { id: 'artifacts', title: 'Artifacts', content: <Difference a={a} b={b} /> },
            { id: 'components', title: 'Components', content: <ComparedComponents a={a} b={b} /> },
          ]}
        />
      ) : (
        <Help left={a} />
      )}
    </Page>
  );
}

/** The parameters with the compared sides. */
const KEPT_PARAMETERS = ['a', 'b'];

function Help({ left }: { readonly left: string }) {
  const names = useEnvironmentNames();
  const [first = 'production'] = left === '' ? names : [left];
  return (
    <Panel title="What can be compared">
      <p>
        An environment by its name is what runs there now. <code>{first}#3</code> is its third snapshot,{' '}
        <code>{first}~1</code> the one before the latest,{' '}
        <code style={{ whiteSpace: 'nowrap' }}>
          {first}@{'{2.weeks.ago}'}
        </code>{' '}
        what ran two weeks ago.
      </p>
      <ul className="roomy">
        {names
          .filter((name) => name !== first)
          .slice(0, 8)
          .map((name) => (
            <li key={name}>
              <PageLink to={to.compare(first, name)}>
                <BreakableName>{first}</BreakableName> and <BreakableName>{name}</BreakableName>
              </PageLink>
            </li>
          ))}
        <li>
          <PageLink to={to.compare(`${first}~1`, first)}>
            The last change of <bdi>{first}</bdi>
          </PageLink>
        </li>
      </ul>
    </Panel>
  );
}
