import { CleanupStack } from './cleanup-stack';

describe('CleanupStack', () => {
  it('closes in reverse order, once, and continues after a fault', async () => {
    const undo = new CleanupStack();
    const closed: string[] = [];
    undo.add(async () => void closed.push('engines'));
    undo.add(() => Promise.reject(new Error('consumers failed')));
    undo.add(async () => void closed.push('listener'));
    const first = undo.run();
    const second = undo.run();
    await expect(first).rejects.toThrow('consumers failed');
    await expect(second).rejects.toThrow('consumers failed');
    expect(closed).toEqual(['listener', 'engines']);
  });
});
