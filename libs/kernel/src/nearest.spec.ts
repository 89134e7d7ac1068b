import { nearestName } from './nearest';

describe('the nearest name', () => {
  const names = ['page', 'per_page', 'start_ts', 'end_ts', 'repo_name', 'env_name'];

  it.each([
    ['env', 'env_name'],
    ['repo', 'repo_name'],
    ['repository_name', 'repo_name'],
    ['envName', 'env_name'],
    ['env-name', 'env_name'],
    ['PER-PAGE', 'per_page'],
    ['pag', 'page'],
    ['pages', 'page'],
    ['perpage', 'per_page'],
    ['start', 'start_ts'],
    ['end_time', 'end_ts'],
    ['__proto__', 'page'],
  ])('to %s is %s', (text, name) => {
    expect(nearestName(text, names)).toBe(name);
  });

  it('is none where there are no names, and takes no time for a long text', () => {
    expect(nearestName('env', [])).toBeNull();
    expect(names).toContain(nearestName('x'.repeat(1_000_000), names));
  });
});
