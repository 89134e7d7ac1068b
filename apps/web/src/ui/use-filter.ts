import { useSearchParams } from 'react-router';

/**
 * A filter of a list, stored in the address. Setting it returns to the first page of the list.
 *
 * @param name the name of the parameter in the address
 * @param page the parameter with the page of the list
 * @param typed whether it is text that changes with each key: the first key adds an entry to the history, and further keys change that entry
 */
export function useFilter(name: string, { page = 'page', typed = false } = {}) {
  const [address, setAddress] = useSearchParams();
  const value = address.get(name) ?? '';
  const set = (newValue: string) => {
    // The current address of the browser, not of the last rendering. So two filters that are set at once do not remove each other.
    const after = new URLSearchParams(location.search);
    after.delete(page);
    if (newValue === '') after.delete(name);
    else after.set(name, newValue);
    setAddress(after, { replace: typed && value !== '' && newValue !== '', preventScrollReset: true });
  };
  return [value, set] as const;
}
