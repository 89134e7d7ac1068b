import { useSearchParams } from 'react-router';
import { formatCount } from './format';
import { Button } from './Button';
import css from './Pager.module.css';

/** The page number of a list in the address, starting at 1. */
export function usePageNumber(name = 'page'): number {
  const [search] = useSearchParams();
  return Math.max(1, Math.trunc(Number(search.get(name))) || 1);
}

interface Props {
  readonly page: number;
  /** How many pages there are. If the list does not say, whether there may be another page. */
  readonly pages: number | { readonly more: boolean };
  readonly total?: number;
  readonly name?: string;
}

/** Links to the previous and next page of a list. */
export function Pager({ page, pages, total, name = 'page' }: Props) {
  const [, setSearch] = useSearchParams();
  const last = typeof pages === 'number' ? page >= pages : !pages.more;
  if (page === 1 && last) return null;
  const turn = (by: number) =>
    setSearch((search) => {
      search.set(name, String(page + by));
      return search;
    });
  return (
    <nav className={css.pager} aria-label={name === 'page' ? 'Pages of this list' : `Pages of the list ${name}`}>
      <Button look="quiet" isDisabled={page === 1} onPress={() => turn(-1)}>
        Previous
      </Button>
      <span>
        Page {formatCount(page)}
        {typeof pages === 'number' && ` of ${formatCount(pages)}`}
        {total !== undefined && ` · ${formatCount(total)} in all`}
      </span>
      <Button look="quiet" isDisabled={last} onPress={() => turn(1)}>
        Next
      </Button>
    </nav>
  );
}
