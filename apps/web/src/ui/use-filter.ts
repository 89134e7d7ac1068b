import { useSearchParams } from 'react-router';

/**
 * A filter of a list that the address keeps. Setting it goes back to the first page of the list.
 *
 * @param name of the parameter in the address
 * @param page the parameter that says which page of the list is shown
 * @param typed whether it is text that changes with each key: the first key makes an entry in the history, the others change that entry
 */
export function useFilter(name: string, { page = 'page', typed = false } = {}) {
  const [address, setAddress] = useSearchParams();
  const value = address.get(name) ?? '';
  const set = (chosen: string) => {
    // Of the browser, not of the last drawing: two filters that are set at once keep each other.
    const after = new URLSearchParams(location.search);
    after.delete(page);
    if (chosen === '') after.delete(name);
    else after.set(name, chosen);
    setAddress(after, { replace: typed && value !== '' && chosen !== '', preventScrollReset: true });
  };
  return [value, set] as const;
}
