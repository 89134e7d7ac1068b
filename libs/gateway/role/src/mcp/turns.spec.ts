import { RefusalError } from '@assurance/http';
import { QuestionTurns } from './turns';

describe('questions of assistants', () => {
  const settled = () => new Promise((resolve) => setTimeout(resolve, 20));

  it('are answered one after the other for each caller, also after one that failed', async () => {
    const turns = new QuestionTurns();
    const running: string[] = [];
    const ends = new Map<string, (failure?: Error) => void>();
    const ask = (caller: string, name: string) =>
      turns.take(caller, async () => {
        running.push(name);
        await new Promise<void>((done, fail) =>
          ends.set(name, (failure) => (failure === undefined ? done() : fail(failure))),
        );
      });
    const first = ask('ada', 'a1');
    const second = ask('ada', 'a2');
    const other = ask('bob', 'b1');
    await settled();
    expect(running).toEqual(['a1', 'b1']);
    ends.get('a1')?.(new Error('it failed'));
    await expect(first).rejects.toThrow('it failed');
    await settled();
    expect(running).toEqual(['a1', 'b1', 'a2']);
    ends.get('a2')?.();
    ends.get('b1')?.();
    await Promise.all([second, other]);
  });

  it('are refused when twenty of the caller wait', async () => {
    const turns = new QuestionTurns();
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const all = Array.from({ length: 21 }, () => turns.take('ada', () => ended));
    const refused = new RefusalError({ kind: 'share-taken', whose: 'caller', of: 'requests', limit: 20 });
    await expect(turns.take('ada', () => ended)).rejects.toEqual(refused);
    end();
    await Promise.all(all);
  });
});
