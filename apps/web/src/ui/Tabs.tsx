import type { ReactNode } from 'react';
import { Tab, TabList, TabPanel, Tabs as AriaTabs } from 'react-aria-components/Tabs';
import { useSearchParams } from 'react-router';
import { Guarded } from './Guarded';
import css from './Tabs.module.css';

interface Props {
  readonly label: string;
  readonly tabs: readonly { readonly id: string; readonly title: string; readonly content: ReactNode }[];
}

/** Parts of a page of which one is seen; which one is in the address, so that it can be linked to. */
export function Tabs({ label, tabs }: Props) {
  const [search, setSearch] = useSearchParams();
  const asked = search.get('tab');
  const chosen = tabs.some(({ id }) => id === asked) ? (asked ?? undefined) : tabs[0]?.id;
  const choose = (id: string | number) =>
    setSearch(id === tabs[0]?.id ? {} : { tab: String(id) }, { replace: true, preventScrollReset: true });
  return (
    <AriaTabs selectedKey={chosen} onSelectionChange={choose} className={css.tabs ?? ''}>
      <TabList aria-label={label} className={css.list ?? ''}>
        {tabs.map(({ id, title }) => (
          <Tab key={id} id={id} className={css.tab ?? ''}>
            {title}
          </Tab>
        ))}
      </TabList>
      {tabs.map(({ id, content }) => (
        <TabPanel key={id} id={id} className={css.panel ?? ''}>
          <Guarded>{content}</Guarded>
        </TabPanel>
      ))}
    </AriaTabs>
  );
}
