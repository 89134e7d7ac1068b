import { type ReactNode, useEffect, useRef } from 'react';
import { Link, useSearchParams } from 'react-router';
import { Guarded } from './Guarded';
import css from './Tabs.module.css';

interface Props {
  readonly label: string;
  /** Parameters of the address that all tabs keep. */
  readonly keep?: readonly string[];
  readonly tabs: readonly { readonly id: string; readonly title: string; readonly content: ReactNode }[];
}

/**
 * Parts of a page, of which one is visible. The tabs are links, because each part has an address. If the address names no part, the first one is
 * visible.
 */
export function Tabs({ label, tabs, keep = [] }: Props) {
  const [search] = useSearchParams();
  const requestedId = search.get('tab');
  const [first] = tabs;
  const current = tabs.find(({ id }) => id === requestedId) ?? first;
  const list = useRef<HTMLElement>(null);
  // Narrow pages show some of the tabs. The chosen tab must be visible.
  useEffect(() => {
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [current?.id]);
  const keptParameters = [...search].filter(([name]) => keep.includes(name));
  const searchOf = (id: string) =>
    new URLSearchParams([...keptParameters, ...(id === first?.id ? [] : [['tab', id]])]).toString();
  return (
    <div className={css.tabs}>
      <nav ref={list} aria-label={label} className={css.list}>
        {tabs.map((tab) => (
          <Link
            key={tab.id}
            className={css.tab}
            to={{ search: searchOf(tab.id) }}
            preventScrollReset
            {...(tab === current ? { 'aria-current': 'page' } : {})}
          >
            {tab.title}
          </Link>
        ))}
      </nav>
      <div className={css.panel}>
        <Guarded key={current?.id}>{current?.content}</Guarded>
      </div>
    </div>
  );
}
