import { compileSchema } from './schemas';

/** A unique schema with this many characters and a few more. */
const schema = (name: string, characters: number) =>
  JSON.stringify({ title: name, description: 'a'.repeat(characters) });

describe('schemas that were compiled', () => {
  it('are remembered, by characters and not by how many they are', () => {
    const first = schema('first', 10);
    const compiled = compileSchema(first);
    expect(compileSchema(first)).toBe(compiled);
    for (let i = 0; i < 20; i += 1) compileSchema(schema(`large ${i}`, 60_000));
    expect(compileSchema(first)).not.toBe(compiled);
  });
});
