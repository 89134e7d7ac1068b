import { currentUrl } from './older-prefix';

describe('an address', () => {
  it.each([
    ['/api/fastapi/flows/acme', '/api/v2/flows/acme'],
    ['/api/fastapi/flows/acme?tag=a%2Fb', '/api/v2/flows/acme?tag=a%2Fb'],
    ['/api/fastapi/openapi.json', '/api/v2/openapi.json'],
    ['/api/fastapi/schemas/flow-template/v1', '/schemas/flow-template/v1'],
    ['/api/v2/schemas/flow-template/v1', '/schemas/flow-template/v1'],
  ])('under an older or a further prefix is that of a route: %s', (older, present) => {
    expect(currentUrl(older)).toBe(present);
  });

  it.each([
    '/api/v2/flows/acme',
    '/api/v2/schemas/flow-template/v10',
    '/api/fastapi',
    '/api/fastapis/flows',
    '/x/api/fastapi/flows',
    '/API/FASTAPI/flows',
    '',
  ])('of another kind stays as it is: %s', (url) => {
    expect(currentUrl(url)).toBe(url);
  });
});
