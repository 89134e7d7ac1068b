import { problemsOf } from './unavailable-reason';

describe('the server that answers', () => {
  it.each([
    ['the primary of a replica set', { setName: 'rs0', isWritablePrimary: true }, []],
    ['a router', { msg: 'isdbgrid', isWritablePrimary: true }, []],
    ['a secondary', { setName: 'rs0', isWritablePrimary: false }, ['MongoDB has no primary']],
    ['a server on its own', { isWritablePrimary: true }, ['MongoDB is not a replica set']],
  ])('is %s', (_, hello, problems) => expect(problemsOf(hello)).toEqual(problems));
});
