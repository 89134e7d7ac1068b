import { servicesOf } from './services-of';

const named = (...names: readonly string[]) => names.map((name) => ({ name }));

describe('services of two places', () => {
  it('are paired by their names without tag and digest', () => {
    const { pairs, others } = servicesOf(
      named('ghcr.io/shop/web:1', 'ghcr.io/shop/job:1', 'host:5000/api@sha256:aa'),
      named('ghcr.io/shop/web:2', 'ghcr.io/shop/web:3', 'host:5000/api:4', 'cache:7'),
    );
    expect(pairs).toEqual([
      {
        service: 'ghcr.io/shop/web',
        first: named('ghcr.io/shop/web:1'),
        second: named('ghcr.io/shop/web:2', 'ghcr.io/shop/web:3'),
      },
      { service: 'host:5000/api', first: named('host:5000/api@sha256:aa'), second: named('host:5000/api:4') },
    ]);
    expect(others).toEqual({ first: named('ghcr.io/shop/job:1'), second: named('cache:7') });
  });
});
