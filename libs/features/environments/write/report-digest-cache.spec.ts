import { ReportDigestCache } from './report-digest-cache';

describe('what bodies say', () => {
  it('is known of the same body as a report of the same kind', () => {
    const meanings = new ReportDigestCache();
    meanings.remember('docker', 'a', { runs: '1' });
    meanings.remember('docker', 'a', { runsCounted: '2' });
    expect(meanings.of('docker', 'a')).toEqual({ runs: '1', runsCounted: '2' });
    expect(meanings.of('docker', 'b')).toBeUndefined();
    expect(meanings.of('server', 'a')).toBeUndefined();
  });

  it('is evicted for the least recently used bodies', () => {
    const meanings = new ReportDigestCache(2);
    meanings.remember('docker', 'a', { runs: '1' });
    meanings.remember('docker', 'b', { runs: '2' });
    meanings.of('docker', 'a');
    meanings.remember('docker', 'c', { runs: '3' });
    expect(['a', 'b', 'c'].map((body) => meanings.of('docker', body)?.runs)).toEqual(['1', undefined, '3']);
  });
});
